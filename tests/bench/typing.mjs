// How long the page's thread works at a stretch while somebody types a context into ten questions about a model that is far too large.
//
//   node tests/bench/typing.mjs     after scripts/test or scripts/serve have made build/site
//
// Milliseconds of the thread's own time; 50 are asked. On a machine that does much else they are longer.

import assert from 'node:assert/strict';

import { at_rest, open_site, query_of, state_of } from '../web/page_actions.mjs';
import { until } from '../web/support.mjs';

const overload = 'model=llama-3.1-405b&device=h100-80-sxm';
const scenarios = [
  `${overload}&task=finetune`, `${overload}&task=pretrain`, `${overload}&task=finetune&recompute=full`, `${overload}&task=finetune&method=lora`,
  `${overload}&task=pretrain&batch=4`, `${overload}&task=finetune&optimizer=sgd`, `${overload}&task=pretrain&data_parallel=8&sharding=parameters`,
  `${overload}&task=pretrain&tensor_parallel=8`, `${overload}`, `${overload}&profile=vllm&batch=64`,
];

/** The longest of what the page's thread did at a stretch while `act` ran, in milliseconds of its own time. */
async function longest_task(page, act) {
  const client = await page.context().newCDPSession(page);
  const events = [];
  client.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  const complete = new Promise((resolve) => client.once('Tracing.tracingComplete', resolve));
  await client.send('Tracing.start', { traceConfig: { includedCategories: ['toplevel'] }, transferMode: 'ReportEvents' });
  await act();
  await client.send('Tracing.end');
  await complete;
  await client.detach();
  const threads = new Set(events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(({ pid, tid }) => `${pid} ${tid}`));
  const tasks = events.filter(({ name, pid, tid, tdur }) => name.endsWith('RunTask') && threads.has(`${pid} ${tid}`) && tdur > 0);
  assert.ok(tasks.length > 0, 'nothing was traced');
  return Math.max(...tasks.map(({ tdur }) => tdur)) / 1000;
}

async function press_row(page, name) {
  const { rects } = await until(() => state_of(page), (state) => state.rects[`field.${name}`], name);
  const [x, y, width, height] = rects[`field.${name}`];
  await page.mouse.click(x + width / 2, y + height / 2, { delay: 60 });
  await until(() => state_of(page), (state) => state.wantText, 'the row takes text');
}

const site = await open_site();
for (const query of scenarios) {
  const { page, faults, close } = await site.open(query);
  await at_rest(page);
  await press_row(page, 'context_tokens');
  await page.keyboard.press('Control+a');
  const longest = await longest_task(page, async () => {
    for (const digit of '12345') await page.keyboard.press(digit, { delay: 60 });
    await page.keyboard.press('Enter');
    const headline = () => page.evaluate(() => document.getElementById('headline').textContent);
    await until(async () => ({ query: query_of(page), headline: await headline(), drawn: await state_of(page) }),
      (now) => now.query.includes('context_tokens=12345') && now.headline === now.drawn.headline, 'answered', 60_000);
    await at_rest(page);
  });
  console.log(`${longest.toFixed(0).padStart(6)} ms  ${query}`);
  assert.deepEqual(faults, []);
  await close();
}
process.exit(0);
