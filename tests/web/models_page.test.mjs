// models.html: every model of the catalogue, its counts and why they differ; a plain table that a script makes searchable.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { compared } from '../../web/reference/models_page.mjs';
import { launch_browser, load_core, new_page, open_page, picture, serve_site, site, until } from './support.mjs';
import { before, test } from './testing.mjs';

let plimsoll, models, server, browser, html;
before(async () => {
  plimsoll = await load_core();
  ({ models } = plimsoll.catalog());
  server = await serve_site();
  browser = await launch_browser();
  html = readFileSync(join(site, 'models.html'), 'utf8');
});

const digits = new Intl.NumberFormat('en');

async function open(options = {}) {
  const opened = await new_page(browser, { viewport: { width: 1440, height: 900 }, ...options });
  await opened.page.goto(`${server.url}models.html`);
  return opened;
}

test('every model stands there with its counts', () => {
  for (const model of models) {
    const row = html.slice(html.indexOf(`<tr id="${model.id}"`)).split('</tr>')[0];
    assert.ok(row.includes(digits.format(model.parameters)) && row.includes(digits.format(model.published_parameters)), model.id);
    for (const { parameters } of model.differences) assert.ok(row.includes(digits.format(Math.abs(parameters))), model.id);
  }
  assert.equal(html.match(/<tr id=/g).length, models.length);
});

test('the sentence above the table counts what is in the table', () => {
  const text = html.replaceAll('\n', ' ');
  assert.ok(text.includes(`<p>${digits.format(models.length)} models are built in`));
  for (const [kind, words] of [['exact', 'exactly'], ['explained', 'named with their size'], ['rounded', 'only a rounded']]) {
    const count = models.filter((model) => compared(model).kind === kind).length;
    assert.match(text, new RegExp(`\\b${count} [^.,]*${words}`), kind);
  }
});

test('a comparison says exact, explained, rounded, or open', () => {
  const row = { parameters: 10, published_parameters: 10, published_is_exact: true, differences: [] };
  assert.equal(compared(row).kind, 'exact');
  assert.equal(compared({ ...row, published_is_exact: false }).kind, 'rounded');
  const more = { ...row, published_parameters: 13, differences: [{ what: 'x', parameters: 3 }] };
  assert.deepEqual(compared(more), { kind: 'explained', difference: 3, unexplained: 0 });
  assert.deepEqual(compared({ ...more, published_parameters: 14 }), { kind: 'open', difference: 4, unexplained: 1 });
});

test('without scripts, it is a table with links', async () => {
  const { page } = await open({ javaScriptEnabled: false });
  assert.equal(await page.locator('#models tbody tr').count(), models.length);
  assert.equal(await page.locator('#models thead button, #models-search').count(), 0);
});

test('with scripts, it is searched and sorted', async () => {
  const { page, faults } = await open();
  await page.fill('#models-search', 'qwen3 coder');
  const shown = () => page.locator('#models tbody tr:not([hidden])').evaluateAll((rows) => rows.map((row) => row.id));
  assert.ok((await shown()).includes('qwen3-coder-480b-a35b'));
  assert.ok(!(await shown()).includes('llama-3-8b'));
  await page.fill('#models-search', '');
  await page.click('#models thead button:text("Counted")');
  const counts = await page.locator('#models tbody td:nth-of-type(1)').evaluateAll((cells) => cells.map((cell) => Number(cell.dataset.amount)));
  assert.deepEqual(counts, [...counts].sort((a, b) => b - a));
  assert.equal(await page.getAttribute('#models thead th:nth-child(2)', 'aria-sort'), 'descending');
  await picture(page, 'models');
  assert.deepEqual(faults, []);
});

for (const [name, options] of [['on a phone', { viewport: { width: 390, height: 844 } }], ['in the dark', { colorScheme: 'dark' }]]) {
  test(`${name}, nothing is cut off`, async () => {
    const { page, faults } = await open(options);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
    await picture(page, `models-${name.split(' ').at(-1)}`);
    assert.deepEqual(faults, []);
  });
}

test('a model leads to its estimate', async () => {
  const { page } = await open();
  await page.click('#qwen3-8b th a');
  await page.waitForFunction(() => document.documentElement.dataset.view !== 'loading');
  await until(() => new URL(page.url()).search, (search) => search.includes('model=qwen3-8b'), 'the address');
});

test('the page and the fields lead here', async () => {
  const { page } = await open_page(browser, server.url);
  assert.ok(await page.locator('a[href="models.html"]').count() > 0);
  assert.ok(readFileSync(join(site, 'fields.html'), 'utf8').includes('href="models.html"'));
});
