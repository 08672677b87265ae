// The tasks of the page with the keyboard alone, by touch alone, and with nobody touching anything.

import assert from 'node:assert/strict';

import { with_clipboard } from './clipboard.mjs';
import { agrees, at_rest, headline, headline_of, open_site, query_of, question, state_of } from './page_actions.mjs';
import { new_page, picture, until } from './support.mjs';
import { before, test } from './testing.mjs';

let site, plimsoll, url;
before(async () => {
  site = await open_site();
  ({ plimsoll, url } = site);
});

const active = (page) => page.evaluate(() => document.activeElement.id || document.activeElement.textContent.trim().slice(0, 60));

/** Presses Tab until `is_there` accepts what has the focus; every stop on the way must be visible. */
async function tab_to(page, id, key = 'Tab') {
  for (let presses = 0; presses < 200; ++presses) {
    await page.keyboard.press(key);
    const here = await page.evaluate(() => {
      const element = document.activeElement;
      const box = element.getBoundingClientRect();
      const style = getComputedStyle(element);
      return { id: element.id, seen: box.width > 0 && box.height > 0, marked: style.outlineStyle !== 'none' || element.id === 'canvas' || element.type === 'file' };
    });
    if (here.id === '') continue;
    assert.ok(here.seen, `${here.id} has the focus and cannot be seen`);
    if (here.id === id) return assert.ok(here.marked, `${id} does not show that it has the focus`);
  }
  return assert.fail(`Tab does not lead to ${id}, but to ${await active(page)}`);
}

/** From the address bar into the text, as the skip link offers it. */
async function into_text(page) {
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await until(() => active(page), (id) => id === 'panel', 'the skip link');
  await page.keyboard.press('Tab'); // Close
  while (!(await page.evaluate(() => document.activeElement.localName === 'summary'))) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter'); // unfolds the question
}

test('by keyboard: another model, another number, back again, and the way to a formula', async () => {
  const { page, faults } = await site.open();
  await into_text(page);
  await tab_to(page, 'field-model');
  await page.keyboard.type('qwen2.5-7b');
  await page.keyboard.press('Enter');
  const first = plimsoll.search_models('qwen2.5-7b')[0];
  const changed = question.replace('llama-3-8b', first);
  await agrees(plimsoll, page, changed, 'after choosing a model');
  await tab_to(page, 'field-device');
  await page.keyboard.type('h100 sxm');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  const device = plimsoll.search('device', 'h100 sxm')[0];
  await agrees(plimsoll, page, changed.replace('rtx4090', device), 'after choosing a device');
  await tab_to(page, 'field-context_tokens');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('4096');
  await agrees(plimsoll, page, `${changed.replace('rtx4090', device)}&context_tokens=4096`, 'after typing a number');
  await tab_to(page, 'field-task', 'Shift+Tab');
  await page.keyboard.press('ArrowDown');
  await until(() => query_of(page), (query) => /task=(finetune|pretrain)/.test(query), 'the task');

  while (!(await page.evaluate(() => document.activeElement.matches('#result summary')))) await page.keyboard.press('Tab');
  const was_open = await page.evaluate(() => document.activeElement.parentElement.open);
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.parentElement.open), !was_open);
  assert.deepEqual(faults, []);
});

test('by keyboard: markup to copy', async () => {
  const { page, faults, close } = await site.open();
  await page.focus('#toggle-panel');
  await tab_to(page, 'embed');
  await page.keyboard.press('Enter');
  await until(() => page.evaluate(() => document.getElementById('embed-dialog').open), Boolean, 'the dialog');
  const element = await page.inputValue('#embed-element');
  const frame = await page.inputValue('#embed-frame');
  for (const [button, markup] of [['copy-embed-element', element], ['copy-embed-frame', frame]]) {
    await tab_to(page, button);
    await with_clipboard(page, async () => {
      await page.keyboard.press('Enter');
      await until(() => page.evaluate(() => navigator.clipboard.readText()), (text) => text === markup, 'the clipboard');
    });
  }
  await picture(page, 'markup-to-copy');
  await page.keyboard.press('Escape');
  assert.equal(await active(page), 'embed');
  assert.deepEqual(faults, []);
  await close();

  // what was copied, in a page that has nothing else
  const { page: other } = await new_page(site.browser);
  await other.route('**/other.html', (route) => route.fulfill({ contentType: 'text/html', body: `<!doctype html>${element}${frame}` }));
  await other.goto(`${url}other.html`);
  const words = headline(plimsoll, question);
  await until(() => other.evaluate(() => document.querySelector('plimsoll-estimate').shadowRoot?.querySelector('[part=headline]')?.textContent), (text) => text === words, 'the element');
  assert.equal(await other.frameLocator('iframe').locator('[part=headline]').textContent(), words);
  assert.equal(await other.locator('plimsoll-estimate').evaluate((one) => one.shadowRoot.querySelector('a').href), `${url}?${plimsoll.estimate(question).query}`);
});

test('markup to copy of a question that has markup in it is text', async () => {
  const nasty = `${question}&config=%22%3E%3Cscript%3Ealert(1)%3C/script%3E`;
  const { page } = await site.open(nasty);
  await page.click('#embed');
  for (const id of ['embed-element', 'embed-frame']) {
    const parsed = await page.evaluate((text) => {
      const made = new DOMParser().parseFromString(text, 'text/html');
      return { scripts: [...made.scripts].map((script) => script.getAttribute('src')), config: made.querySelector('plimsoll-estimate')?.getAttribute('config') };
    }, await page.inputValue(`#${id}`));
    assert.deepEqual(parsed.scripts, id === 'embed-element' ? [`${url}plimsoll-element.mjs`] : []);
    if (id === 'embed-element' && parsed.config !== null) assert.equal(parsed.config, '"><script>alert(1)</script>');
  }
});

test('by touch: another device, another number, the dialog', async () => {
  const { page, faults } = await site.open(question, { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true });
  await page.tap('#toggle-panel');
  await page.tap('#question > summary');
  await page.tap('#field-device');
  await page.tap('#field-device-list [data-name="h100-80-sxm"]');
  await agrees(plimsoll, page, question.replace('rtx4090', 'h100-80-sxm'), 'after choosing a device');
  await page.tap('#field-batch');
  await page.fill('#field-batch', '9');
  await agrees(plimsoll, page, question.replace('rtx4090', 'h100-80-sxm').replace('batch=4', 'batch=9'), 'after typing a number');
  await page.tap('#close-panel');
  await page.tap('#embed');
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
  assert.equal(await page.isVisible('#copy-embed-frame'), true);
  await picture(page, 'phone-markup-to-copy');
  assert.deepEqual(faults, []);
});

test('ten idle seconds: no frame is drawn, the layer of widgets stays as it is, nothing is asked', async () => {
  const { page, faults, requests } = await site.open();
  await page.locator('#widgets').getByRole('tab').first().waitFor({ state: 'attached' });
  await at_rest(page);
  await page.evaluate(() => {
    globalThis.changes = 0;
    new MutationObserver((records) => { globalThis.changes += records.length; })
      .observe(document.getElementById('widgets'), { subtree: true, childList: true, attributes: true, characterData: true });
  });
  requests.length = 0;
  const before = (await state_of(page)).frames_drawn;
  await page.waitForTimeout(10_000);
  assert.equal((await state_of(page)).frames_drawn, before);
  assert.equal(await page.evaluate(() => globalThis.changes), 0);
  assert.deepEqual(requests, []);
  assert.equal(await headline_of(page), headline(plimsoll, question));
  assert.deepEqual(faults, []);
});
