// Which functions of a page's module hardly anybody needs who only looks: a file with the hash of each one's name, since the names alone would weigh
// more than the functions. scripts/profile writes it from what ran in a browser. What is not in it, such as a function that is new, comes early.

import { createHash } from 'node:crypto';

const digits = 8;
const hash_of = (name) => createHash('sha256').update(name).digest('hex').slice(0, digits);

/** A function without a name is called by a number, which the next link gives to another. */
const is_name = (name) => name !== undefined && !/^\d+$/.test(name);

/** Whether a function is one of those in the `text` of such a file. */
export function read_seldom(text) {
  const hashes = new Set(text.split('\n').filter((line) => line.length === digits));
  return (name) => is_name(name) && hashes.has(hash_of(name));
}

/** The text of such a file: those of `names` of which none `ran`, a Set. */
export function write_seldom(names, ran) {
  const hashes = new Set(names.filter((name) => is_name(name) && !ran.has(name)).map(hash_of));
  return `${[...hashes].sort().join('\n')}\n`;
}
