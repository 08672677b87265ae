// Cuts a linked WebAssembly module into parts, so that the part which a page needs first arrives first:
//
//   node split.mjs --wasm IN --symbols IN.symbols --map IN.map --tools FOLDER --largest-to-move SIZE --first OUT
//     --later OUT=PATTERNS [--later OUT=PATTERNS...]
//     [--second OUT=QUESTIONS --script IN.mjs --names OUT.mjs] [--seldom OUT=NAMES --heard PATTERNS]
//
// A file of patterns has a regular expression on each line ('#' begins a comment), for names of functions. What matches is *late*: it
// and all that nothing else calls goes into a later part, which is made of all files of patterns that name it. Everything that is called
// from elsewhere stays in the earlier one, whose direct calls therefore never lead into a later one; a call through a pointer to a late
// function traps until that part is there. So do constants: what only late functions read comes with them. Memory and tables are of the
// first part, and all work on the same ones.
//
// With --second, the first part is cut once more: it keeps what runs for the headline of a file's questions, and all else goes to the second.
// Calls from one to the other may lead both ways, so a question unlike those traps while the first is alone. What it takes to ask without the
// module's own script, the names of some exports, is written as a module by itself.
//
// With --seldom, what the file NAMES has goes from the second part and the first --later one to a part of its own, which stands behind them and traps
// likewise: functions that hardly anybody needs who only looks (usage.mjs). IN.names.json then tells the names of the functions that were to choose from.
// What --heard names stays where it is, with what it calls (reached_from).
//
// The call graph and the cut itself are Binaryen's (wasm-opt --print-call-graph, wasm-split).

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { imported_functions, read_data, with_data } from './binary.mjs';
import { tools_in } from './binaryen.mjs';
import { assign_data, cut_at, packed, read_addresses, read_map } from './data.mjs';
import { assign_parts, cut_first, reached_from, read_call_graph, read_names, read_patterns } from './parts.mjs';
import { functions_run, read_names_of_exports, read_questions } from './profile.mjs';
import { read_table, with_own_places } from './table.mjs';
import { read_seldom } from './usage.mjs';

const { values: given } = parseArgs({ options: {
  wasm: { type: 'string' }, symbols: { type: 'string' }, map: { type: 'string' }, tools: { type: 'string' }, 'largest-to-move': { type: 'string' }, first: { type: 'string' },
  later: { type: 'string', multiple: true },
  second: { type: 'string' }, script: { type: 'string' }, names: { type: 'string' }, seldom: { type: 'string' }, heard: { type: 'string' },
} });

const tool = tools_in(given.tools);
const whole = readFileSync(given.wasm);
const names = read_names(readFileSync(given.symbols, 'utf8'), imported_functions(whole));
const graph = read_call_graph(tool('wasm-opt', given.wasm, '--print-call-graph', '-o', '/dev/null'));

const later = new Map(); // a part's file: its patterns
for (const option of given.later) {
  const [out, path] = option.split('=');
  later.set(out, [...(later.get(out) ?? []), ...read_patterns(readFileSync(path, 'utf8'), path)]);
}
const { parts, unused } = assign_parts(graph, names, [...later.values()]);
if (unused.length) throw new Error(`No function is named ${unused.map(({ source, from }) => `${source} (${from})`).join(', ')}: the pattern can go`);

const folder = mkdtempSync(join(tmpdir(), 'parts-'));
process.on('exit', () => rmSync(folder, { recursive: true }));
const outs = [given.first, ...later.keys()];
if (given.second) {
  const [out, path] = given.second.split('=');
  const called = read_names_of_exports(readFileSync(given.script, 'utf8'));
  const run = await functions_run({ wasm: given.wasm, names: called, questions: read_questions(readFileSync(path, 'utf8')), tool, folder });
  writeFileSync(given.names, `export const names = ${JSON.stringify(called)};\n`);
  parts.splice(0, 1, ...cut_first(parts[0], run));
  outs.splice(1, 0, out);
}
let apart = -1;
if (given.seldom) {
  const [out, path] = given.seldom.split('=');
  const is_seldom = read_seldom(readFileSync(path, 'utf8'));
  const heard = reached_from(graph, names, read_patterns(readFileSync(given.heard, 'utf8'), given.heard));
  const end = given.second ? 3 : 2, seldom = [];
  writeFileSync(`${given.wasm}.names.json`, JSON.stringify(parts.slice(1, end).flat().map(names)));
  for (let i = 1; i < end; i++) {
    const [late, early] = cut_first(parts[i], parts[i].filter((id) => is_seldom(names(id)) && !heard.has(id)));
    parts[i] = early;
    seldom.push(...late);
  }
  parts.splice(end, 0, seldom);
  apart = end - 1; // what is seldom needed is, where nothing is drawn yet, too
  outs.splice(end, 0, out);
}

const segments = cut_at(read_data(whole), read_map(readFileSync(given.map, 'utf8')));
const range = [segments[0].start, segments.at(-1).start + segments.at(-1).bytes.length];
const data = assign_data(segments, parts, read_addresses(tool('wasm-dis', given.wasm), range), { apart });

const here = (name) => join(folder, name);
const part_name = (i) => `part${i}`;
writeFileSync(here('whole.wasm'), with_data(whole, packed(data[0])));
writeFileSync(here('manifest'), parts.slice(1).map((ids, i) => `${part_name(i + 1)}\n${ids.join('\n')}\n`).join('\n'));
tool('wasm-split', '--multi-split', here('whole.wasm'), `--manifest=${here('manifest')}`, `--out-prefix=${folder}/`, '-o', here(`${part_name(0)}.wasm`));
const paths = outs.map((_, i) => here(`${part_name(i)}.wasm`));
const at_place = read_table(whole);
const { first, later: others } = with_own_places({
  first: readFileSync(paths[0]), later: paths.slice(1).map((path) => readFileSync(path)),
  stays: (place) => /\bemscripten::internal::/.test(names(at_place(place)) ?? ''), // Embind's script takes such from the table at once, and keeps them
});
[first, ...others].forEach((part, i) => writeFileSync(paths[i], part));
outs.forEach((out, i) => {
  const part = here(`${part_name(i)}.wasm`);
  // The link leaves equal functions apart (cmake/SplitModule.cmake): of two that are one, the name would be either one's. With fewer functions around
  // them the others get smaller, too; constants stay as they were packed, which compresses better.
  tool('wasm-opt', part, '-Oz', `--one-caller-inline-max-function-size=${given['largest-to-move']}`, '--skip-pass=memory-packing', '--duplicate-function-elimination', '--reorder-functions', '-o', part);
  const module = readFileSync(part);
  writeFileSync(out, i === 0 ? module : with_data(module, packed(data[i], 8, 0)));
});
