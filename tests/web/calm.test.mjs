// The page never keeps anybody waiting: how long its thread works at a stretch while somebody types, and what it does while nobody does anything.
//
//   node --test tests/web/calm.test.mjs     the figures stand behind the names

import assert from 'node:assert/strict';

import { at_rest, open_site, query_of, state_of } from './page_actions.mjs';
import { until } from './support.mjs';
import { before, test } from './testing.mjs';

const most_ms = 50; // of the thread's own time: a machine that does much else takes longer by the clock

let site;
before(async () => { site = await open_site(); });

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

test('the longest stretch while a context is typed, ten scenarios of a model that is far too large', async (context) => {
  const seen = [];
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
    seen.push(`${longest.toFixed(0)} ms ${query}`);
    assert.deepEqual(faults, []);
    await close();
  }
  context.diagnostic(seen.join('\n'));
  const over = seen.filter((line) => Number.parseFloat(line) > most_ms);
  assert.deepEqual(over, []);
}, { limit_s: 400 });

test('at rest nothing is drawn and nothing is called', async (context) => {
  const { page } = await site.open('model=llama-3-8b&device=rtx4090', {
    before: () => {
      const real = globalThis.requestAnimationFrame.bind(globalThis);
      globalThis.callbacks = 0;
      globalThis.requestAnimationFrame = (call) => { ++globalThis.callbacks; return real(call); };
    },
  });
  await until(() => page.evaluate(() => Boolean(globalThis.plimsoll?.app)), Boolean, 'the drawing runs');
  await at_rest(page);
  await new Promise((wake) => setTimeout(wake, 2000)); // what was sought has been found
  const count = async () => ({ frames: (await state_of(page)).frames_drawn, callbacks: await page.evaluate(() => globalThis.callbacks) });
  const earlier = await count();
  await new Promise((wake) => setTimeout(wake, 10_000));
  const later = await count();
  context.diagnostic(`in 10 s ${later.frames - earlier.frames} frames, ${later.callbacks - earlier.callbacks} callbacks`);
  assert.deepEqual(later, earlier);
});

for (const slower of [1, 4, 8]) {
  test(`no key is lost that comes after a list opens, on a processor that is ${slower} × as slow`, async () => {
    for (const wait_ms of [0, 30, 100, 400]) {
      const { page, close } = await site.open('model=llama-3-8b&device=rtx4090');
      await at_rest(page);
      const client = await page.context().newCDPSession(page);
      await client.send('Emulation.setCPUThrottlingRate', { rate: slower });
      const { rects } = await state_of(page);
      const [x, y, width, height] = rects['field.device'];
      await page.mouse.click(x + width / 2, y + height / 2, { delay: 40 });
      await new Promise((wake) => setTimeout(wake, wait_ms));
      await page.keyboard.type('a6000');
      await page.keyboard.press('Enter');
      await until(() => query_of(page), (query) => query.includes('device=a6000'), `after ${wait_ms} ms`);
      await close();
    }
  }, { limit_s: 240 });
}
