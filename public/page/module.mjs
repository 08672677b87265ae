// The compiled estimator of the page. Where the browser can draw it is the module that draws as well: one download, one memory.

import { api } from '../plimsoll-api.mjs';
import { second_part } from '../plimsoll-parts.mjs';
import { load } from '../plimsoll.mjs';

/** {plimsoll, module, why_none}: `plimsoll` answers questions and has the rest on complete(); `module` is null where nothing is drawn. */
export async function load_estimator() {
  if (!has_webgl2()) return alone('This browser offers no WebGL 2, which the drawing needs.');
  try {
    const { default: create } = await import('../plimsoll-app.mjs');
    const module = await create();
    return { plimsoll: api(module, second_part(module, new URL('../plimsoll-app-rest.wasm', import.meta.url))), module, why_none: '' };
  } catch (reason) {
    console.warn('Plimsoll: the drawing was not loaded.', reason);
    return alone('The drawing could not be loaded.');
  }
}

const alone = async (why_none) => ({ plimsoll: await load({ only: 'estimates' }), module: null, why_none });

function has_webgl2() {
  try {
    return document.createElement('canvas').getContext('webgl2') !== null;
  } catch {
    return false;
  }
}
