// The HTML against the rules of WCAG 2.1 A and AA that a program can check, in each look of the page.

import assert from 'node:assert/strict';

import { violations_on } from './axe.mjs';
import { launch_browser, new_page, open_page, serve_site } from './support.mjs';
import { before, test } from './testing.mjs';

let server, browser;

before(async () => {
  server = await serve_site();
  browser = await launch_browser();
});

const question = '?model=llama-3-8b&device=rtx4090&batch=4';
const no_webgl = () => { HTMLCanvasElement.prototype.getContext = () => null; };
const unfold = (page) => page.evaluate(() => {
  for (const details of document.querySelectorAll('details')) details.open = true;
});
const open_text = async (page) => {
  await page.click('#toggle-panel');
  await unfold(page);
};

const looks = [
  ['drawing', question, {}, null],
  ['drawing with the text beside it', question, {}, open_text],
  ['drawing with the text beside it, dark', question, { dark: true }, open_text],
  ['a list with search, open', question, {}, async (page) => {
    await open_text(page);
    await page.click('#field-model');
  }],
  ['markup to copy', question, {}, (page) => page.click('#embed')],
  ['text alone', question, { before: no_webgl }, unfold],
  ['text alone, dark', question, { before: no_webgl, dark: true }, unfold],
  ['text alone, on a phone', question, { before: no_webgl, viewport: { width: 390, height: 844 } }, unfold],
  ['a bad entry', '?batch=many&model=none&colour=red', { before: no_webgl }, unfold],
  ['does not fit', '?model=llama-3-70b&device=rtx4090', { before: no_webgl }, unfold],
];

for (const [name, query, options, prepare] of looks) {
  test(name, async () => {
    const { page } = await open_page(browser, `${server.url}${query}`, options);
    await prepare?.(page);
    assert.deepEqual(await violations_on(page), []);
  });
}

for (const file of ['fields.html', 'models.html', 'accuracy.html', 'method.html', 'embedding.html']) {
  for (const dark of [false, true]) {
    test(`${file}${dark ? ', dark' : ''}`, async () => {
      const { page } = await new_page(browser, { colorScheme: dark ? 'dark' : 'light' });
      await page.goto(`${server.url}${file}`);
      assert.deepEqual(await violations_on(page), []);
    });
  }
}
