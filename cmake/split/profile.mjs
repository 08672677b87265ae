// Which functions of a module run while questions are asked. Binaryen puts a counter into each (wasm-split --instrument), and the module runs here.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { first_part, headline_by } from '../../web/plimsoll-parts.mjs';

/** Questions of a file, one on each line; '#' begins a comment. */
export const read_questions = (text) => text.split('\n').map((line) => line.replace(/#.*/, '').trim()).filter(Boolean);

/** {start, malloc, headline}: what some exports are called, by the script that Emscripten wrote for the module. */
export function read_names_of_exports(script) {
  const patterns = { start: /addOnInit\(wasmExports\["([\w$]+)"\]\)/, malloc: /Module\["_malloc"\]=wasmExports\["([\w$]+)"\]/, headline: /Module\["_first_headline"\]=wasmExports\["([\w$]+)"\]/ };
  return Object.fromEntries(Object.entries(patterns).map(([what, pattern]) => {
    const found = pattern.exec(script);
    if (!found) throw new Error(`The script of the module does not tell what "${what}" is called`);
    return [what, found[1]];
  }));
}

/** Asks a part of a module all questions, in either unit. */
export function ask_all(part, names, questions) {
  for (const units of ['gb', 'gib'])
    for (const question of questions)
      if (!headline_by(part, names, question, units).ok) throw new Error(`"${question}" has no answer: correct it, or leave it out`);
}

/**
 * Ids of the functions of the module at `wasm` that run from its start to the headline of the last question. `tool(name, ...options)` runs one of
 * Binaryen's programs; files are written into `folder`.
 */
export async function functions_run({ wasm, names, questions, tool, folder }) {
  const counted = join(folder, 'counted.wasm'), profile = join(folder, 'profile');
  tool('wasm-split', '--instrument', wasm, '-o', counted);
  const part = await first_part(new WebAssembly.Module(readFileSync(counted)), names);
  ask_all(part, names, questions);
  writeFileSync(profile, written_profile(part));
  return functions_in(profile, wasm, tool);
}

/** Ids of the functions of the module at `wasm` that ran, by what the counters held, which the file `profile` has. */
export function functions_in(profile, wasm, tool) {
  return tool('wasm-split', `--print-profile=${profile}`, wasm).split('\n').filter((line) => line.startsWith('+')).map((line) => line.slice(1).trim());
}

/** What the counters hold, in pages of memory of its own. Refers to nothing else: a browser is given its text, too (scripts/seldom.mjs). */
export function written_profile({ exports: { __write_profile }, memory }) {
  const size = __write_profile(0, 0), at = memory.buffer.byteLength, page = 65536;
  memory.grow(Math.ceil(size / page));
  __write_profile(at, size);
  return new Uint8Array(memory.buffer, at, size).slice();
}
