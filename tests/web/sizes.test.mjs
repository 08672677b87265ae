// What the page loads, against tests/bench/budgets.mjs.

import assert from 'node:assert/strict';
import { join } from 'node:path';

import { sizes } from '../bench/budgets.mjs';
import { group_sizes, loaded_names } from '../bench/sizes.mjs';
import { open_site } from './page_actions.mjs';
import { must_exist, repository, site } from './support.mjs';
import { test } from './testing.mjs';

test('nothing weighs more than its limit', (context) => {
  must_exist(join(site, 'index.html'), 'assemble the site, as scripts/test does');
  const groups = group_sizes(site, join(repository, '.deps/fonts'));
  assert.deepEqual(groups.map(({ id }) => id), sizes.map(({ id }) => id));
  for (const { id, files, brotli } of groups) {
    const { what, limit } = sizes.find((one) => one.id === id);
    context.diagnostic(`${what}: ${brotli} of ${limit} bytes`);
    assert.ok(files.length > 0 && brotli > 0, id);
    const heaviest = [...files].sort((one, other) => other.brotli - one.brotli).slice(0, 3).map((file) => `${file.name} ${file.brotli}`);
    assert.ok(brotli <= limit, `${what}: ${brotli} bytes, ${limit} allowed (tests/bench/budgets.mjs). Heaviest: ${heaviest.join(', ')}`);
  }
});

test('the page asks for nothing that is not weighed', async () => {
  const { open } = await open_site();
  const weighed = loaded_names(site);
  const asked = new Set();
  const { page } = await open(undefined, { before: () => {}, is_untouched: true });
  page.on('request', (request) => asked.add(new URL(request.url()).pathname.replace('/some/sub-path/', '') || 'index.html'));
  await page.reload();
  await page.waitForFunction(() => document.documentElement.dataset.view === 'canvas');
  for (const part of ['', '-answers', '-drawing']) assert.ok(asked.has(`plimsoll-app${part}.wasm`), `plimsoll-app${part}.wasm is asked for`);
  assert.ok(!asked.has('plimsoll-core.wasm'), 'what is in it already is not loaded again');
  assert.ok(!asked.has('plimsoll-app-more.wasm'), 'what somebody who only looks does not need is not asked for');
  assert.ok(!asked.has('plimsoll-app-rest.wasm'), 'what other tabs need is not asked for before one is opened');
  assert.ok(!asked.has('plimsoll-app-files.wasm'), 'what reads files is not asked for before there is one');
  assert.deepEqual([...asked].filter((name) => !weighed.has(name)), []);
});
