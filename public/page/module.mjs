// The compiled estimator of the page. Where the browser can draw it is the module that draws as well: one download, one memory.

import { api } from '../plimsoll-api.mjs';
import { compiled, later_parts } from '../plimsoll-parts.mjs';
import { load } from '../plimsoll.mjs';
import { file_of_site } from './site.mjs';

/**
 * `on_bytes(count)` hears how much of what is compiled has come. Resolves to {plimsoll, module, parts, why_none}: `plimsoll` answers questions; `module` and its `parts`, of which `rest` draws and `files` reads,
 * are null where nothing is drawn.
 */
export async function load_estimator(on_bytes) {
  if (!has_webgl2()) return alone('This browser offers no WebGL 2, which the drawing needs.');
  try {
    const [{ default: create }, code] = await Promise.all([import('../plimsoll-app.mjs'), compiled(file_of_site('plimsoll-app.wasm'), on_bytes)]);
    const module = await create({
      instantiateWasm(imports, receive) {
        WebAssembly.instantiate(code, imports).then(receive);
        return {};
      },
    });
    const parts = later_parts(module, { rest: file_of_site('plimsoll-app-rest.wasm'), files: file_of_site('plimsoll-app-files.wasm') });
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
