// What the attributes of a <plimsoll-estimate> ask: the fields of a scenario, with "-" for "_".

/** Attributes of the element that are no fields. */
const own = new Set(['query', 'page', 'view', 'loading']);

// Attributes that any element may have.
const common = new Set(['accesskey', 'anchor', 'autocapitalize', 'autocorrect', 'autofocus', 'class', 'contenteditable', 'dir', 'draggable',
  'enterkeyhint', 'exportparts', 'hidden', 'id', 'inert', 'inputmode', 'is', 'itemid', 'itemprop', 'itemref', 'itemscope', 'itemtype', 'lang',
  'nonce', 'part', 'popover', 'role', 'slot', 'spellcheck', 'style', 'tabindex', 'title', 'translate', 'writingsuggestions']);
const marks = /^(aria-|data-|on|v-|x-)/; // accessibility, scripts, and what page generators leave on elements; a field of such a name is a field

/**
 * The scenario as URLSearchParams: the attribute `query` (of a link to the page), with each attribute that is a field in its place. A name that
 * is no field passes too, and the core says so: a slip of the pen must not become another question.
 */
export function stated_by(element, plimsoll) {
  const stated = new URLSearchParams(element.getAttribute('query') ?? '');
  const fields = fields_of(plimsoll);
  for (const { name, value } of element.attributes) {
    const field = name.replaceAll('-', '_');
    const kind = fields.get(field);
    if (own.has(name) || (!kind && (common.has(name) || marks.test(name) || !/^[a-z][a-z0-9_-]*$/.test(name)))) continue;
    if (value !== '') stated.set(field, value);
    else if (kind === 'flag') stated.set(field, 'true'); // <plimsoll-estimate tied-embeddings>
  }
  return stated;
}

/**
 * Each field as a property of the element too, `element.context_tokens = 4096`, which is its attribute. What was set before the fields were known
 * is taken over.
 */
export function reflect(element, plimsoll) {
  const prototype = Object.getPrototypeOf(element);
  for (const name of fields_of(plimsoll).keys()) {
    const attribute = name.replaceAll('_', '-');
    if (!(name in prototype)) {
      Object.defineProperty(prototype, name, {
        configurable: true, enumerable: true,
        get() { return this.getAttribute(attribute) ?? ''; },
        set(value) { value === null || value === undefined || value === '' ? this.removeAttribute(attribute) : this.setAttribute(attribute, value); },
      });
    }
    if (!Object.hasOwn(element, name)) continue;
    const value = element[name];
    delete element[name];
    element[name] = value;
  }
}

let fields = null;

/** Their kinds by name. */
function fields_of(plimsoll) {
  fields ??= new Map(plimsoll.fields().map(({ name, kind }) => [name, kind]));
  return fields;
}
