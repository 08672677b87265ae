// The tab with what was measured: its rows come when it is opened, not before, and from the site alone.

import assert from 'node:assert/strict';

import { open_site, state_of } from './page_actions.mjs';
import { picture, until } from './support.mjs';
import { before, test } from './testing.mjs';

let site;
before(async () => {
  site = await open_site();
});

const is_rows = (request) => new URL(request.url()).pathname.endsWith('/accuracy.json');

/** The page at `link`, with the requests for rows that it makes. */
async function open(link, options) {
  const opened = await site.open('', { serviceWorkers: 'block', ...options }); // which would fetch all files to keep them
  const asked = [];
  opened.page.on('request', (request) => is_rows(request) && asked.push(request.url()));
  await opened.page.goto(`${site.url}${link}`);
  await opened.page.waitForFunction(() => document.documentElement.dataset.view === 'canvas');
  return { ...opened, asked };
}

test('the rows come with the tab and are chosen by the link', async () => {
  const { page, faults, asked } = await open('?model=llama-3-8b#tab=accuracy');
  const all = await until(() => state_of(page), (state) => state.evidence_rows > 1000, 'rows of bytes');
  assert.equal(asked.length, 1);
  await picture(page, 'accuracy-tab');
  await page.evaluate(() => globalThis.plimsoll.app.set_view('tab=accuracy&find=llama'));
  await until(() => state_of(page), (state) => state.evidence_rows > 0 && state.evidence_rows < all.evidence_rows, 'fewer rows');
  assert.equal(asked.length, 1);
  assert.deepEqual(faults, []);
});

test('nobody who does not look at them fetches the rows', async () => {
  const { page, asked } = await open('?model=llama-3-8b#tab=timeline');
  await until(() => state_of(page), (state) => state.tab === 'timeline', 'another tab');
  assert.deepEqual(asked, []);
});
