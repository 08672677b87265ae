// The golden scenarios, and the digests that stand for what the product answers to them (tests/golden/README.md).

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { repository } from './support.mjs';

const rows = (file) => readFileSync(join(repository, 'tests/golden', file), 'utf8').split('\n').filter((line) => line.trim() !== '').map((line) => line.split(/ +/));

/** {name, query} of each scenario. */
export const golden = rows('scenarios.txt').map(([name, query]) => ({ name, query }));

const expected = new Map(rows('expected/digests.txt').map(([name, bytes, digest]) => [name, `${bytes} bytes ${digest}`]));

/** FNV-1a of 64 bits, as tests/golden/digest.hpp computes it: its prime is 2^40 + 435. */
export function digest(bytes) {
  let high = 0xcbf29ce4, low = 0x84222325;
  for (const byte of bytes) {
    const mixed = (low ^ byte) >>> 0;
    const product = mixed * 435;
    high = (high * 435 + mixed * 256 + Math.floor(product / 2 ** 32)) % 2 ** 32;
    low = product % 2 ** 32;
  }
  return [high, low].map((half) => half.toString(16).padStart(8, '0')).join('');
}

/** That a text is byte for byte the golden answer to a scenario. */
export function assert_golden(name, text) {
  const bytes = new TextEncoder().encode(text);
  assert.equal(`${bytes.length} bytes ${digest(bytes)}`, expected.get(name), `${name}: what moved is seen natively, by tests/golden/test_golden`);
}
