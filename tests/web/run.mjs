// Runs the page tests and prints a table of their files.
//
//   node tests/web/run.mjs            all
//   node tests/web/run.mjs NAME...    those whose path has one of the names in it
//
// All files share one server, one Chromium and one Firefox (runner/shared.mjs) and run two at a time: a browser waits as often as it works.
// Fails where any test fails, is skipped or is still to be done, and where a file does not end in time. A single file runs without this,
// too: node --test tests/web/page.test.mjs.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { close_file } from './endings.mjs';
import { end_files, run_file } from './runner/file.mjs';
import { environment_of, needs_firefox } from './runner/shared.mjs';
import { keep_failures, say_result, say_table } from './runner/table.mjs';
import { repository } from './support.mjs';

const at_once = 2;
const limit_s = 900; // of a file, on a machine that does much else

// The longest first, so that none is left over at the end.
const longest = ['web/tasks', 'pictures/page', 'web/widgets'];

const names = process.argv.slice(2);
const files = ['tests/web', 'tests/pictures']
  .flatMap((folder) => readdirSync(join(repository, folder)).map((name) => join(folder, name)))
  .filter((path) => path.endsWith('.test.mjs') && (names.length === 0 || names.some((name) => path.includes(name))));
const rank = (path) => {
  const place = longest.findIndex((name) => path.includes(name));
  return place < 0 ? longest.length : place;
};
files.sort((one, other) => rank(one) - rank(other));

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, async () => {
    waiting.length = 0;
    console.log(`\nEnded by ${signal} in ${end_files().join(', ')}`);
    await close_file();
    process.exit(1);
  });
}

const start = performance.now();
const results = [];
const waiting = [...files];
const busy = new Set();

/** Takes one file after the other until none is left that can run now. */
async function work() {
  for (;;) {
    const next = waiting.findIndex((path) => !(needs_firefox(path) && [...busy].some(needs_firefox)));
    if (next < 0) return;
    const [path] = waiting.splice(next, 1);
    busy.add(path);
    const result = await result_of(path);
    busy.delete(path);
    results.push(result);
    say_result(result);
  }
}

async function result_of(path) {
  try {
    return await run_file(path, await environment_of(path), limit_s);
  } catch (failure) { // what files share did not start
    return { path, tests: 0, failures: [{ name: path, words: failure.stack }], seconds: 0, output: '' };
  }
}

await Promise.all(Array.from({ length: at_once }, work));
const faults = await close_file();

console.log('');
say_table(results, (performance.now() - start) / 1000);
keep_failures(results, join(repository, 'build', 'page-tests-failed'));
for (const fault of faults) console.log(fault.message);
if (files.length === 0) console.log(`No file has one of these names: ${names.join(', ')}`);
process.exit(files.length === 0 || faults.length > 0 || results.some(({ failures }) => failures.length > 0) ? 1 : 0);
