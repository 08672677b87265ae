// The accessibility layer over the drawing: the real widgets, found by role and name, pressed and filled in without the mouse.

import assert from 'node:assert/strict';

import { violations_on } from './axe.mjs';
import { with_clipboard } from './clipboard.mjs';
import { llama_config } from './llama_config.mjs';
import { agrees, open_site, query_of, question, state_of } from './page_actions.mjs';
import { picture, until } from './support.mjs';
import { before, test } from './testing.mjs';

let site, plimsoll, label;
before(async () => {
  site = await open_site();
  ({ plimsoll } = site);
  const labels = new Map(plimsoll.fields().map((field) => [field.name, field.label]));
  label = (name) => labels.get(name);
});

const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };
const layer_of = (page) => page.locator('#widgets');
const tab = (page, name) => layer_of(page).getByRole('tab', { name, exact: true });
const field = (page, name, role = 'textbox') => layer_of(page).getByRole(role, { name: label(name), exact: true });

/** What a screen reader does when it presses: no pointer, no place. */
const press = (locator) => locator.evaluate((element) => element.click());

async function with_page(what, query = question, options = {}) {
  const { page, faults } = await site.open(query, options);
  await layer_of(page).getByRole('tab').first().waitFor({ state: 'attached' });
  await what(page);
  assert.deepEqual(faults, []);
}

test('every element has a role and a name, and stands where its widget is drawn', () => with_page(async (page) => {
  const widgets = await layer_of(page).locator('.widget').evaluateAll((elements) => elements.map((element) => ({
    role: element.getAttribute('role') ?? element.localName, name: element.getAttribute('aria-label'),
  })));
  assert.ok(widgets.length > 40, `${widgets.length} widgets`);
  assert.deepEqual(widgets.filter(({ name }) => !name), []);
  for (const [locator, rect] of [[tab(page, 'Timeline'), 'tab.timeline'], [field(page, 'batch'), 'field.batch']]) {
    const both = async () => ({ seen: await locator.boundingBox(), drawn: (await state_of(page)).rects[rect] }); // what is found later may move them between
    await until(both, ({ seen, drawn: [x, y, width, height] }) => [[seen.x, x], [seen.y, y], [seen.width, width], [seen.height, height]]
      .every(([there, here]) => Math.abs(there - here) <= 1), rect);
  }
}));

test('the tabs are pressed, by a screen reader and by a pointer', () => with_page(async (page) => {
  for (const name of ['Timeline', 'Time and cost', 'Plan', 'Compare', 'Sources', 'Fields', 'Breakdown']) {
    if (name.length % 2) await press(tab(page, name));
    else await tab(page, name).click();
    await until(() => tab(page, name).getAttribute('aria-selected'), (selected) => selected === 'true', name);
    assert.equal(await layer_of(page).locator('[role=tab][aria-selected=true]').count(), 1);
  }
}));

test('a field is filled in: address, text and numbers follow', () => with_page(async (page) => {
  await field(page, 'batch').fill('16');
  await agrees(plimsoll, page, question.replace('batch=4', 'batch=16'), 'after filling in');
  await field(page, 'context_tokens').fill('4096');
  await agrees(plimsoll, page, `${question.replace('batch=4', 'batch=16')}&context_tokens=4096`, 'after the second');
  assert.equal(await field(page, 'batch').inputValue(), '16');
  const weights = plimsoll.explain(query_of(page)).explanation.memory.parts.find(({ id }) => id === 'memory.kv_cache');
  await until(() => layer_of(page).getByRole('treeitem', { name: weights.exact }).count(), (count) => count === 1, 'its bytes in words');
  await field(page, 'batch').fill('many');
  await until(() => field(page, 'batch').getAttribute('aria-invalid'), (invalid) => invalid === 'true', 'a bad entry is marked');
  await press(layer_of(page).getByRole('button', { name: `Reset ${label('batch')}` }));
  await agrees(plimsoll, page, 'model=llama-3-8b&device=rtx4090&context_tokens=4096', 'after the reset');
}));

test('a device is chosen from its list: opened, searched, taken', () => with_page(async (page) => {
  await press(field(page, 'device', 'combobox'));
  await layer_of(page).getByRole('option').first().waitFor({ state: 'attached' });
  assert.equal(await field(page, 'device', 'combobox').getAttribute('aria-expanded'), 'true');
  await layer_of(page).getByRole('textbox', { name: 'Search' }).fill('h100 sxm');
  await layer_of(page).getByRole('textbox', { name: 'Search' }).press('Enter');
  const device = plimsoll.search('device', 'h100 sxm')[0];
  await agrees(plimsoll, page, question.replace('rtx4090', device), 'after choosing');
  assert.equal(await layer_of(page).getByRole('option').count(), 0);
}));

