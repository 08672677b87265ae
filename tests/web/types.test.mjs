// The types of the package, under the ways in which projects resolve modules.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { must_exist, repository, site } from './support.mjs';
import { at_end, before, test } from './testing.mjs';

const tsc = join(repository, 'node_modules/typescript/bin/tsc');
let folder, manifest;

before(async () => {
  must_exist(tsc, 'scripts/setup test installs it');
  must_exist(join(site, 'plimsoll-fields.d.ts'), 'build the preset wasm-release and assemble the site, as scripts/test does');
  folder = await mkdtemp(join(tmpdir(), 'plimsoll-types-'));
  at_end(() => rm(folder, { recursive: true, force: true }));
  const installed = join(folder, 'node_modules/plimsoll');
  await mkdir(installed, { recursive: true });
  manifest = JSON.parse(await readFile(join(repository, 'web/package.json.in'), 'utf8'));
  for (const name of manifest.files.filter((file) => file.endsWith('.d.ts'))) await copyFile(join(site, name), join(installed, name));
  await writeFile(join(installed, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'package.json'), '{"type": "module"}');
  await copyFile(join(repository, 'tests/web/types.test.ts'), join(folder, 'use.ts'));
});

for (const [module, resolution] of [['nodenext', 'nodenext'], ['esnext', 'bundler']]) {
  test(`types hold with ${resolution} resolution`, async () => {
    const options = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom',
      '--module', module, '--moduleResolution', resolution];
    try {
      await promisify(execFile)(process.execPath, [tsc, ...options, 'use.ts'], { cwd: folder });
    } catch (failure) {
      assert.fail(failure.stdout || failure.message);
    }
  });
}

test('every module that the package lists is built', () => {
  const modules = manifest.files.filter((name) => name.startsWith('plimsoll'));
  assert.ok(modules.length >= 4);
  for (const name of modules) must_exist(join(site, name), 'the package lists it');
});
