// How a field's range and default read, in types and on the reference page.

const digits = new Intl.NumberFormat('en');

export function range_of(field) {
  return field.kind === 'integer' ? `${digits.format(field.min)} to ${digits.format(field.max)}` : '';
}

export const capital = (label) => label.charAt(0).toUpperCase() + label.slice(1);

/** "8,192", or "1 for finetune, 8 for inference" where tasks differ; "" where a preset decides. */
export function default_of(field) {
  const by_task = field.tasks.map((task) => [task, field.defaults[task]]).filter(([, text]) => text !== null);
  const spoken = ([, text]) => (field.kind === 'integer' ? digits.format(text.includes('.') ? Number(text) : BigInt(text)) : text);
  if (new Set(by_task.map(spoken)).size <= 1) return by_task.length > 0 ? spoken(by_task[0]) : '';
  return by_task.map((entry) => `${spoken(entry)} for ${entry[0]}`).join(', ');
}
