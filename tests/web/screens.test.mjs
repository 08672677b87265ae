// The page on every kind of screen: small, sharp, read by keyboard, without WebGL, without scripts, on paper.

import assert from 'node:assert/strict';

import { headline, headline_of, open_site, query_of, question, state_of } from './page_actions.mjs';
import { new_page, picture, until } from './support.mjs';
import { before, test } from './testing.mjs';

let site, browser, plimsoll, url;
before(async () => {
  site = await open_site();
  ({ browser, plimsoll, url } = site);
});

test('a phone: no sideways scrolling, drawing and text', async () => {
  const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true };
  const { page, faults } = await site.open(question, phone);
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  assert.equal(await wide(), false);
  await picture(page, 'phone');
  await page.tap('#toggle-panel');
  await page.tap('#question > summary');
  assert.equal(await wide(), false);
  await picture(page, 'phone-with-text');
  assert.deepEqual(faults, []);
});

test('a sharp screen: the canvas has a pixel for each of its pixels', async () => {
  const { page } = await site.open(question, { deviceScaleFactor: 2 });
  assert.equal((await state_of(page)).scale, 2);
  assert.equal(await page.evaluate(() => document.getElementById('canvas').width), 2880);
});

test('opening the text makes room for it beside the drawing', async () => {
  const { page } = await site.open();
  await page.click('#toggle-panel');
  await until(() => state_of(page), (state) => state.displayW === 1000, 'the drawing is narrower');
  await page.keyboard.press('Escape');
  await until(() => state_of(page), (state) => state.displayW === 1440, 'the drawing has the width back');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'toggle-panel');
});

test('by keyboard: the skip link opens the text', async () => {
  const { page } = await site.open();
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'skip');
  await page.keyboard.press('Enter');
  assert.equal(await page.getAttribute('html', 'data-panel'), 'open');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'panel');
});

test('by keyboard: the drawing lets go', async () => {
  const { page } = await site.open();
  const active = () => page.evaluate(() => document.activeElement.id);
  await page.focus('#canvas');
  await page.keyboard.press('Tab', { delay: 40 });
  assert.equal(await active(), 'canvas', 'Tab moves inside the drawing');
  await page.keyboard.press('Escape', { delay: 40 });
  await until(active, (id) => id !== 'canvas', 'Escape leaves it');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.getElementById('panel').contains(document.activeElement)), true);
  assert.equal(await page.getAttribute('html', 'data-panel'), 'open');
});

const no_webgl = () => { HTMLCanvasElement.prototype.getContext = () => null; };
for (const [name, options, picture_name] of [
  ['without WebGL 2, the text is the page', {}, 'no-webgl'],
  ['and in the dark', { dark: true }, 'no-webgl-dark'],
  ['and on a phone', { viewport: { width: 390, height: 844 } }, 'no-webgl-phone'],
]) {
  test(name, async () => {
    const { page, faults } = await site.open(question, { before: no_webgl, ...options });
    assert.match(await page.innerText('#no-drawing'), /WebGL 2/);
    assert.equal(await headline_of(page), headline(plimsoll, question));
    await page.fill('#field-batch', '2');
    const expected = headline(plimsoll, question.replace('batch=4', 'batch=2'));
    await until(() => headline_of(page), (text) => text === expected, 'the headline');
    await until(() => query_of(page), (query) => query.includes('batch=2'), 'the address');
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
    await picture(page, picture_name, { fullPage: true });
    assert.deepEqual(faults, []);
  });
}

for (const [name, part] of [['the module that draws', 'plimsoll-app.wasm'], ['what answers', 'plimsoll-app-answers.wasm'], ['what draws', 'plimsoll-app-drawing.wasm']]) {
  test(`when ${name} cannot be loaded, the text is the page`, async () => {
    const { page } = await new_page(browser);
    await page.route(`**/${part}`, (route) => route.abort());
    await page.goto(`${url}?${question}`);
    await page.waitForFunction(() => document.documentElement.dataset.view === 'text');
    assert.equal(await headline_of(page), headline(plimsoll, question));
    await page.fill('#field-batch', '2');
    await until(() => headline_of(page), (text) => text === headline(plimsoll, question.replace('batch=4', 'batch=2')), 'the headline');
  });
}

test('when nothing can be loaded, the page says so', async () => {
  const { page } = await new_page(browser);
  for (const name of ['app', 'core']) await page.route(`**/plimsoll-${name}.wasm`, (route) => route.abort());
  await page.goto(url);
  await page.waitForFunction(() => document.documentElement.dataset.view === 'failed');
  assert.match(await page.innerText('#loading'), /could not be loaded/);
  await picture(page, 'not-loaded');
});

test('the answer stands there before the drawing does', async () => {
  const { page } = await new_page(browser, { viewport: { width: 1440, height: 900 } });
  let release;
  await page.route('**/plimsoll-app-drawing.wasm', (route) => { release = () => route.continue(); });
  await page.goto(`${url}?${question}`);
  const is_shown = (text) => document.getElementById('loading-answer').textContent === text;
  await page.waitForFunction(is_shown, headline(plimsoll, question));
  assert.equal(await page.evaluate(() => document.documentElement.dataset.view), 'loading');
  await until(() => page.innerText('#progress-text'), (text) => /drawing/.test(text), 'what is still loaded');
  await picture(page, 'loading');
  release();
  await page.waitForFunction(() => document.documentElement.dataset.view === 'canvas');
});

test('in a worker, the module gives the same bytes', async () => {
  const { page } = await site.open();
  const script = `import { load } from './plimsoll.mjs';
    const plimsoll = await load();
    postMessage(plimsoll.explain_text('${question}'));`;
  await page.route('**/worker.mjs', (route) => route.fulfill({ contentType: 'text/javascript', body: script }));
  const text = await page.evaluate(() => new Promise((resolve, reject) => {
    const worker = new Worker('worker.mjs', { type: 'module' });
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
  }));
  assert.equal(text, plimsoll.explain_text(question));
});

test('without scripts, the page says what it needs', async () => {
  const { page } = await new_page(browser, { javaScriptEnabled: false });
  await page.goto(url);
  assert.match(await page.innerText('main noscript'), /JavaScript and WebAssembly/);
});

test('on paper, everything is unfolded', async () => {
  const { page } = await site.open();
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.evaluate(() => document.querySelectorAll('#result details:not([open])').length), 0);
  assert.equal(await page.isVisible('#canvas'), false);
  assert.equal(await page.isVisible('#headline'), true);
  await picture(page, 'print', { fullPage: true });
});
