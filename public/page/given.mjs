// Prices and devices of the reader's own, in place of those that are built in: from a link, a drop or a paste. They are kept for the
// visit, in this tab alone, and can be removed. docs/prices.md describes their form.

import { by_id, h } from './element.mjs';

const kinds = ['devices', 'prices']; // in this order: prices may be those of the devices
const titles = { devices: 'Devices', prices: 'Prices' };
const most_bytes = 4 * 1024 * 1024;
const key = (kind) => `plimsoll-${kind}`;

/** Whether there are any from before, which the page begins with. */
export const has_given = () => kinds.some((kind) => remembered(kind).text !== '');

/** `notice`: where a refused file is explained; `on_change()`: other files are in use now; `on_query(query)`: of an exported result. */
export function open_given({ plimsoll, notice, on_change, on_query }) {
  const in_use = new Map(); // kind: {name, summary, text, devices}
  const place = by_id('given');
  const text_of = (kind) => in_use.get(kind)?.text ?? '';

  const show = () => {
    place.hidden = in_use.size === 0;
    place.replaceChildren(...kinds.filter((kind) => in_use.has(kind)).map((kind) => {
      const { name, summary } = in_use.get(kind);
      return h('p', { class: 'given', 'data-kind': kind }, h('strong', {}, `${titles[kind]}: ${name}.`), ` ${summary}. `,
        h('button', { type: 'button', class: 'plain', click: () => remove(kind), 'aria-label': `Remove ${name}: back to the ${kind} that are built in` }, 'Remove'));
    }));
  };
  const changed = (kind) => {
    show();
    on_change(kind);
  };
  const use = (file, name, text) => {
    in_use.set(file.kind, { name, summary: file.summary, text, devices: file.devices });
    remember(file.kind, { name, text });
  };
  const remove = (kind) => {
    if (!in_use.delete(kind)) return;
    forget(kind);
    changed(kind);
  };

  /** True when the text was one of these files, good or not. */
  const take = (text, name, on_use = changed) => {
    const file = plimsoll.given_file(text, { devices: text_of('devices') });
    if (file.kind === 'other') return false;
    if (!file.ok) {
      notice.of_refused(name, file.issues);
    } else if (file.kind === 'result') {
      on_query(file.query);
      notice.of_word(`${name} is an exported result: its question is asked again.`);
    } else {
      use(file, name, text);
      notice.of_word(`${name} is in use: ${file.summary}.`);
      on_use(file.kind);
    }
    return true;
  };

  /** The same for what a reader gave, which may be a model file: then nothing happens. */
  const take_source = async (source, name) => {
    if (!(source instanceof Blob)) return take(source, name);
    if (source.size > most_bytes || !/^\s*[[{]/.test(await source.slice(0, 64).text())) return false;
    return take(await source.text(), name);
  };

  /** Files that a link names, before anything is asked; what cannot be read is said, and the estimate goes on without it. */
  const fetch_files = async (addresses) => {
    for (const kind of kinds) {
      if (!addresses[kind]) continue;
      const { text, fault } = await fetched(addresses[kind]);
      const shown = addresses[kind].length > 80 ? `${addresses[kind].slice(0, 80)}…` : addresses[kind]; // a link may say anything
      if (fault) notice.of_fault(`The ${kind} at ${shown} cannot be read: ${fault}.`, 'Drop the file on this page instead.');
      else if (!take(text, addresses[kind], show)) notice.of_fault(`${shown} has no ${kind}.`, 'See docs/prices.md for the form of such a file.');
    }
  };

  for (const kind of kinds) {
    const { name, text } = remembered(kind);
    const file = text && plimsoll.given_file(text, { devices: text_of('devices') });
    if (file && file.ok && file.kind === kind) use(file, name, text);
  }
  show();
  return {
    take_source,
    take,
    remove,
    fetch_files,
    /** For the core's functions. */
    options: () => ({ devices: text_of('devices'), prices: text_of('prices') }),
    devices: () => in_use.get('devices')?.devices ?? [],
    /** Those in use, devices first. */
    kinds: () => kinds.filter((kind) => in_use.has(kind)),
    /** {name, text}; empty texts where what is built in is used. */
    in_use: (kind) => in_use.get(kind) ?? { name: '', text: '' },
  };
}

async function fetched(address) {
  try {
    const url = new URL(address, location.href);
    const answer = await fetch(url, { credentials: 'omit', referrerPolicy: 'no-referrer' });
    if (!answer.ok) return { fault: `the server answers ${answer.status}` };
    const text = await answer.text();
    return text.length > most_bytes ? { fault: 'it is larger than 4 MiB' } : { text };
  } catch {
    const is_elsewhere = URL.canParse(address, location.href) && new URL(address, location.href).origin !== location.origin;
    return { fault: is_elsewhere ? 'this page may ask no other site, or that site does not allow it' : 'there is no answer' };
  }
}

// A browser may forbid storage: then files are kept until the page is left.
function remember(kind, file) {
  try {
    sessionStorage.setItem(key(kind), JSON.stringify(file));
  } catch { /* see above */ }
}
function forget(kind) {
  try {
    sessionStorage.removeItem(key(kind));
  } catch { /* see above */ }
}
function remembered(kind) {
  try {
    const { name, text } = JSON.parse(sessionStorage.getItem(key(kind)) ?? '{}');
    return { name: String(name ?? ''), text: String(text ?? '') };
  } catch {
    return { name: '', text: '' };
  }
}
