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

const drawn = (page) => page.waitForFunction(() => globalThis.plimsoll?.app);
const pasted = (text) => async (page) => {
  await drawn(page);
  await page.evaluate((one) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', one);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
  await page.waitForSelector('.card');
};
const phone = { viewport: { width: 390, height: 844 } };

const looks = [
  ['nobody has asked for anything', '', {}, drawn],
  ['nobody has asked for anything, dark', '', { dark: true }, drawn],
  ['nobody has asked for anything, on a phone', '', phone, drawn],
  ['nobody has asked for anything, text alone', '', { before: no_webgl }, null],
  ['what a line leaves open', '', {}, pasted('QLoRA 70B on 2 × 48 GB')],
  ['what a line leaves open, dark', '', { dark: true }, pasted('QLoRA 70B on 2 × 48 GB')],
  ['what a line leaves open, on a phone', '', phone, pasted('QLoRA 70B on 2 × 48 GB')],
  ['a text that is nothing known', question, {}, pasted('lorem ipsum dolor')],
  ['a command that was read', question, {}, pasted('vllm serve Qwen/Qwen3-8B --max-model-len 16384 --no-such-option 4')],
  ...['timeline', 'time', 'plan', 'compare', 'sources', 'fields'].map((tab) => [`tab ${tab}`, `${question}#tab=${tab}`, {}, drawn]),
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
