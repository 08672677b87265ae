// What a caller may pass, as the text that the core reads. JavaScript holds values that neither JSON nor a query can say;
// each becomes an issue that names its field, as everything else that is wrong with an input does.

const example = 'Pass an object such as {model: "llama-3-8b"}.';

/** A scenario as {text, is_json}, or as {issues} when the core cannot even be asked. Never throws. */
export function scenario_request(input) {
  if (typeof input === 'string') return { text: input, is_json: false };
  if (input === undefined) return { issues: [issue('', 'No scenario was given.', example)] };
  try {
    if (tag_of(input) === 'URLSearchParams') return { text: String(input), is_json: false };
    if (tag_of(input) === 'Object') return request_of_fields(input);
  } catch {
    return { issues: [issue('', 'The scenario could not be read: it throws when it is looked at.', example)] };
  }
  return { issues: [issue('', `A scenario is an object of fields or the text of a query, not ${kind_of(input)}.`, example)] };
}

/** A question about cost, whose numbers may have a fraction: as text, they pass as they are. Leaves anything but an object alone. */
export function cost_request(question) {
  if (question === null || tag_of(question) !== 'Object') return question;
  const text_of = (value) => (typeof value === 'number' && Number.isFinite(value) ? String(value) : value);
  try {
    return Object.fromEntries(Object.entries(question).map(([name, value]) => [name, text_of(value)]));
  } catch {
    return question; // scenario_request says what is wrong
  }
}

/** A config.json as {text}, or {issues}. Never throws. */
export function config_request(text) {
  if (typeof text === 'string') return { text };
  const remedy = 'Pass the contents of config.json as text.';
  return { issues: [issue('', `A config is text, not ${kind_of(text)}.`, remedy)] };
}

function request_of_fields(record) {
  const issues = [];
  const stated = {};
  for (const [name, value] of Object.entries(record)) {
    if (value === undefined) continue; // not stated, like an optional property that is absent
    const fault = fault_of(value);
    if (fault) issues.push(issue(name, `${name} is ${fault}.`, 'Give text, a whole number, true or false.'));
    // defined, not assigned: a field called __proto__ is unknown like any other
    else Object.defineProperty(stated, well_formed(name), { value: well_formed(value), enumerable: true });
  }
  return issues.length > 0 ? { issues } : { text: JSON.stringify(stated), is_json: true };
}

/** A lone surrogate has no UTF-8, and JSON's escape for it no meaning to the core: U+FFFD stands for it. */
const well_formed = (value) => (typeof value === 'string' ? decoder.decode(new TextEncoder().encode(value)) : value);
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function fault_of(value) {
  if (typeof value === 'string' || typeof value === 'boolean') return '';
  if (typeof value !== 'number') return kind_of(value);
  if (!Number.isFinite(value)) return 'not a finite number';
  // beyond 2^53 neighbouring whole numbers are the same JavaScript number: what was meant is lost already
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? 'a number that JavaScript cannot hold exactly' : '';
}

/** A value in words, for a message: "a list", "a number". */
export function kind_of(value) {
  if (value === null) return 'null';
  if (value === undefined) return 'undefined';
  if (typeof value !== 'object') return `a ${typeof value}`;
  return Array.isArray(value) ? 'a list' : 'this kind of object';
}

/** By tag, not by prototype: an object may come from another frame. */
export const tag_of = (value) => Object.prototype.toString.call(value).slice('[object '.length, -1);

export const issue = (field, message, remedy) => ({ severity: 'error', field, message, remedy });
