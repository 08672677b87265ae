// One row of the form: label, control, unit, a mark and a way back where it differs from the preset, help, and what is wrong.

import { control_id, control_of } from './controls.mjs';
import { h } from './element.mjs';

/** `presets`: of an id field; `search(name, text)`: the core's; `on_entry(field, text)`: '' takes the statement back. */
export function row_of(field, presets, search, on_entry) {
  const control = control_of(field, presets, search, (text) => on_entry(field, text));
  const help_id = `help-${field.name}`;
  const fault_id = `fault-${field.name}`;
  const fault = h('ul', { class: 'fault', id: fault_id, hidden: true });
  const dot = h('span', { class: 'dot', hidden: true }, h('span', { class: 'visually-hidden' }, ' (changed)'));
  const reset = h('button', {
    type: 'button', class: 'reset', hidden: true, 'aria-label': `Reset ${field.label}`, title: 'Back to the default',
    click: () => {
      on_entry(field, '');
      control.element.focus();
    },
  }, '×');
  const element = h('div', { class: 'row', 'data-field': field.name },
    h('label', { for: control_id(field) }, field.label, dot),
    h('span', { class: 'control' }, reset, control.node ?? control.element, h('span', { class: 'unit' }, field.unit)),
    h('p', { class: 'help', id: help_id, role: 'tooltip' }, field.help),
    fault);

  const show = ({ stated, task, scenario, idle, issues }) => {
    const own = issues.filter((issue) => issue.field === field.name);
    const is_stated = stated.has(field.name);
    // the scenario has the fields that matter; without one, the task alone tells
    const matters = scenario ? field.name in scenario : task === undefined || field.tasks.includes(task);
    const is_idle = idle.includes(field.name) && !is_stated;
    element.hidden = (!matters || is_idle) && own.length === 0;
    control.show(stated.get(field.name) ?? String(scenario?.[field.name] ?? ''), is_stated);
    // task, model and device stand in every link: only the others tell of a change
    const is_change = is_stated && !['task', 'model', 'device'].includes(field.name);
    dot.hidden = reset.hidden = !is_change;
    fault.hidden = own.length === 0;
    fault.replaceChildren(...own.map((issue) => h('li', { class: issue.severity }, `${issue.message} ${issue.remedy}`)));
    control.element.setAttribute('aria-invalid', String(own.some((issue) => issue.severity === 'error')));
    control.element.setAttribute('aria-describedby', own.length > 0 ? `${fault_id} ${help_id}` : help_id);
  };
  return { field, element, show, set_options: control.set_options };
}
