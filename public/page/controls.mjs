// One control for one field of the field tables: a text input for numbers, a list for choices and presets, a box for flags.
// Each has show(text, stated), for what the field holds now, and element. Typing calls on_text(text); '' means "the default".

import { h } from './element.mjs';

export const control_id = (field) => `field-${field.name}`;

export function control_of(field, presets, on_text) {
  if (field.kind === 'integer') return number_control(field, on_text);
  if (field.kind === 'flag') return flag_control(field, on_text);
  return list_control(field, field.kind === 'id' ? presets : choices_of(field), on_text);
}

function number_control(field, on_text) {
  // Not type=number: the browser would keep a mistyped text to itself, and the core could not say what is wrong with it.
  const element = h('input', {
    id: control_id(field), type: 'text', inputmode: 'numeric', spellcheck: 'false', autocomplete: 'off',
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

/** `groups`: [{label, options: [{name, label}]}]; a group without a label stands at the top level. */
function list_control(field, groups, on_text) {
  const element = h('select', { id: control_id(field), change: () => on_text(element.value) },
    ...groups.flatMap(({ label, options }) => {
      const made = options.map((option) => h('option', { value: option.name }, option.label));
      return label ? [h('optgroup', { label }, ...made)] : made;
    }));
  const show = (text) => {
    element.querySelector('option.unknown')?.remove();
    element.value = text;
    if (element.value === text) return;
    // what a link asked for and nobody knows is shown, not replaced by something else
    element.append(h('option', { value: text, class: 'unknown' }, `${text} (unknown)`));
    element.value = text;
  };
  return { element, show };
}

const choices_of = (field) => [{ label: '', options: field.choices }];