test('a formula opens from the bar, from the table, and its citation is a link', () => with_page(async (page) => {
  await press(layer_of(page).getByRole('group', { name: 'The bar' }).getByRole('button', { name: /^KV cache/ }));
  await until(() => state_of(page), ({ selected }) => selected === 'memory.kv_cache', 'the card');
  await press(layer_of(page).getByRole('treeitem', { name: /^Weights/ }));
  await until(() => state_of(page), ({ selected }) => selected === 'memory.weights', 'the card');
  assert.equal(await layer_of(page).getByRole('treeitem', { name: /^Weights/ }).getAttribute('aria-expanded'), 'true');
  await press(layer_of(page).getByRole('treeitem', { name: /^MLP/ }).first());
  await layer_of(page).getByRole('link', { name: 'open source' }).waitFor({ state: 'attached' });
}));

test('pinned, changed, compared, exported', () => with_page(async (page) => {
  await press(tab(page, 'Compare'));
  await press(layer_of(page).getByRole('button', { name: 'Pin this question' }));
  await field(page, 'batch').fill('9');
  await until(() => new URL(page.url()).hash, (hash) => hash.includes('pin'), 'the pin is in the link');
  await press(layer_of(page).getByRole('button', { name: 'Export' }));
  const download = page.waitForEvent('download');
  await press(layer_of(page).getByRole('menuitem', { name: /CSV/ }));
  assert.match((await download).suggestedFilename(), /\.csv$/);
  await with_clipboard(page, async () => {
    await press(layer_of(page).getByRole('button', { name: 'Copy link' }));
    await until(() => page.evaluate(() => navigator.clipboard.readText()), (text) => text === page.url(), 'the clipboard');
  });
}));

test('behind a dialog nothing is offered; its buttons are', () => with_page(async (page) => {
  await press(layer_of(page).getByRole('link', { name: 'read a model file' }));
  await layer_of(page).getByRole('button', { name: 'Import' }).waitFor({ state: 'attached' });
  assert.equal(await layer_of(page).getByRole('tab').count(), 0);
  await press(layer_of(page).getByRole('button', { name: 'Cancel' }));
  await layer_of(page).getByRole('tab').first().waitFor({ state: 'attached' });
}));

test('what is typed into the dialog is read, once what reads it can be loaded', async () => {
  const { page } = await site.open(question);
  let is_connected = false;
  const asked = [];
  await page.route('**/plimsoll-app-files.wasm', (route) => {
    asked.push(is_connected);
    return is_connected ? route.continue() : route.abort();
  });
  const import_text = async () => {
    await layer_of(page).getByRole('textbox', { name: /config\.json/ }).fill(llama_config);
    await press(layer_of(page).getByRole('button', { name: 'Import' }));
  };
  await press(layer_of(page).getByRole('link', { name: 'read a model file' }));
  await import_text();
  await until(() => asked.length, (times) => times === 1, 'the part that reads is asked for');
  is_connected = true;
  await import_text();
  await layer_of(page).getByRole('button', { name: 'Done' }).waitFor({ state: 'attached' });
  assert.deepEqual(asked, [false, true]);
  assert.match(new URL(page.url()).search, /model=custom/);
});

test('what is scrolled away comes into sight when it is pressed', () => with_page(async (page) => {
  const order = layer_of(page).getByRole('button', { name: 'largest first' });
  assert.ok((await order.boundingBox()).y > 844);
  await order.click();
  await layer_of(page).getByRole('button', { name: 'in order' }).waitFor({ state: 'attached' });
  assert.equal(await page.evaluate(() => document.getElementById('host').scrollTop), 0, 'the canvas stays where it is');
}, question, { viewport: { width: 390, height: 844 } }));

test('the keyboard in the drawing is followed: the focused widget is the active descendant', () => with_page(async (page) => {
  await page.focus('#canvas');
  const active = () => page.evaluate(() => document.getElementById(document.getElementById('canvas').getAttribute('aria-activedescendant') ?? '')?.getAttribute('aria-label'));
  const seen = new Set();
  for (let i = 0; i < 12; ++i) {
    await page.keyboard.press('Tab', { delay: 30 });
    seen.add(await active());
  }
  seen.delete(undefined);
  assert.ok(seen.size > 6, `${[...seen]}`);
  assert.equal(await page.evaluate(() => document.activeElement.id === 'canvas' || document.activeElement.localName === 'textarea'), true);
}));

