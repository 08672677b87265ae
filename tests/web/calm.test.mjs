// Nothing runs while nobody does anything, and no key is lost. How long the page's thread works at a stretch is measured, not tested:
// tests/bench/typing.mjs.

import assert from 'node:assert/strict';

import { at_rest, open_site, query_of, state_of } from './page_actions.mjs';
import { until } from './support.mjs';
import { before, test } from './testing.mjs';

let site;
before(async () => { site = await open_site(); });

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
