// What the page knows of the reader, in this browser alone: the card that draws, how memory is written, what was asked before.

import assert from 'node:assert/strict';

import { card_named } from '../../public/page/this_card.mjs';
import { headline_of, open_site, query_of, question, state_of } from './page_actions.mjs';
import { new_page, until } from './support.mjs';
import { before, test } from './testing.mjs';

let site, devices;
before(async () => {
  site = await open_site();
  devices = site.plimsoll.catalog().devices.map(({ id, name }) => ({ id, label: name }));
});

/** A browser that says this of what draws. Strings of Chromium on Windows, Linux, macOS, and of Firefox. */
const with_renderer = (text) => ({
  before_argument: text,
  before: (renderer) => {
    const UNMASKED_RENDERER_WEBGL = 0x9246;
    const own = WebGL2RenderingContext.prototype.getParameter;
    WebGL2RenderingContext.prototype.getParameter = function getParameter(name) { return name === UNMASKED_RENDERER_WEBGL ? renderer : own.call(this, name); };
  },
});

test('one card is meant, or none', () => {
  for (const [said, card] of [
    ['NVIDIA GeForce RTX 3090', 'GeForce RTX 3090 24GB'],
    ['NVIDIA GeForce RTX 3090 Ti', devices.find(({ label }) => /RTX 3090 Ti/.test(label))?.label ?? ''],
    ['NVIDIA GeForce RTX 4090 Laptop GPU', devices.find(({ label }) => /RTX 4090 Laptop/.test(label))?.label ?? ''],
    ['AMD Radeon RX 7900 XTX', 'Radeon RX 7900 XTX 24GB'],
    ['Apple M1 Max', ''], // of several sizes
    ['Intel(R) UHD Graphics 630', ''],
    ['', ''],
  ]) assert.equal(card_named(said, devices), card, said);
});

for (const [renderer, card] of [
  ['ANGLE (NVIDIA, NVIDIA GeForce RTX 3090 (0x00002204) Direct3D11 vs_5_0 ps_5_0, D3D11)', 'GeForce RTX 3090 24GB'],
  ['ANGLE (NVIDIA Corporation, NVIDIA GeForce RTX 4080/PCIe/SSE2, OpenGL 4.5.0)', ''],
  ['NVIDIA GeForce GTX 980, or similar', ''],
  ['ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero) (0x0000C0DE)), SwiftShader driver)', ''],
]) {
  test(`the first door knows the card of ${renderer.slice(0, 44)}`, async () => {
    const { page, faults } = await site.open('', with_renderer(renderer));
    const line = await page.locator('.door em').first().textContent();
    const expected = card || (/4080/.test(renderer) ? devices.find(({ label }) => /^GeForce RTX 4080 \d+GB/.test(label)).label : 'RTX 4090');
    assert.equal(line, `Qwen3 32B on ${expected}, 32k`);
    assert.deepEqual(faults, []);
  });
}

test('memory is written in GB in page and drawing, once for all, and after a reload', async () => {
  const { page, faults } = await site.open(question);
  assert.match(await headline_of(page), /GiB/);
  const { rects } = await until(() => state_of(page), (state) => state.rects['button.units'], 'the choice in the drawing');
  const [x, y, width, height] = rects['button.units'];
  await page.mouse.click(x + width / 2, y + height / 2);
  await until(() => headline_of(page), (text) => / GB /.test(text) && !text.includes('GiB'), 'the text follows');
  assert.match((await state_of(page)).headline, / GB /);
  assert.equal(query_of(page), site.plimsoll.estimate(question).query, 'the link says nothing of it');
  await page.reload();
  await until(() => page.evaluate(() => Boolean(globalThis.plimsoll?.app)), Boolean, 'the drawing runs');
  assert.match(await headline_of(page), / GB /);
  await page.click('#toggle-panel');
  await page.click('#units');
  await until(() => headline_of(page), (text) => text.includes('GiB'), 'and back');
  await until(() => state_of(page), (state) => state.headline.includes('GiB'), 'in the drawing, too');
  assert.deepEqual(faults, []);
});

test('what was asked before is asked again with one press', async () => {
  const { page } = await site.open(question);
  await until(() => page.evaluate(() => Boolean(globalThis.plimsoll?.app)), Boolean, 'the drawing runs');
  await page.goto(site.url);
  const again = page.getByRole('button', { name: 'Llama 3 8B, GeForce RTX 4090 24GB' });
  await again.click();
  await until(() => query_of(page), (query) => query === site.plimsoll.estimate(question).query, 'the question');
});

/** A page whose estimator does not come before it is told to. */
async function open_slowly(query) {
  const { page } = await new_page(site.browser);
  let release;
  const held = new Promise((resolve) => { release = resolve; });
  await page.route('**/plimsoll-app.wasm', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${site.url}${query && `?${query}`}`, { waitUntil: 'commit' });
  return { page, release };
}

test('who has just come sees doors and an example before the estimator is there, and what is asked meanwhile is answered', async () => {
  const { page, release } = await open_slowly('');
  const { headline } = site.plimsoll.explain('model=llama-3-8b');
  await until(() => page.evaluate(() => document.getElementById('loading-answer').textContent), (text) => text === `${headline.verdict} ${headline.rest}`, 'the example');
  assert.match(await page.textContent('#loading-detail'), /^An example: Llama 3 8B, /);
  await page.keyboard.type('gpt-oss-20b on RTX 4080'); // the line has the keyboard
  await page.keyboard.press('Enter');
  release();
  await until(() => query_of(page), (query) => query.startsWith('model=gpt-oss-20b&device=rtx4080'), 'the question');
});

test('a question in the address is not answered with the example', async () => {
  const { page, release } = await open_slowly(question);
  await until(() => page.evaluate(() => document.getElementById('loading-step').hidden), (hidden) => hidden === false, 'the page runs');
  assert.equal(await page.textContent('#loading-answer'), '');
  assert.equal(await page.locator('.door').count(), 0);
  release();
  await until(() => headline_of(page), (text) => /GiB/.test(text), 'the answer');
});

test('a storage that holds anything is no fault', async () => {
  const { page, faults } = await site.open('', { before: () => localStorage.setItem('plimsoll-recent', '{"a":[1]}') });
  assert.equal(await page.getByText('Asked before').count(), 0);
  assert.deepEqual(faults, []);
});
