// What reads the configs of models comes with the first question that describes a model, or changes one.

import assert from 'node:assert/strict';

import { at_rest, notice_of, open_site, open_text, query_of, state_of } from './page_actions.mjs';
import { picture, until } from './support.mjs';
import { before, test } from './testing.mjs';

let site;
before(async () => {
  site = await open_site();
});

const readers = '**/plimsoll-app-files.wasm';
const usual = '?model=llama-3.1-8b&device=h100-80-sxm&task=inference';

/** The page at `link`, with the requests for what reads configs. */
async function open(link, prepare = () => {}) {
  const opened = await site.open('', { serviceWorkers: 'block', viewport: { width: 1440, height: 900 } }); // which would fetch all files to keep them
  const asked = [];
  opened.page.on('request', (request) => new URL(request.url()).pathname.endsWith('/plimsoll-app-files.wasm') && asked.push(request.url()));
  await prepare(opened.page);
  await opened.page.goto(`${site.url}${link}`);
  await opened.page.waitForFunction(() => document.documentElement.dataset.view === 'canvas');
  await at_rest(opened.page);
  await opened.page.evaluate(() => globalThis.plimsoll.more.load()); // as with the first sign of a reader
  return { ...opened, asked };
}

const config = JSON.stringify({ model_type: 'llama', hidden_size: 1024, num_hidden_layers: 4, num_attention_heads: 8, intermediate_size: 4096, vocab_size: 32000 });

test('links to models that are described, or changed, bring it; others do not', async () => {
  for (const [link, count] of [[usual, 0], [`${usual}&layers=16`, 1], [`?model=custom&config=${encodeURIComponent(config)}&device=l4-24`, 1]]) {
    const { page, faults, asked } = await open(link);
    const state = await state_of(page);
    assert.equal(state.ok, true, link);
    assert.equal(asked.length, count, link);
    assert.equal(state.headline, await page.evaluate((query) => {
      const { verdict, rest } = globalThis.plimsoll.explain(query).headline;
      return `${verdict} ${rest}`;
    }, state.query), link);
    assert.deepEqual(faults, []);
  }
});

test('a fact that is changed in the drawing, in the form and in a pinned question brings it once', async () => {
  const { page, faults, asked } = await open(usual);
  await page.evaluate((query) => globalThis.plimsoll.app.set_query(query), `${usual.slice(1)}&layers=16`);
  await until(() => state_of(page), ({ query }) => query.includes('layers=16'), 'the changed question');
  await until(() => query_of(page), (query) => query.includes('layers=16'), 'its address');
  assert.equal(asked.length, 1);
  await page.evaluate(() => globalThis.plimsoll.app.set_view('tab=compare&pin1=model%3Dllama-3-8b%26layers%3D8'));
  await until(() => state_of(page), ({ tab, seeking }) => tab === 'compare' && !seeking, 'the comparison');
  await page.evaluate((query) => globalThis.plimsoll.app.set_query(query), `${usual.slice(1)}&layers=8`);
  assert.match(await page.evaluate(() => globalThis.plimsoll.app.query()), /layers=8/); // at once: it is there
  assert.equal(asked.length, 1);
  assert.deepEqual(faults, []);
});

test('a fact that is typed into the form brings it, too', async () => {
  const { page, faults, asked } = await open(usual);
  await open_text(page);
  await page.evaluate(() => document.querySelectorAll('#question details').forEach((one) => { one.open = true; }));
  await page.fill('#field-layers', '16');
  await page.press('#field-layers', 'Enter');
  await until(() => state_of(page), ({ query, ok }) => ok && query.includes('layers=16'), 'the changed question');
  assert.equal(await page.inputValue('#field-layers'), '16');
  assert.equal(asked.length, 1);
  assert.deepEqual(faults, []);
});

test('where it cannot be loaded the question says so, keeps what was typed and asks again', async () => {
  const { page, asked } = await open(usual, (one) => one.route(readers, (route) => route.abort()));
  await page.evaluate((query) => globalThis.plimsoll.app.set_query(query), `${usual.slice(1)}&layers=16`);
  await until(() => state_of(page), ({ ok, issues }) => !ok && issues > 0, 'the issue');
  await at_rest(page);
  await picture(page, 'readers-not-loaded');
  await page.unroute(readers);
  await page.evaluate((query) => globalThis.plimsoll.app.set_query(query), `${usual.slice(1)}&layers=16&batch=2`);
  const state = await until(() => state_of(page), ({ ok }) => ok, 'the answer');
  assert.match(state.query, /layers=16/);
  assert.equal(asked.length, 2);
});

test('without a drawing a changed model waits for it, too', async () => {
  const { page } = await site.open(`${usual.slice(1)}&layers=16`, { serviceWorkers: 'block', before: () => { HTMLCanvasElement.prototype.getContext = () => null; } });
  await until(() => page.evaluate(() => document.getElementById('headline').textContent), (text) => /GiB|GB/.test(text), 'the answer');
  assert.equal(await notice_of(page), '');
});
