// How to put what is on the screen into another page: markup to copy, as an element and as a frame.

import { by_id, h } from './element.mjs';
import { copy_text_with } from './share.mjs';

/** `query()`: of the question on the screen; `words()`: its answer in a sentence, which is what readers without scripts see. */
export function open_embed({ query, words, say }) {
  const dialog = by_id('embed-dialog');
  const texts = [['embed-element', element_markup], ['embed-frame', frame_markup]];

  by_id('embed').addEventListener('click', () => {
    const page = new URL('.', location.href).href;
    for (const [id, markup] of texts) by_id(id).value = markup(page, query(), words());
    dialog.showModal();
  });
  for (const [id] of texts) copy_text_with(by_id(`copy-${id}`), () => by_id(id).value, say);
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close()); // beside the box
}

/** One attribute for each thing that is stated. */
function element_markup(page, query, words) {
  const script = h('script', { type: 'module', src: `${page}plimsoll-element.mjs` });
  const fields = [...new URLSearchParams(query)].filter(([name]) => /^[a-z][a-z0-9_]*$/.test(name)).map(([name, value]) => [name.replaceAll('_', '-'), value]);
  const element = h('plimsoll-estimate', { ...Object.fromEntries(fields), page }, words);
  return `${script.outerHTML}\n${element.outerHTML}`;
}

function frame_markup(page, query, words) {
  return h('iframe', {
    src: `${page}embed.html?${query}`, title: `GPU memory: ${words}`, width: '100%', height: '340', loading: 'lazy', frameborder: '0',
  }).outerHTML;
}
