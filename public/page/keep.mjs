// The result as a file: what the core writes, given to the browser to keep.

import { h } from './element.mjs';

const formats = { html: 'a report on one sheet', json: 'JSON', csv: 'CSV', markdown: 'Markdown', svg: 'SVG', png: 'PNG' };

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

const picture_scale = 2; // so that letters are sharp on paper and on slides

/** What the core draws as SVG, as pixels. */
async function save_drawing({ name, text }) {
  const address = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  try {
    const drawing = new Image();
    drawing.src = address;
    await drawing.decode();
    const canvas = h('canvas', { width: drawing.naturalWidth * picture_scale, height: drawing.naturalHeight * picture_scale });
    canvas.getContext('2d').drawImage(drawing, 0, 0, canvas.width, canvas.height);
    save_picture(name.replace(/\.svg$/, '.png'), canvas);
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Buttons for the result of `query()`; on_lack(what, reason) hears why there is no file. */
export function keep_buttons({ plimsoll, query, given, on_lack }) {
  const keep = async (format) => {
    try {
      await plimsoll.ready_for(query());
    } catch (reason) {
      return on_lack('writes the file', reason);
    }
    const is_picture = format === 'png';
    const file = plimsoll.result_file(query(), is_picture ? 'svg' : format, given());
    if (!file.text) return;
    if (is_picture) return save_drawing(file);
    save_text(file.name, file.type, file.text);
  };
  return h('p', { class: 'keep' }, 'Keep this result as ', ...Object.entries(formats).flatMap(([format, label], index) => [
    index > 0 && (index === Object.keys(formats).length - 1 ? ' or ' : ', '),
    h('button', { type: 'button', class: 'plain', 'data-format': format, click: () => keep(format) }, label),
  ]), '. Dropped on this page, the JSON asks its question again.');
}
