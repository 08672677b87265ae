// Writes accuracy.html, and accuracy.json for the app's tab, from the files of rows in some folders, with the module that the build has just made.
//   node write_accuracy.mjs BUILD_FOLDER VERSION FOLDER...
// A folder of models is one corpus, as is each file of tests/corpus.

import { readFile, readdir, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { accuracy_page } from './accuracy_page.mjs';

const [build, version, ...folders] = process.argv.slice(2);
const { default: create } = await import(pathToFileURL(resolve(build, 'plimsoll-accuracy.mjs')));
const { Report } = await create();
const report = new Report();

const corpora = [];
for (const folder of folders) {
  const of_models = basename(folder) === 'models';
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.json')).sort()) {
    const rows = report.add(await readFile(join(folder, file), 'utf8'));
    if (rows === '') throw new Error(`${join(folder, file)} holds no rows`);
    if (of_models && corpora.at(-1)?.name === 'models') corpora.at(-1).rows.push(...JSON.parse(rows));
    else corpora.push({ name: of_models ? 'models' : basename(file, '.json'), rows: JSON.parse(rows) });
  }
}
const says_nothing = (value) => value === '' || value === false || (Array.isArray(value) && value.length === 0);
await writeFile(join(build, 'accuracy.json'), JSON.stringify({ corpora }, (key, value) => (says_nothing(value) && key !== 'rows' ? undefined : value)));
await writeFile(join(build, 'accuracy.html'), accuracy_page({ corpora, summaries: JSON.parse(report.summaries()), version }));
report.delete();
