// What the runner prints of its results, {path, tests, failures, seconds, output}.

import { rmSync, writeFileSync } from 'node:fs';

const indented = (text, by) => text.trimEnd().replace(/^/gm, ' '.repeat(by));

/** A line when a file has ended; where it failed, also what failed and all that it printed. */
export function say_result({ path, tests, failures, seconds, output }) {
  console.log(`${failures.length > 0 ? 'FAILED' : 'passed'}  ${path}  ${tests} tests  ${seconds.toFixed(1)} s`);
  if (failures.length === 0) return;
  for (const { name, words } of failures) console.log(`\n  ${name}\n${indented(words, 4)}`);
  if (output.trim()) console.log(`\n  it printed:\n${indented(output, 4)}`);
  console.log('');
}

/** All files, the slowest first, and their sum; the seconds of that are those of the whole run. */
export function say_table(results, seconds) {
  const sum = (count) => results.reduce((total, result) => total + count(result), 0);
  const slowest_first = [...results].sort((one, other) => other.seconds - one.seconds);
  say_row('file', 'tests', 'failed', 'seconds');
  for (const one of slowest_first) say_row(one.path, one.tests, one.failures.length, one.seconds.toFixed(1));
  say_row(`${results.length} files`, sum(({ tests }) => tests), sum(({ failures }) => failures.length), seconds.toFixed(1));
}

/** Leaves the names of what failed, a line each, for who says it at the end of a longer run; no file where nothing did. */
export function keep_failures(results, path) {
  const names = results.flatMap(({ path: file, failures }) => failures.map(({ name }) => `${file}: ${name}`));
  rmSync(path, { force: true });
  if (names.length > 0) writeFileSync(path, `${names.join('\n')}\n`);
}

function say_row(name, ...numbers) {
  console.log([name.padEnd(40), ...numbers.map((number) => String(number).padStart(8))].join(''));
}
