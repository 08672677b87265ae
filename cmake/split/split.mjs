// Cuts a linked WebAssembly module into parts, so that the part which a page needs first arrives first:
//
//   node split.mjs --wasm IN --symbols IN.symbols --map IN.map --tools FOLDER --first OUT --later OUT=PATTERNS [--later OUT=PATTERNS...]
//     [--second OUT=QUESTIONS --script IN.mjs --names OUT.mjs]
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
// The call graph and the cut itself are Binaryen's (wasm-opt --print-call-graph, wasm-split).

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { read_data, with_data } from './binary.mjs';
import { assign_data, cut_at, packed, read_addresses, read_map } from './data.mjs';
import { assign_parts, cut_first, read_call_graph, read_names, read_patterns } from './parts.mjs';
import { functions_run, read_names_of_exports, read_questions } from './profile.mjs';

const { values: given } = parseArgs({ options: {
  wasm: { type: 'string' }, symbols: { type: 'string' }, map: { type: 'string' }, tools: { type: 'string' }, first: { type: 'string' }, later: { type: 'string', multiple: true },
  second: { type: 'string' }, script: { type: 'string' }, names: { type: 'string' },
} });

const all_output = { encoding: 'utf8', maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'pipe'] };
// What browsers had before they had exceptions in WebAssembly, which the modules use. A second table needs reference types.
const features = ['mutable-globals', 'sign-ext', 'bulk-memory', 'nontrapping-float-to-int', 'multivalue', 'reference-types', 'exception-handling']
  .map((name) => `--enable-${name}`);
const tool = (name, ...options) => execFileSync(join(given.tools, name), ['--mvp-features', ...features, ...options], all_output);

const whole = readFileSync(given.wasm);
const imports = WebAssembly.Module.imports(new WebAssembly.Module(whole)).filter(({ kind }) => kind === 'function').length;
const names = read_names(readFileSync(given.symbols, 'utf8'), imports);
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

const segments = cut_at(read_data(whole), read_map(readFileSync(given.map, 'utf8')));
const range = [segments[0].start, segments.at(-1).start + segments.at(-1).bytes.length];
const data = assign_data(segments, parts, read_addresses(tool('wasm-dis', given.wasm), range));

const here = (name) => join(folder, name);
const part_name = (i) => `part${i}`;
writeFileSync(here('whole.wasm'), with_data(whole, packed(data[0])));
writeFileSync(here('manifest'), parts.slice(1).map((ids, i) => `${part_name(i + 1)}\n${ids.join('\n')}\n`).join('\n'));
tool('wasm-split', '--multi-split', here('whole.wasm'), `--manifest=${here('manifest')}`, `--out-prefix=${folder}/`, '-o', here(`${part_name(0)}.wasm`));
outs.forEach((out, i) => {
  const part = here(`${part_name(i)}.wasm`);
  // The link leaves equal functions apart (cmake/SplitModule.cmake): of two that are one, the name would be either one's. With fewer functions around
  // them the others get smaller, too; constants stay as they were packed, which compresses better.
  tool('wasm-opt', part, '-Oz', '--skip-pass=memory-packing', '--duplicate-function-elimination', '--reorder-functions', '-o', part);
  const module = readFileSync(part);
  writeFileSync(out, i === 0 ? module : with_data(module, packed(data[i], 8, 0)));
});
