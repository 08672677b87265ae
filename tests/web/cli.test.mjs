// The module prints the very bytes of the command line: one core, whichever machine runs it.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { before, test } from 'node:test';

import { queries } from './scenarios.mjs';
import { cli, load_core, must_exist } from './support.mjs';

let plimsoll;
before(async () => {
  must_exist(cli, 'build the preset native-release, or set CLI');
  plimsoll = await load_core();
});

/** A failing scenario is printed too, with an exit status that says so. */
function printed(...words) {
  try {
    return execFileSync(cli, words.filter(Boolean), { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch (failure) {
    return failure.stdout;
  }
}

/** As assert.equal, but shows where the texts part: they are longer than anybody reads. */
function same(actual, expected) {
  if (actual === expected) return;
  let at = 0;
  while (actual[at] === expected[at]) ++at;
  const near = (text) => JSON.stringify(text.slice(Math.max(0, at - 60), at + 60));
  assert.fail(`they differ at character ${at}:\nmodule  ${near(actual)}\nprogram ${near(expected)}`);
}

for (const query of queries) {
  test(`estimate and explain agree on "${query}"`, () => {
    same(`${plimsoll.estimate_text(query)}\n`, printed('estimate', '--json', query));
    same(`${plimsoll.explain_text(query)}\n`, printed('explain', '--json', query));
  });
}

test('version', () => {
  assert.match(printed('--version'), new RegExp(`\\b${plimsoll.version.replaceAll('.', '\\.')}\\b`));
});
