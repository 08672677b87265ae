// The drawing: the Dear ImGui app in its canvas. The page works without it.

import { by_id, h } from './element.mjs';
import { save_picture, save_text } from './keep.mjs';
import { bring_with_reader, lacks } from './more.mjs';
import { file_of_site } from './site.mjs';
import { open_widgets } from './widgets.mjs';

const root = document.documentElement;
const patience_ms = 20_000;

/**
 * Starts the app in `module`, which module.mjs gives; resolves to its handle, or to null when there can be no drawing (the page then
 * shows the text alone): where there is no module, `why_none` says why.
 */
export async function start_drawing({ module, parts, why_none, query, dark, view, on_query, on_answer, on_dark, on_units, on_view, on_given, on_choose_file, on_step, on_bytes }) {
  if (!module) return without_drawing(why_none);
  const canvas = by_id('canvas');
  show_focus_of_keys();
  try {
    on_step('Loading the drawing');
    await parts.drawing.load((count) => on_bytes('drawing', count));
    on_step('Starting the drawing');
    const ready = first_frame();
    const widgets = open_widgets({ canvas, app: () => module });
    Object.assign(module, {
      canvas,
      options: { query: query(), dark: dark(), view: view(), today: new Date().toISOString().slice(0, 'YYYY-MM-DD'.length) },
      onQuery: on_query,
      onAnswer: on_answer,
      onDark: on_dark,
      onUnits: on_units,
      onView: on_view,
      onWidgets: widgets.show,
      onGiven: on_given,
      onSave: save_text,
      onPicture: (name) => save_picture(name, canvas),
      onChooseFile: on_choose_file,
      onReadText: (text) => read_text(module, parts.files, text),
      onEvidence: evidence,
      onTabs: () => parts.rest.load(),
      onReaders: () => parts.files.load(),
      hasReaders: () => parts.files.loaded,
      onReady: ready.resolve,
      onAbort: ready.reject,
    });
    if (module.callMain() !== 0) ready.reject(new Error('the canvas gives no WebGL 2'));
    await ready.promise;
    canvas.addEventListener('webglcontextlost', () => {
      without_drawing('The browser has taken the drawing away; reloading may bring it back.');
    });
    root.dataset.view = 'canvas';
    bring_with_reader(parts.more, module);
    return module;
  } catch (reason) {
    if (lacks(parts.more, reason)) throw reason;
    console.warn('Plimsoll: the drawing did not start.', reason);
    return without_drawing('The drawing could not be started.');
  }
}

/** The drawing's dialog, or a phone's menu, gave a text: what reads it comes with the first one. */
async function read_text(module, files, text) {
  try {
    await files.load();
    const bytes = new TextEncoder().encode(text);
    module.read_file(bytes, bytes.length, '');
  } catch (reason) {
    module.refuse_file(`What reads files could not be loaded (${reason.message}).`, 'Try again once there is a connection.');
  }
}

/** A frame round the drawing shows where the keyboard is; who works with a pointer sees that without it. */
function show_focus_of_keys() {
  window.addEventListener('pointerdown', () => { root.dataset.hand = 'pointer'; }, { capture: true });
  window.addEventListener('keydown', ({ key }) => key === 'Tab' && delete root.dataset.hand, { capture: true });
}

/** What was measured and predicted: much, and few ask, so that it comes when its tab is opened. */
async function evidence() {
  const answer = await fetch(file_of_site('accuracy.json'));
  if (!answer.ok) throw new Error(`accuracy.json: ${answer.status}`);
  return answer.text();
}

function without_drawing(reason) {
  root.dataset.view = 'text';
  by_id('question').open = true;
  by_id('no-drawing').replaceChildren(h('p', {}, h('strong', {}, reason), ' Everything it shows and asks stands here as text.'));
  by_id('no-drawing').hidden = false;
  return null;
}

/** {promise, resolve, reject}; rejects by itself when nothing is drawn for long, which a hidden page has a right to. */
function first_frame() {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  const timer = setInterval(() => document.hidden || made.reject(new Error('no first frame')), patience_ms);
  const stop = () => clearInterval(timer);
  made.promise.then(stop, stop);
  return made;
}
