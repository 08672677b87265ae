// Asks a module that counts what runs (scripts/profile) the questions that the first part of the page's module is for, and writes how often each branch
// was taken, as llvm-profdata reads it:
//
//   node write.mjs FOLDER QUESTIONS OUT
//
// FOLDER has plimsoll-app.wasm and its script. Functions that do not run stand apart already, and in those that run whole there is nothing to tell
// apart: both are left out.

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';

import { first_part } from '../../web/plimsoll-parts.mjs';
import { ask_all, read_names_of_exports, read_questions } from '../split/profile.mjs';

const [folder, questions, out] = process.argv.slice(2);
const names = read_names_of_exports(readFileSync(join(folder, 'plimsoll-app.mjs'), 'utf8'));
const part = await first_part(new WebAssembly.Module(readFileSync(join(folder, 'plimsoll-app.wasm'))), names);
ask_all(part, names, read_questions(readFileSync(questions, 'utf8')));

const memory = Buffer.from(part.memory.buffer);
const words = 'WHAT-RUNS-IS-COUNTED-BY';
const table = memory.indexOf(words) + words.length + 1; // as counters.c has it
const [functions, function_count, texts, text_count] = [0, 4, 8, 12].map((offset) => memory.readUInt32LE(table + offset));

// LLVM's __llvm_prf_data for 32-bit pointers: hash of the name, hash of the function, address of the counters from here, four more words, how many.
const at = { name: 0, hash: 8, counters: 16, count: 32 };
const name_by_hash = read_names();
const written = [];
for (let i = 0; i < function_count; i++) {
  const data = memory.readUInt32LE(functions + 4 * i);
  const first = data + memory.readInt32LE(data + at.counters);
  const counts = Array.from({ length: memory.readUInt32LE(data + at.count) }, (_, k) => memory.readBigUInt64LE(first + 8 * k));
  const ran = counts.filter((count) => count > 0n).length;
  if (ran === 0 || ran === counts.length) continue;
  const name = name_by_hash.get(memory.readBigUInt64LE(data + at.name));
  written.push([name, memory.readBigUInt64LE(data + at.hash), counts.length, ...counts.map(weight_of)].join('\n'));
}
writeFileSync(out, `${written.sort().join('\n\n')}\n`);
console.log(`${function_count} functions, of which ${written.length} have branches that never run: ${out}`);

/** Compilers add one to each count: what runs once must stand far above what never does (cmake/Profile.cmake). */
function weight_of(count) {
  const most = 1_000_000n;
  return (count < most ? count : most) * 1000n;
}

/** The names of functions by the first half of their MD5, from texts of names between \x01, most of them packed. */
function read_names() {
  const names_of = new Map();
  for (let i = 0; i < text_count; i++) {
    let here = memory.readUInt32LE(texts + 16 * i);
    const end = here + memory.readUInt32LE(texts + 16 * i + 8);
    const number = () => {
      for (let value = 0, shift = 0; ; shift += 7) {
        const byte = memory[here++];
        value |= (byte & 127) << shift;
        if (byte < 128) return value;
      }
    };
    while (here < end) {
      const size = number(), packed = number(), bytes = memory.subarray(here, here + (packed || size));
      here += bytes.length;
      for (const name of (packed ? inflateSync(bytes) : bytes).toString('latin1').split('\x01')) names_of.set(createHash('md5').update(name, 'latin1').digest().readBigUInt64LE(0), name);
      while (here < end && memory[here] === 0) here++;
    }
  }
  return names_of;
}