test('a mouse over the layer is a mouse over the drawing', () => with_page(async (page) => {
  const { rects } = await state_of(page);
  const [x, y, width, height] = rects['segment.memory.weights'];
  await page.mouse.move(x + width / 2, y + height / 2);
  await until(() => state_of(page), ({ hovered }) => hovered === 'memory.weights', 'hovering');
  await page.mouse.wheel(0, 0);
  await page.mouse.move(700, 5);
  await until(() => state_of(page), ({ hovered }) => hovered === '', 'no longer');
  const focused = await page.evaluate(() => document.activeElement.classList.contains('widget'));
  assert.equal(focused, false, 'the mouse gives no element of the layer the focus');
}));

test('by touch: a tab, a tap on a field opens the keyboard, two fingers zoom', () => with_page(async (page) => {
  const client = await page.context().newCDPSession(page);
  const touch = (type, ...points) => client.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  await touch('touchStart', [195, 500]);
  for (const y of [480, 440, 380, 320, 260]) await touch('touchMove', [195, y]);
  await page.waitForTimeout(120);
  await touch('touchMove', [195, 259]);
  await touch('touchEnd');
  await until(() => state_of(page), ({ rects }) => rects.hull[1] < 0 || rects.headline[1] < 40, 'a finger scrolls');
  await field(page, 'batch').tap();
  await until(() => page.evaluate(() => document.activeElement.localName), (name) => name === 'textarea', 'a field for the soft keyboard');
  assert.equal(await page.evaluate(() => document.activeElement.inputMode), 'numeric');
  await page.keyboard.insertText('7'); // what an input method does: no key
  await agrees(plimsoll, page, question.replace('batch=4', 'batch=7'), 'after typing');
  const place = await page.evaluate(() => document.activeElement.getBoundingClientRect().top);
  assert.ok(place > 60, `the field stands at ${place}, where the caret is`);
  await tab(page, 'Timeline').tap();
  await until(() => state_of(page), (state) => state.tab === 'timeline', 'the tab');
  await touch('touchStart', [120, 400], [270, 400]);
  await touch('touchMove', [80, 400], [310, 400]);
  await touch('touchMove', [60, 400], [330, 400]);
  await touch('touchEnd');
  const { zoom, displayW } = await until(() => state_of(page), (state) => state.zoom > 1.2, 'larger');
  assert.ok(Math.abs(displayW * zoom - 390) < 1);
  await picture(page, 'phone-zoomed');
  await tab(page, 'Breakdown').tap();
  await until(() => state_of(page), (state) => state.tab === 'breakdown', 'taps still meet what they touch');
}, question, phone));

test('composed text arrives once', () => with_page(async (page) => {
  await page.focus('#canvas');
  await press(field(page, 'model', 'combobox'));
  await until(() => state_of(page), ({ wantText }) => wantText, 'the search takes text');
  const client = await page.context().newCDPSession(page);
  for (const text of ['q', 'qw', 'qwen']) await client.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  await client.send('Input.insertText', { text: 'qwen3' });
  await until(() => layer_of(page).getByRole('textbox', { name: 'Search' }).inputValue(), (value) => value === 'qwen3', 'what was composed');
}));

for (const [name, query, options] of [['light', question, {}], ['dark', question, { dark: true }], ['a phone', question, phone],
  ['ranks', 'model=llama-3-8b&device=h100-80-sxm&task=pretrain&tensor_parallel=2&pipeline_parallel=4', {}]]) {
  test(`axe-core finds nothing on any tab: ${name}`, () => with_page(async (page) => {
    for (const one of ['Timeline', 'Time and cost', 'Plan', 'Compare', 'Sources', 'Fields', 'Breakdown']) {
      await press(tab(page, one));
      await until(() => tab(page, one).getAttribute('aria-selected'), (selected) => selected === 'true', one);
      assert.deepEqual(await violations_on(page), [], one);
    }
    await press(field(page, 'device', 'combobox'));
    await layer_of(page).getByRole('option').first().waitFor({ state: 'attached' });
    assert.deepEqual(await violations_on(page), [], 'a list');
  }, query, options));
}
