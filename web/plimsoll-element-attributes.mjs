// What the attributes of a <plimsoll-estimate> ask: the fields of a scenario, with "-" for "_".

/** Attributes of the element that are no fields. */
const own = new Set(['query', 'page', 'view', 'loading']);

// Attributes that any element may have.
const common = new Set(['accesskey', 'anchor', 'autocapitalize', 'autocorrect', 'autofocus', 'class', 'contenteditable', 'dir', 'draggable',
  'enterkeyhint', 'exportparts', 'hidden', 'id', 'inert', 'inputmode', 'is', 'itemid', 'itemprop', 'itemref', 'itemscope', 'itemtype', 'lang',
  'nonce', 'part', 'popover', 'role', 'slot', 'spellcheck', 'style', 'tabindex', 'title', 'translate', 'writingsuggestions']);
const marks = /^(aria-|data-|on|v-|x-)/; // accessibility, scripts, and what page generators leave on elements

/**
 * The scenario as URLSearchParams: the attribute `query` (of a link to the page), with each attribute that is a field in its place. A name that
 * is no field passes too, and the core says so: a slip of the pen must not become another question.
 */
export function stated_by(element, plimsoll) {
  const stated = new URLSearchParams(element.getAttribute('query') ?? '');
  for (const { name, value } of element.attributes) {
    if (own.has(name) || common.has(name) || marks.test(name) || !/^[a-z][a-z0-9_-]*$/.test(name)) continue;
    const field = name.replaceAll('-', '_');
    if (value !== '') stated.set(field, value);
    else if (flags_of(plimsoll).has(field)) stated.set(field, 'true'); // <plimsoll-estimate tied-embeddings>
  }
  return stated;
}

let flags = null;

function flags_of(plimsoll) {
  flags ??= new Set(plimsoll.fields().filter(({ kind }) => kind === 'flag').map(({ name }) => name));
  return flags;
}
