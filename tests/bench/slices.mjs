// How long the page's thread works at a stretch while the page searches for plans: slices of the search, the frames that show what it has found, and
// what the browser does for them.
//
//   node tests/bench/slices.mjs     after scripts/test or scripts/serve have made build/site
//
// Milliseconds of the thread's own time. The steps that slices are made of are what bench_slices measures.

import assert from 'node:assert/strict';

import { longest_task } from './longest_task.mjs';
import { at_rest, open_site, state_of } from '../web/page_actions.mjs';
import { until } from '../web/support.mjs';

const scenarios = [
  ['model=llama-3-8b&task=pretrain&device=h100-80-sxm&profile=deepspeed', 8, 'time'],
  ['model=llama-3-70b&task=finetune&device=h100-80-sxm&context_tokens=8192&profile=megatron', 64, 'time'],
  ['model=llama-3.1-405b&task=pretrain&device=h100-80-sxm&context_tokens=8192&profile=torchtitan', 512, 'time'],
  ['model=deepseek-v3&task=pretrain&device=h200-141-sxm&context_tokens=4096&profile=megatron', 512, 'time'],
  ['model=llama-3-8b&device=h100-80-sxm&profile=vllm', 8, 'throughput'],
];

const site = await open_site();
for (const [query, gpus, objective] of scenarios) {
  const { page, faults, close } = await site.open(`${query}#tab=sources`);
  await at_rest(page);
  const longest = await longest_task(page, async () => {
    await page.evaluate((hash) => { location.hash = hash; }, `tab=plan&objective=${objective}&gpus=${gpus}`);
    await until(() => state_of(page), (state) => 'plan.csv' in state.rects, 'the plans', 60_000);
    await at_rest(page);
  });
  console.log(`${longest.toFixed(0).padStart(6)} ms  ${query}, ${gpus} GPUs`);
  assert.deepEqual(faults, []);
  await close();
}
process.exit(0);
