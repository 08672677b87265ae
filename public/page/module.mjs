// The compiled estimator of the page. Where the browser can draw it is the module that draws as well: one download, one memory.

import { api } from '../plimsoll-api.mjs';
import { later_parts } from '../plimsoll-parts.mjs';
import { load } from '../plimsoll.mjs';

/**
 * {plimsoll, module, parts, why_none}: `plimsoll` answers questions; `module` and its `parts`, of which `rest` draws and `files` reads,
 * are null where nothing is drawn.
 */
export async function load_estimator() {
  if (!has_webgl2()) return alone('This browser offers no WebGL 2, which the drawing needs.');
  try {
    const { default: create } = await import('../plimsoll-app.mjs');
    const module = await create();
    const parts = later_parts(module, { rest: new URL('../plimsoll-app-rest.wasm', import.meta.url), files: new URL('../plimsoll-app-files.wasm', import.meta.url) });
    return { plimsoll: api(module, parts), module, parts, why_none: '' };
  } catch (reason) {
    console.warn('Plimsoll: the drawing was not loaded.', reason);
    return alone('The drawing could not be loaded.');
  }
}

const alone = async (why_none) => ({ plimsoll: await load({ only: 'estimates' }), module: null, parts: null, why_none });

function has_webgl2() {
  try {
    return document.createElement('canvas').getContext('webgl2') !== null;
  } catch {
    return false;
  }
}
