// accuracy.html: every row of every corpus with its error or the reason why there is none; a plain page without a script.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { accuracy_page } from '../../web/reference/accuracy_page.mjs';
import { launch_browser, new_page, picture, repository, serve_site, site } from './support.mjs';
import { before, test } from './testing.mjs';

let server, browser, html;
before(async () => {
  server = await serve_site();
  browser = await launch_browser();
  html = readFileSync(join(site, 'accuracy.html'), 'utf8');
});

const row = {
  id: 'a', group: 'g', status: 'modelled', reason: '', metric: 'peak', memory: 'allocated', unit: 'bytes', predicted: 1100, measured: 1000,
  measured_is_rounded: false, error: 0.1, unexplained_error: 0.1, difference: -100, explained: 0, twin: '', set: '', assumed: [], scenario: '',
};
const spread = { median: 0.1, p90: 0.2, worst: null };
const summary = {
  by: 'metric', key: '', metric: 'peak', memory: 'allocated', unit: 'bytes', rows: 3, modelled: 2, compared: 2, exact: 0, inside: 1, configs: 2,
  per_row: spread, per_config: spread, worst_id: 'b', worst_error: -0.5,
};
const page_of = (rows) => accuracy_page({ corpora: [{ name: 'corpus', rows }], summaries: [summary], version: '1' });

test('the worst row stands first, and a row that is not covered with its reason', () => {
  const page = page_of([row, { ...row, id: 'b', error: -0.5, unexplained_error: -0.5 },
    { ...row, id: 'c', status: 'not_covered', reason: 'No <experts>.', predicted: null, error: null, unexplained_error: null, difference: null }]);
  assert.ok(page.indexOf('<th scope="row">b ') < page.indexOf('<th scope="row">a '));
  assert.ok(page.includes('-50.000%') && page.includes('+10.000%'));
  assert.ok(page.includes('No &lt;experts&gt;.'));
  assert.ok(page.includes('2 numbers predicted') && page.includes('1 number not covered'));
});

test('errors that have no number are written as infinite, and repetitions say so', () => {
  assert.ok(page_of([row]).includes('10.00%, 20.00%, ∞'));
  assert.ok(page_of([{ ...row, twin: 'other' }]).includes('Repeats other: not summed up.'));
});

test('something predicted where nothing was measured is the worst of all', () => {
  const page = page_of([row, { ...row, id: 'b', measured: 0, error: null, unexplained_error: null, difference: -1100 }]);
  assert.ok(page.indexOf('<th scope="row">b ') < page.indexOf('<th scope="row">a '));
});

test('every row of every corpus stands there', () => {
  const folder = join(repository, 'tests/corpus');
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    const content = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    const rows = Array.isArray(content) ? content : content.rows;
    assert.ok(rows.length > 0, file);
    for (const { id } of rows) assert.ok(html.includes(`<th scope="row">${id} `), `${file}: ${id}`);
  }
});

for (const [name, options] of [['on a phone', { viewport: { width: 390, height: 844 } }], ['on a desk', { viewport: { width: 1280, height: 800 } }]]) {
  test(`${name}, nothing is cut off`, async () => {
    const { page } = await new_page(browser, options);
    await page.goto(`${server.url}accuracy.html`);
    await page.evaluate(() => document.querySelectorAll('details').forEach((details) => { details.open = true; }));
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
    await picture(page, `accuracy-${name.split(' ').at(-1)}`);
  });
}
