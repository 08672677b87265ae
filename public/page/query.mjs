// The next query: what the present one states, with one thing stated differently.

/** `text` is '' to take the statement back. What else a change takes back is the core's to know. */
export function with_entry(plimsoll, query, name, text) {
  if (text !== '') return plimsoll.edit_query(query, name, text);
  const stated = new URLSearchParams(query);
  stated.delete(name);
  return stated.toString();
}

/** The model replaced by one that was read from a file. `file` is an answer of import_file(); its first field is the model. */
export function with_file(plimsoll, query, file) {
  return Object.entries(file.fields).reduce((next, [name, value]) => plimsoll.edit_query(next, name, String(value)), query);
}
