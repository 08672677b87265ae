// One control for one field of the field tables: a text input for numbers, a list for choices, a list with search for presets,
// a box for flags. Each has show(text, stated), for what the field holds now; element, which takes the focus; and node, where that
// is more than the element. Typing calls on_text(text); '' means "the default".

import { combobox } from './combobox.mjs';
import { h } from './element.mjs';

const searched_from = 8; // options: shorter lists need no search

export const control_id = (field) => `field-${field.name}`;

/** `presets`: [{name, label, note}] of an id field; `search(name, text)`: the core's. */
export function control_of(field, presets, search, on_text) {
  if (field.kind === 'integer') return text_control(field, 'numeric', on_text);
  if (field.kind === 'text') return text_control(field, 'text', on_text);
  if (field.kind === 'flag') return flag_control(field, on_text);
  if (field.kind !== 'id') return list_control(field, field.choices, on_text);
  if (presets.length < searched_from) return list_control(field, presets, on_text);
  return combobox(control_id(field), presets, { search: (text) => search(field.name, text), on_choice: on_text });
}

function text_control(field, inputmode, on_text) {
  // Not type=number: the browser would keep a mistyped text to itself, and the core could not say what is wrong with it.
  const element = h('input', {
    id: control_id(field), type: 'text', inputmode, spellcheck: 'false', autocomplete: 'off',
    input: () => on_text(element.value.trim()),
  });
  const show = (text, stated) => {
    if (document.activeElement === element) return; // never change what is being typed
    element.value = text;
    element.classList.toggle('stated', stated);
  };
  return { element, show };
}

function flag_control(field, on_text) {
  const element = h('input', {
    id: control_id(field), type: 'checkbox', change: () => on_text(String(element.checked)),
  });
  return { element, show: (text) => { element.checked = text === 'true'; } };
}

/** Whether the text is parts of a field, joined by commas: a set that no choice names. */
const is_set_of = (parts = [], text) => text.split(',').every((name) => parts.some((part) => part.name === name.trim()));

/** `options`: [{name, label}]. */
function list_control(field, options, on_text) {
  const element = h('select', { id: control_id(field), change: () => on_text(element.value) },
    ...options.map(({ name, label }) => h('option', { value: name }, label)));
  const show = (text) => {
    element.querySelector('option.unknown')?.remove();
    element.value = text;
    if (element.value === text) return;
    // what a link asked for and nobody knows is shown, not replaced by something else
    element.append(h('option', { value: text, class: 'unknown' }, is_set_of(field.parts, text) ? text : `${text} (unknown)`));
    element.value = text;
  };
  return { element, show };
}
