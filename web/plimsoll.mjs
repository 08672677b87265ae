// Plimsoll for JavaScript: how much GPU memory a language model needs, from plain objects to plain objects. Works in pages,
// workers and Node. Documentation and types: plimsoll.d.ts.

import { api } from './plimsoll-api.mjs';
import { later_parts } from './plimsoll-parts.mjs';

let starting = null;

/** The estimator, once its WebAssembly (which lies beside this file) is ready. Every call gives the same object. */
export async function load({ only } = {}) {
  starting ??= start().catch((reason) => {
    starting = null; // a lost connection should not be remembered: the next call tries again
    throw reason;
  });
  const plimsoll = await starting;
  if (only !== 'estimates') await plimsoll.complete();
  return plimsoll;
}

async function start() {
  const { default: create } = await import('./plimsoll-core.mjs');
  const core = await create();
  return api(core, later_parts(core, {
    rest: new URL('./plimsoll-core-rest.wasm', import.meta.url),
    files: new URL('./plimsoll-core-files.wasm', import.meta.url),
  }));
}
