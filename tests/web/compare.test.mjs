// Pinned questions beside the present one, as text; the result as a picture.

import assert from 'node:assert/strict';

import { PNG } from 'pngjs';

import { violations_on } from './axe.mjs';
import { bytes_of, open_site, open_text, query_of, question, state_of } from './page_actions.mjs';
import { picture, until } from './support.mjs';
import { before, test } from './testing.mjs';

let site, plimsoll;
before(async () => {
  site = await open_site();
  ({ plimsoll } = site);
});

const twice = question.replace('batch=4', 'batch=8');
const pin_of = (page) => new URLSearchParams(new URL(page.url()).hash.slice(1)).get('pin1');
const table_of = (page) => page.evaluate(() =>
  [...document.querySelectorAll('.compare tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent)));
const without_drawing = () => { HTMLCanvasElement.prototype.getContext = () => null; };

/** What compare() says, as the table shows it. */
function expected(queries) {
  const { rows } = plimsoll.compare(queries);
  return rows.map(({ label, cells }) => [label, ...cells.map((cell) =>
    (cell ? cell.text + [cell.difference, cell.share].filter((text) => text !== '').join(', ') : '–'))]);
}

test('compare() gives differences in the unit and in per cent', () => {
  const { ok, questions, rows } = plimsoll.compare([question, twice]);
  assert.equal(ok, true);
  assert.deepEqual(questions.map(({ query, differs }) => [query, differs]), [[question, ''], [twice, 'batch 8 sequences']]);
  const cache = rows.find(({ id }) => id === 'memory.kv_cache');
  assert.equal(cache.cells[1].amount, 2 * cache.cells[0].amount);
  assert.equal(cache.cells[1].share, '+100.0 %');
  assert.equal(plimsoll.compare([]).ok, false);
});

test('a question is pinned, changed and compared; the drawing shows the same pins, and so does the link', async () => {
  const { page, faults, close } = await site.open();
  await open_text(page);
  await page.click('[data-pin]');
  await until(() => pin_of(page), (pin) => pin === question, 'the pin is in the link');
  await page.fill('#field-batch', '8');
  await until(() => query_of(page), (query) => query === twice, 'the change');
  await until(() => table_of(page), (table) => table.find(([label]) => label === 'KV cache')?.at(-1).startsWith('8.00 GiB'), 'the table follows');
  assert.deepEqual(await table_of(page), expected([question, twice]));
  assert.deepEqual((await table_of(page)).find(([label]) => label === 'KV cache'), ['KV cache', '4.00 GiB', '8.00 GiB+4.00 GiB, +100.0 %']);
  await page.locator('.compare').scrollIntoViewIfNeeded();
  await picture(page, 'compare-text');
  assert.deepEqual(await violations_on(page), []);

  const link = page.url().slice(site.url.length);
  await page.click('[data-open="0"]');
  await until(() => query_of(page), (query) => query === question, 'the pinned question is asked again');
  await page.click('[data-remove="0"]');
  await until(() => pin_of(page), (pin) => pin === null, 'the pin has gone from the link');
  assert.deepEqual(await table_of(page), []);
  await close();

  const again = await site.open(link.slice(1));
  assert.deepEqual(await table_of(again.page), expected([question, twice]));
  await until(() => state_of(again.page), (state) => state.query === twice, 'the drawing has the question');
  assert.deepEqual([...faults, ...again.faults], []);
});

test('without the drawing, pins are compared all the same', async () => {
  const { page, faults } = await site.open(`${twice}#pin1=${encodeURIComponent(question)}&pin2=model%3Dno-such-model`, { before: without_drawing });
  const { questions } = plimsoll.compare([question, 'model=no-such-model', twice]);
  assert.equal(questions[1].ok, false);
  assert.deepEqual(await table_of(page), expected([question, 'model=no-such-model', twice]));
  assert.match(await page.innerText('.compare thead'), /This question has errors/);
  assert.deepEqual(faults, []);
});

test('the result is kept as a picture of the size of its drawing', async () => {
  const { page, faults } = await site.open();
  await open_text(page);
  const download = page.waitForEvent('download');
  await page.click('[data-format="png"]');
  const file = await download;
  assert.match(file.suggestedFilename(), /\.png$/);
  const { width, height, data } = PNG.sync.read(await bytes_of(file));
  const [, drawn_width, drawn_height] = plimsoll.result_file(question, 'svg').text.match(/<svg[^>]* width="(\d+)" height="(\d+)"/);
  assert.deepEqual([width, height], [2 * drawn_width, 2 * drawn_height]);
  const shades = new Set();
  for (let at = 0; at < data.length; at += 4) shades.add(data.readUInt32BE(at));
  assert.ok(shades.size > 40, `${shades.size} colours`);
  assert.deepEqual(faults, []);
});
