// The next query: what the present one states, with one thing stated differently.

/** `text` is '' to take the statement back. */
export function with_entry(query, fields, field, text) {
  const stated = new URLSearchParams(query);
  // facts stated of one model say nothing about the next
  if (field.name === 'model') drop_model(stated, fields);
  if (text === '') stated.delete(field.name);
  else stated.set(field.name, text);
  return stated.toString();
}

/** The model replaced by an imported one. `config` is an answer of import_config(). */
export function with_config(query, fields, config) {
  const stated = new URLSearchParams(query);
  drop_model(stated, fields);
  for (const [name, value] of Object.entries(config.fields)) stated.set(name, String(value));
  return stated.toString();
}

function drop_model(stated, fields) {
  for (const field of fields) if (field.topic === 'model') stated.delete(field.name);
}
