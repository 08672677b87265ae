// What an edit costs in the page: somebody types a context into ten questions about a model that is far too large, and into three that fit, where
// what was typed is followed by a search for how far one may go.
//
//   node tests/bench/typing.mjs     after scripts/test or scripts/serve have made build/site
//
// The longest stretch of the page's thread, in milliseconds of its own time, of which 30 are asked; the longest time from a key to the painted headline that
// it changed; and the memory of the tab after it, on Linux: what no other process shares. On a machine that does much else the times are longer.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import { longest_task } from './longest_task.mjs';
import { at_rest, open_site, query_of, state_of } from '../web/page_actions.mjs';
import { until } from '../web/support.mjs';

const overload = 'model=llama-3.1-405b&device=h100-80-sxm';
const scenarios = [
  `${overload}&task=finetune`, `${overload}&task=pretrain`, `${overload}&task=finetune&recompute=full`, `${overload}&task=finetune&method=lora`,
  `${overload}&task=pretrain&batch=4`, `${overload}&task=finetune&optimizer=sgd`, `${overload}&task=pretrain&data_parallel=8&sharding=parameters`,
  `${overload}&task=pretrain&tensor_parallel=8`, `${overload}`, `${overload}&profile=vllm&batch=64`,
  'model=llama-3-8b&device=h100-80-sxm&task=finetune&data_parallel=8&sharding=parameters', 'model=llama-3-8b&device=rtx4090&profile=vllm',
  'model=deepseek-v3&device=h200-141-sxm&task=pretrain&tensor_parallel=4&pipeline_parallel=16&expert_parallel=8&data_parallel=8&first_stage_layers=4&last_stage_layers=1',
];

async function press_row(page, name) {
  const { rects } = await until(() => state_of(page), (state) => state.rects[`field.${name}`], name);
  const [x, y, width, height] = rects[`field.${name}`];
  await page.mouse.click(x + width / 2, y + height / 2, { delay: 60 });
  await until(() => state_of(page), (state) => state.wantText, 'the row takes text');
}

/** From a key to the next frame after the headline that it changed: the longest, in milliseconds, is then what `painted()` gives. */
const watch = (page) => page.evaluate(() => {
  let pressed = 0;
  const seen = globalThis.painted_after = [];
  const painted = (from) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => seen.push(performance.now() - from);
    port2.postMessage(null);
  });
  window.addEventListener('keydown', ({ timeStamp }) => { pressed = timeStamp; }, true);
  new MutationObserver(() => {
    if (pressed > 0) painted(pressed);
    pressed = 0;
  }).observe(document.getElementById('headline'), { subtree: true, childList: true, characterData: true });
});
const painted = (page) => page.evaluate(() => Math.max(...globalThis.painted_after));

/** Of the largest process that shows a page, in MB; nothing where the system does not say. */
async function memory_of_tab(browser) {
  const client = await browser.newBrowserCDPSession();
  const { processInfo } = await client.send('SystemInfo.getProcessInfo');
  await client.detach();
  const sizes = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => {
    try {
      return Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))[1]) * 1024;
    } catch {
      return 0;
    }
  });
  return Math.max(...sizes) / 1e6 || undefined;
}

const site = await open_site();
for (const query of scenarios) {
  const { page, faults, close } = await site.open(query);
  await at_rest(page);
  await press_row(page, 'context_tokens');
  await page.keyboard.press('Control+a');
  await watch(page);
  const longest = await longest_task(page, async () => {
    for (const digit of '12345') await page.keyboard.press(digit, { delay: 60 });
    await page.keyboard.press('Enter');
    const headline = () => page.evaluate(() => document.getElementById('headline').textContent);
    await until(async () => ({ query: query_of(page), headline: await headline(), drawn: await state_of(page) }),
      (now) => now.query.includes('context_tokens=12345') && now.headline === now.drawn.headline, 'answered', 60_000);
    await at_rest(page);
  });
  const memory = await memory_of_tab(site.browser);
  console.log(`${longest.toFixed(0).padStart(6)} ms, painted after ${(await painted(page)).toFixed(0).padStart(3)} ms, ${memory?.toFixed(0) ?? '?'} MB  ${query}`);
  assert.deepEqual(faults, []);
  await close();
}
process.exit(0);
