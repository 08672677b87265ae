// The result as a file: what the core writes, given to the browser to keep.

import { h } from './element.mjs';

const formats = { json: 'JSON', csv: 'CSV', markdown: 'Markdown', svg: 'SVG' };

/** Gives the browser a file to keep. */
export function save(name, blob) {
  const address = URL.createObjectURL(blob);
  const link = h('a', { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // the browser reads it in its own time
}

export const save_text = (name, type, text) => save(name, new Blob([text], { type: `${type};charset=utf-8` }));

/** What is drawn on the canvas now; call it in the frame that drew it. */
export function save_picture(name, canvas) {
  canvas.toBlob((blob) => blob && save(name, blob), 'image/png');
}

/** Buttons for the result of `query()`. */
export function keep_buttons({ plimsoll, query, given }) {
  const keep = (format) => {
    const { name, type, text } = plimsoll.result_file(query(), format, given());
    if (text) save_text(name, type, text);
  };
  return h('p', { class: 'keep' }, 'Keep this result as ', ...Object.entries(formats).flatMap(([format, label], index) => [
    index > 0 && (index === Object.keys(formats).length - 1 ? ' or ' : ', '),
    h('button', { type: 'button', class: 'plain', 'data-format': format, click: () => keep(format) }, label),
  ]), '. Dropped on this page, the JSON asks its question again.');
}
