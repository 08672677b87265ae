// Search: what begins with the letters comes first, and the module finds what the command line finds.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';

import { cli, load_core } from './support.mjs';
import { before, test } from './testing.mjs';

let plimsoll;
before(async () => { plimsoll = await load_core(); });

test('the beginning of a name finds that name first', () => {
  assert.match(plimsoll.search_models('qwen3-c')[0], /^qwen3-coder/);
  assert.equal(plimsoll.search_models('meta-llama/Meta-Llama-3-8B')[0], 'llama-3-8b');
  assert.equal(plimsoll.search('device', 'rtx 4090')[0], 'rtx4090');
});

test('every id, name and alias finds its row first', () => {
  for (const model of plimsoll.catalog().models) {
    for (const text of [model.id, model.name, ...model.aliases]) assert.equal(plimsoll.search_models(text)[0], model.id, text);
  }
});

test('an empty search finds all, an unknown field nothing, and any text is survived', () => {
  assert.ok(plimsoll.search_models('').length >= plimsoll.catalog().models.length);
  assert.deepEqual(plimsoll.search('batch', '4'), []);
  for (const text of [undefined, null, 7, {}, '\ud800', '\0', 'x'.repeat(1e6)]) assert.ok(Array.isArray(plimsoll.search_models(text)));
});

test('the command line finds the same, in the same order', () => {
  for (const text of ['qwen3-c', 'llama', '8b instruct', 'mixtral']) {
    const printed = execFileSync(cli, ['catalog', 'models', '--search', text], { encoding: 'utf8' });
    const ids = printed.split('\n').slice(1).map((line) => line.split(' ')[0]).filter(Boolean);
    assert.deepEqual(ids, plimsoll.search_models(text).filter((id) => id !== 'custom'));
  }
});
