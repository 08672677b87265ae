#!/usr/bin/env node
// One Markdown table of what is measured against the budgets. README.md says how to read it.
//
//   node tests/bench/report.mjs [--native PATH] [--wasm PATH] [--native-frame PATH] [--wasm-frame PATH] [--native-slices PATH] [--wasm-slices PATH]
//                              [--site FOLDER]
//
// or the same by the variables NATIVE_BENCH, WASM_BENCH, NATIVE_FRAME_BENCH, WASM_FRAME_BENCH, NATIVE_SLICES_BENCH, WASM_SLICES_BENCH and SITE.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { sizes, times } from './budgets.mjs';
import { group_sizes } from './sizes.mjs';

const repository = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

const { values: given } = parseArgs({
  options: Object.fromEntries(['native', 'wasm', 'native-frame', 'wasm-frame', 'native-slices', 'wasm-slices', 'site'].map((name) => [name, { type: 'string' }])),
});
const from = (option, variable, standard) => resolve(given[option] ?? process.env[variable] ?? resolve(repository, standard));
const paths = {
  native: from('native', 'NATIVE_BENCH', 'build/native-release/tests/bench/bench_estimate'),
  wasm: from('wasm', 'WASM_BENCH', 'build/wasm-release/tests/bench/bench_estimate.cjs'),
  native_frame: from('native-frame', 'NATIVE_FRAME_BENCH', 'build/native-release/tests/bench/bench_frame'),
  wasm_frame: from('wasm-frame', 'WASM_FRAME_BENCH', 'build/wasm-release/tests/bench/bench_frame.cjs'),
  native_slices: from('native-slices', 'NATIVE_SLICES_BENCH', 'build/native-release/tests/bench/bench_slices'),
  wasm_slices: from('wasm-slices', 'WASM_SLICES_BENCH', 'build/wasm-release/tests/bench/bench_slices.cjs'),
  site: from('site', 'SITE', 'build/site'),
};

/** The rows of one benchmark by id; null where it has not been built. */
function measure(path) {
  if (!existsSync(path)) {
    console.error(`${path} is missing: build the presets native-release and wasm-release`);
    return null;
  }
  const [program, ...options] = path.endsWith('.cjs') ? [process.execPath, path] : [path];
  const { rows } = JSON.parse(execFileSync(program, [...options, '--json'], { encoding: 'utf8' }));
  return new Map(rows.map((row) => [row.id, row]));
}

const time = (ns) => (ns >= 1e6 ? `${(ns / 1e6).toFixed(2)} ms` : ns >= 1e3 ? `${(ns / 1e3).toFixed(2)} µs` : `${ns.toFixed(0)} ns`);
const size = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;
const verdict = (value, most) => (value <= most ? 'within' : most > 0 ? `**over, ${(value / most).toFixed(1)}×**` : '**over**');

function* time_rows(native, wasm) {
  for (const [id, row] of native ?? wasm ?? []) {
    const here = native?.get(id);
    const there = wasm?.get(id);
    const ratio = here && there ? there.median_ns / here.median_ns : undefined;
    const allocations = [here, there].filter(Boolean).map((one) => one.allocations_per_call);
    const [what, scenario] = id.split('.'), most = times[`${what}_ns`]?.[scenario];
    const judged = [];
    if (most && here) judged.push(`${time(most)}: ${verdict(here.median_ns, most)}`);
    if (what === 'estimate' && most && ratio) judged.push(`${times.wasm_ratio}× native: ${verdict(ratio, times.wasm_ratio)}`);
    if (what === 'estimate') judged.push(`0 allocations: ${verdict(Math.max(...allocations), 0)}`);
    if (id.startsWith('frame.')) judged.push(`${time(times.frame_ns)}: ${verdict(Math.max(here?.median_ns ?? 0, there?.median_ns ?? 0), times.frame_ns)}`);
    yield [row.what, here ? time(here.median_ns) : '', there ? time(there.median_ns) : '',
      [ratio ? `${ratio.toFixed(2)}×` : '', `${allocations.join(' / ')} allocations`].filter(Boolean).join(', '), judged.join('; ')];
  }
}

/** Of each search the longest slice: a search goes on between frames. */
function* slice_rows(native, wasm) {
  for (const [id, row] of native ?? wasm ?? []) {
    const all = [native?.get(id), wasm?.get(id)], longest = Math.max(...all.map((one) => one?.slice_ns ?? 0));
    const [here, there] = all.map((one) => (one ? time(one.slice_ns) : ''));
    yield [`slice: ${row.what}`, here, there, `longest step ${all.filter(Boolean).map((one) => time(one.longest_ns)).join(' / ')}`, `${time(times.slice_ns)}: ${verdict(longest, times.slice_ns)}`];
  }
}

function* size_rows(groups) {
  for (const { id, files, raw, gzip, brotli } of groups) {
    const { what, goal, limit } = sizes.find((one) => one.id === id);
    yield [`**${what}**`, size(raw), size(brotli), `gzip ${size(gzip)}, ${files.length} files`, `${size(goal)}: ${verdict(brotli, goal)}; limit ${size(limit)}`];
    for (const file of files.filter(({ name }) => /wasm|ttf/.test(name) && id !== 'loaded')) yield [`\`${file.name}\``, size(file.raw), size(file.brotli), `gzip ${size(file.gzip)}`, ''];
  }
}

const groups = group_sizes(paths.site, resolve(repository, '.deps/fonts')) ?? [];
if (!groups.length) console.error(`${paths.site} is missing: assemble the site, as scripts/serve does`);
const line = (cells) => console.log(`| ${cells.join(' | ')} |`);
line(['what', 'native, or raw', 'WebAssembly, or brotli', 'notes', 'budget']);
line(['---', '---:', '---:', '---', '---']);
for (const row of time_rows(measure(paths.native), measure(paths.wasm))) line(row);
for (const row of time_rows(measure(paths.native_frame), measure(paths.wasm_frame))) line(row);
for (const row of slice_rows(measure(paths.native_slices), measure(paths.wasm_slices))) line(row);
for (const row of size_rows(groups)) line(row);
