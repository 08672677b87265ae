// The question as a form: one row for each field of the field tables that matters for the task.

import { control_id, control_of } from './controls.mjs';
import { by_id, h } from './element.mjs';
import { presets_of } from './presets.mjs';

const titles = {
  task: 'Task', model: 'Model', hardware: 'Hardware', workload: 'Workload', strategy: 'Strategy', profile: 'Framework',
};

/** `on_entry(field, text)`: somebody stated a field; '' takes the statement back. `on_file(file)`: a config.json was chosen. */
export function open_form({ fields, catalog, on_entry, on_file }) {
  const presets = presets_of(catalog);
  const rows = fields.map((field) => row_of(field, presets[field.name] ?? [], on_entry));
  const topics = [...new Set(fields.map((field) => field.topic))];
  const form = by_id('form');
  form.replaceChildren(...topics.map((topic) => topic_of(topic, rows.filter((row) => row.field.topic === topic), on_file)));
  form.addEventListener('submit', (event) => event.preventDefault());

  const show = (answer) => {
    const stated = new URLSearchParams(answer.query);
    const task = stated.get('task') ?? answer.scenario?.task;
    by_id('question-about').textContent = about(answer);
    for (const row of rows) row.show({ stated, task, scenario: answer.scenario, issues: answer.issues });
    for (const fold of form.querySelectorAll('details.more')) {
      fold.hidden = fold.querySelector('.row:not([hidden])') === null;
      if (fold.querySelector('[aria-invalid=true]')) fold.open = true;
    }
  };

  /** "Llama 3 8B, RTX 4090": what is asked about, by name. */
  const about = (answer) => {
    const stated = new URLSearchParams(answer.query);
    return ['model', 'device'].map((name) => name_in(presets[name], stated.get(name) ?? answer.scenario?.[name])).join(', ');
  };

  const label_of = (name) => rows.find((row) => row.field.name === name && !row.element.hidden)?.field.label ?? '';
  const focus = (name) => {
    const control = by_id(control_id({ name }));
    for (let fold = control?.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
    control?.focus();
  };
  return { show, about, label_of, focus };
}

function name_in(groups, id) {
  return groups.flatMap((group) => group.options).find((option) => option.name === id)?.label ?? id ?? '';
}

function topic_of(topic, rows, on_file) {
  const shown = rows.filter((row) => !row.field.advanced).map((row) => row.element);
  const folded = rows.filter((row) => row.field.advanced).map((row) => row.element);
  const title = titles[topic] ?? topic;
  return h('fieldset', {},
    h('legend', { class: rows.length === 1 && 'visually-hidden' }, title), // one row needs no title above its label
    ...shown,
    topic === 'model' && file_row(on_file),
    folded.length > 0 && h('details', { class: 'more' }, h('summary', {}, `More: ${title.toLowerCase()}`), ...folded));
}

function file_row(on_file) {
  const input = h('input', {
    id: 'config-file', type: 'file', accept: '.json,application/json', class: 'visually-hidden',
    change: () => {
      if (input.files[0]) on_file(input.files[0]);
      input.value = ''; // choosing the same file again, after mending it, is a change too
    },
  });
  return h('p', { class: 'file-row' }, input, h('label', { for: 'config-file' }, 'Read a config.json'), ' or drop or paste one.');
}

function row_of(field, presets, on_entry) {
  const control = control_of(field, presets, (text) => on_entry(field, text));
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
    h('span', { class: 'control' }, reset, control.element, h('span', { class: 'unit' }, field.unit)),
    h('p', { class: 'help', id: help_id, role: 'tooltip' }, field.help),
    fault);

  const show = ({ stated, task, scenario, issues }) => {
    const own = issues.filter((issue) => issue.field === field.name);
    const is_stated = stated.has(field.name);
    element.hidden = task !== undefined && !field.tasks.includes(task) && own.length === 0;
    control.show(stated.get(field.name) ?? String(scenario?.[field.name] ?? ''), is_stated);
    // task, model and device stand in every link: only the others tell of a change
    const is_change = is_stated && field.kind !== 'id' && field.topic !== 'task';
    dot.hidden = reset.hidden = !is_change;
    fault.hidden = own.length === 0;
    fault.replaceChildren(...own.map((issue) => h('li', { class: issue.severity }, `${issue.message} ${issue.remedy}`)));
    control.element.setAttribute('aria-invalid', String(own.some((issue) => issue.severity === 'error')));
    control.element.setAttribute('aria-describedby', own.length > 0 ? `${fault_id} ${help_id}` : help_id);
  };
  return { field, element, show };
}
