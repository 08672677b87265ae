// The question as a form: one row for each field of the field tables that matters for the task and for the model's family.

import { control_id } from './controls.mjs';
import { by_id, h } from './element.mjs';
import { presets_of } from './presets.mjs';
import { row_of } from './row.mjs';

const titles = {
  task: 'Task', model: 'Model', hardware: 'Hardware', workload: 'Workload', tuning: 'Tuning', strategy: 'Strategy',
  parallel: 'Parallelism', profile: 'Framework', cost: 'Money and energy',
};
const folds = { model: 'Change this model' }; // the others say "More: ..."

/**
 * `on_entry(field, text)`: somebody stated a field; '' takes the statement back. `on_file(file)`: a model file was chosen.
 * `search(name, text)` and `model_change(query)`: the core's.
 */
export function open_form({ fields, catalog, search, model_change, on_entry, on_file }) {
  const presets = presets_of(catalog);
  const rows = fields.map((field) => row_of(field, presets[field.name] ?? [], search, on_entry));
  const topics = [...new Set(fields.map((field) => field.topic))];
  const form = by_id('form');
  const chooser = file_chooser(on_file);
  const change = h('p', { class: 'model-change', hidden: true });
  form.replaceChildren(...topics.map((topic) => topic_of(topic, rows.filter((row) => row.field.topic === topic), topic === 'model' ? [chooser.element, change] : [])));
  form.addEventListener('submit', (event) => event.preventDefault());

  const changes_of = new WeakMap();
  const show = (answer) => {
    const stated = new URLSearchParams(answer.query);
    const task = stated.get('task') ?? answer.scenario?.task;
    by_id('question-about').textContent = about(answer);
    change.textContent = model_change(answer.query);
    change.hidden = change.textContent === '';
    for (const row of rows) row.show({ stated, task, scenario: answer.scenario, idle: answer.idle, issues: answer.issues });
    for (const part of form.querySelectorAll('fieldset, details.more, .group')) part.hidden = part.querySelector('.row:not([hidden])') === null;
    for (const fold of form.querySelectorAll('details.more')) {
      const changes = [...fold.querySelectorAll('.row:not([hidden]) .dot:not([hidden])')].length;
      if (changes > (changes_of.get(fold) ?? 0) || fold.querySelector('[aria-invalid=true]')) fold.open = true;
      changes_of.set(fold, changes); // a fold with changes opens once, and may be closed again
    }
  };

  /** "Llama 3 8B, changed, RTX 4090": what is asked about, by name. */
  const about = (answer) => {
    const stated = new URLSearchParams(answer.query);
    const name_of = (name) => name_in(presets[name], stated.get(name) ?? answer.scenario?.[name]);
    const is_changed = stated.get('model') !== 'custom' && fields.some((field) => is_fact(field) && stated.has(field.name));
    return [name_of('model'), is_changed && 'changed', name_of('device')].filter(Boolean).join(', ');
  };

  const label_of = (name) => rows.find((row) => row.field.name === name && !row.element.hidden)?.field.label ?? '';
  const focus = (name) => {
    const control = by_id(control_id({ name }));
    for (let fold = control?.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
    control?.focus();
  };
  /** Devices of the reader's own beside those of the catalogue: {id, name, vendor, class}. */
  const set_devices = (devices) => {
    presets.device = with_devices(presets_of(catalog).device, devices);
    rows.find((row) => row.field.name === 'device').set_options?.(presets.device);
  };
  const options_of = (name) => presets[name] ?? [];
  return { show, about, label_of, focus, set_devices, options_of, choose_file: chooser.open };
}

/** Fields that state something about the chosen model, and do not choose it. */
const is_fact = (field) => field.topic === 'model' && field.kind !== 'id';

/** One of the reader's own replaces that of its id, or comes first. */
function with_devices(options, devices) {
  const own = devices.map(({ id, name, vendor, class: kind }) => ({ name: id, label: name, note: `${vendor} ${kind}, your own` }));
  return [...own, ...options.filter(({ name }) => !own.some((device) => device.name === name))];
}

function name_in(options, name) {
  return options.find((option) => option.name === name)?.label ?? name ?? '';
}

/** `below`: elements that stand below the rows that are always shown. */
function topic_of(topic, rows, below) {
  const shown = rows.filter((row) => !row.field.advanced).map((row) => row.element);
  const folded = rows.filter((row) => row.field.advanced);
  const title = titles[topic] ?? topic;
  return h('fieldset', {},
    h('legend', { class: rows.length === 1 && 'visually-hidden' }, title), // one row needs no title above its label
    ...shown,
    ...below,
    folded.length > 0 && h('details', { class: 'more' }, h('summary', {}, folds[topic] ?? `More: ${title.toLowerCase()}`), ...groups_of(folded)));
}

/** Rows under the headings that the field tables give them; rows without one stand alone. */
function groups_of(rows) {
  const groups = [...new Set(rows.map((row) => row.field.group ?? ''))];
  return groups.map((group) => h('div', { class: 'group' },
    group !== '' && h('p', { class: 'group-title' }, group),
    ...rows.filter((row) => (row.field.group ?? '') === group).map((row) => row.element)));
}

function file_chooser(on_file) {
  const input = h('input', {
    id: 'model-file', type: 'file', accept: '.json,.safetensors,.gguf,application/json', class: 'visually-hidden',
    'aria-describedby': 'model-file-about',
    change: () => {
      if (input.files[0]) on_file(input.files[0]);
      input.value = ''; // choosing the same file again, after mending it, is a change too
    },
  });
  const element = h('p', { class: 'file-row' }, input, h('label', { for: 'model-file' }, 'Read a model file'),
    h('span', { id: 'model-file-about' }, ': config.json, safetensors or GGUF, of any size. Its header is read here; nothing is uploaded.'));
  return { element, open: () => input.click() };
}
