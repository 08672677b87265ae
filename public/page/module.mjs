// The compiled estimator of the page. Where the browser can draw it is the module that draws as well: one download, one memory.

import { api } from '../plimsoll-api.mjs';
import { names } from '../plimsoll-app-first.mjs';
import { compiled, first_part, headline_by, later_parts, made_of } from '../plimsoll-parts.mjs';
import { load } from '../plimsoll.mjs';
import { is_needed_at_once } from './more.mjs';
import { file_of_site } from './site.mjs';

// So much of the first file is there when the next are asked for: what is still to come takes as long as a far host takes to answer.
const enough = 0.85;

/**
 * Resolves to {plimsoll, module, parts, why_none}: `plimsoll` answers questions; `module` and its `parts`, of which `drawing` draws, `more` has what others than most need, `rest` has its
 * other tabs and `files` reads, are null where nothing is drawn. `on_bytes(count, file)` hears how many bytes of the "first" file, which has `size`, and of the "answers" have come. `first`,
 * {query, units} or null, is answered when the first file is there, if it is a question like most: on_headline({ok, headline}). Else, or where the page `needs_more`, that comes at once.
 */
export async function load_estimator({ size, on_bytes, first, needs_more, on_headline }) {
  if (!has_webgl2()) return alone('This browser offers no WebGL 2, which the drawing needs.');
  try {
    let next = null; // not at once, for a slow network is shared
    const ask_for_next = () => {
      if (next) return;
      next = [import('../plimsoll-app.mjs'), compiled(part_of_site('answers'), (count) => on_bytes(count, 'answers'))];
      for (const one of next) one.catch(() => {}); // what went wrong is told below
    };
    const code = await compiled(file_of_site('plimsoll-app.wasm'), (count) => {
      on_bytes(count, 'first');
      if (count >= enough * size) ask_for_next();
    });
    ask_for_next();
    const headline = first && (await headline_of(code, first));
    if (headline) on_headline(headline);
    const more = is_needed_at_once() || needs_more || headline?.ok === false ? compiled(part_of_site('more')) : null;
    more?.catch(() => {}); // as above
    const [script, answers] = next;
    const module = await made_of((await script).default, code, answers);
    const parts = later_parts(module, { drawing: part_of_site('drawing'), more: more ?? part_of_site('more'), rest: part_of_site('rest'), files: part_of_site('files') });
    if (more) await parts.more.load();
    return { plimsoll: api(module, parts), module, parts, why_none: '' };
  } catch (reason) {
    console.warn('Plimsoll: the drawing was not loaded.', reason);
    return alone('The drawing could not be loaded.');
  }
}

/** By an estimator of its own, which is not used again: the question may need more than there is. */
async function headline_of(code, { query, units }) {
  try {
    return headline_by(await first_part(code, names), names, query, units);
  } catch (reason) {
    if (reason instanceof WebAssembly.RuntimeError) return { ok: false, headline: null };
    throw reason;
  }
}

const part_of_site = (part) => file_of_site(`plimsoll-app-${part}.wasm`);

const alone = async (why_none) => ({ plimsoll: await load({ only: 'estimates' }), module: null, parts: null, why_none });

function has_webgl2() {
  try {
    return document.createElement('canvas').getContext('webgl2') !== null;
  } catch {
    return false;
  }
}
