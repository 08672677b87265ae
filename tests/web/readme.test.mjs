// The README's JavaScript runs, and prints what its comment says.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { load_core, repository, site } from './support.mjs';
import { at_end, test } from './testing.mjs';

test('the example of the README', () => {
  const readme = readFileSync(join(repository, 'README.md'), 'utf8');
  const [, code] = readme.match(/```js\n(.*?)```/s);
  const [, promised] = code.match(/console\.log\(.*\); \/\/ (.*)/);
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-'));
  at_end(() => rmSync(folder, { recursive: true }));
  const program = join(folder, 'example.mjs');
  writeFileSync(program, code.replace('./plimsoll.mjs', pathToFileURL(join(site, 'plimsoll.mjs')).href));
  assert.equal(execFileSync(process.execPath, [program], { encoding: 'utf8' }).trim(), promised);
});

test('the citation names the version', async () => {
  const [, version] = readFileSync(join(repository, 'CITATION.cff'), 'utf8').match(/^version: (.*)$/m);
  assert.equal(version, (await load_core()).version);
});
