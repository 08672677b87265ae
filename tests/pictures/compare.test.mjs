// Whether the comparison sees what a reader would see, and passes over what nobody would.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';

import { PNG } from 'pngjs';

import { compare, expected_folder, shrunk } from './compare.mjs';
import { desktop_states, page_states } from './states.mjs';
import { test } from '../web/testing.mjs';

/** A plain ground with a column of words, each a few strokes. */
function screen(width, height, { shade = 30, words = 20, moved = 0 } = {}) {
  const picture = new PNG({ width, height });
  picture.data.fill(shade);
  for (let word = 0; word < words; ++word) {
    for (let stroke = 0; stroke < 40; stroke += 4) {
      for (let y = 0; y < 12; ++y) picture.data.fill(220, ...pixel(width, 40 + stroke + (word === 3 ? moved : 0), 20 + word * 20 + y));
    }
  }
  for (let i = 3; i < picture.data.length; i += 4) picture.data[i] = 255;
  return picture;
}
const pixel = (width, x, y) => [(y * width + x) * 4, (y * width + x + 2) * 4];

test('a picture equals itself, and one whose shades are a little off', () => {
  const plain = shrunk(screen(780, 844), 2);
  assert.equal(compare(plain, plain).same, true);
  assert.equal(compare(plain, shrunk(screen(780, 844, { shade: 34 }), 2)).same, true);
});

test('a word that has moved or gone is seen even on the largest screen', () => {
  const plain = shrunk(screen(1440, 900), 2);
  for (const changed of [{ moved: 22 }, { words: 19 }]) {
    const { same, words, difference } = compare(plain, shrunk(screen(1440, 900, changed), 2));
    assert.equal(same, false, JSON.stringify(changed));
    assert.match(words, /pixels differ/);
    assert.ok(difference.data.some((value) => value > 0));
  }
});

test('another size is another picture', () => {
  const { same, words } = compare(screen(100, 500), screen(100, 501));
  assert.equal(same, false);
  assert.match(words, /100 × 501/);
});

test('every approved picture belongs to a state', () => {
  const names = [...page_states, ...desktop_states].map(({ name }) => `${name}.png`);
  assert.equal(new Set(names).size, names.length);
  assert.deepEqual(readdirSync(expected_folder).sort(), names.sort());
});
