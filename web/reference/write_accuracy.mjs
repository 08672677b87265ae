// Writes accuracy.html from what `plimsoll accuracy --by-file` printed.
//   node write_accuracy.mjs BUILD_FOLDER VERSION accuracy.json

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { accuracy_page } from './accuracy_page.mjs';

const [build, version, evidence] = process.argv.slice(2);
const { corpora, summaries } = JSON.parse(await readFile(evidence, 'utf8'));
// what is empty is not written
const empty = { group: '', reason: '', metric: '', memory: '', unit: '', measured_is_rounded: false, twin: '', set: '', assumed: [], scenario: '' };
for (const corpus of corpora) corpus.rows = corpus.rows.map((row) => ({ ...empty, ...row }));
await writeFile(join(build, 'accuracy.html'), accuracy_page({ corpora, summaries, version }));
