// Cuts a linked WebAssembly module in two, so that the part which a page needs first arrives first:
//
//   node split.mjs --wasm IN --symbols IN.symbols --tools FOLDER --first OUT --rest OUT --late PATTERNS [--late PATTERNS...]
//
// A file of patterns has a regular expression on each line ('#' begins a comment), for names of functions. What matches is *late*: it
// and all that nothing else calls goes into the second part. Everything that is called from elsewhere stays in the first, whose direct
// calls therefore never lead into the second; a call through a pointer to a late function traps until the second part is there. Memory,
// tables and data are of the first part, and both work on the same ones.
//
// The call graph and the cut itself are Binaryen's (wasm-opt --print-call-graph, wasm-split).

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { keep_first, read_call_graph, read_names, read_patterns } from './parts.mjs';

const { values: given } = parseArgs({ options: {
  wasm: { type: 'string' }, symbols: { type: 'string' }, tools: { type: 'string' }, first: { type: 'string' }, rest: { type: 'string' },
  late: { type: 'string', multiple: true },
} });

const all_output = { encoding: 'utf8', maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'pipe'] };
// What browsers had before they had exceptions in WebAssembly, which the modules use. A second table needs reference types.
const features = ['mutable-globals', 'sign-ext', 'bulk-memory', 'nontrapping-float-to-int', 'multivalue', 'reference-types', 'exception-handling']
  .map((name) => `--enable-${name}`);
const tool = (name, ...options) => execFileSync(join(given.tools, name), ['--mvp-features', ...features, ...options], all_output);

const module = new WebAssembly.Module(readFileSync(given.wasm));
const imports = WebAssembly.Module.imports(module).filter(({ kind }) => kind === 'function').length;
const names = read_names(readFileSync(given.symbols, 'utf8'), imports);
const graph = read_call_graph(tool('wasm-opt', given.wasm, '--print-call-graph', '-o', '/dev/null'));
const patterns = given.late.flatMap((path) => read_patterns(readFileSync(path, 'utf8'), path));
const { kept, unused } = keep_first(graph, names, patterns);
if (unused.length) throw new Error(`No function is named ${unused.map(({ source, from }) => `${source} (${from})`).join(', ')}: the pattern can go`);

const folder = mkdtempSync(join(tmpdir(), 'parts-'));
try {
  const list = join(folder, 'kept');
  writeFileSync(list, kept.join('\n'));
  tool('wasm-split', given.wasm, `--keep-funcs=@${list}`, '--no-placeholders', '--import-namespace=first', '--export-prefix=%',
    '-o1', given.first, '-o2', given.rest);
  // The link leaves equal functions apart (cmake/SplitModule.cmake): of two that are one, the name would be either one's.
  for (const part of [given.first, given.rest]) tool('wasm-opt', part, '--duplicate-function-elimination', '--duplicate-function-elimination', '-o', part);
} finally {
  rmSync(folder, { recursive: true });
}
