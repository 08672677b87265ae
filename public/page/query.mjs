// The next query: what the present one states, with one thing stated differently.

/** `text` is '' to take the statement back. What else a change takes back is the core's to know. */
export function with_entry(plimsoll, query, name, text) {
  if (text !== '') return plimsoll.edit_query(query, name, text);
  const stated = new URLSearchParams(query);
  stated.delete(name);
  return stated.toString();
}

/** The model replaced by an imported one. `config` is an answer of import_config(); its first field is the model. */
export function with_config(plimsoll, query, config) {
  return Object.entries(config.fields).reduce((next, [name, value]) => plimsoll.edit_query(next, name, String(value)), query);
}
