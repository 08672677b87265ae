// What a model file says, in full: totals, number formats, groups of layers. It writes what the core says and computes nothing.

import { h } from './element.mjs';

const kinds = {
  config: 'config.json', safetensors: 'safetensors', safetensors_index: 'index of safetensors', gguf: 'GGUF',
  command_line: 'command line', training_config: 'training configuration',
};

/** `file`: an answer of import_file() that is ok. */
export function contents_of(plimsoll, file) {
  const parameters = (amount) => plimsoll.format_exact(amount, 'parameters');
  const facts = [
    ['Kind', [kinds[file.kind] ?? file.kind, file.file_type, file.architecture].filter(Boolean).join(', ')],
    ['Active for one token', file.active_parameters > 0 && file.active_parameters !== file.parameters && parameters(file.active_parameters)],
    ...beside_of(file).map(({ label, amount }) => [label, parameters(amount)]),
    ['Weights in the file', file.bytes > 0 && plimsoll.format_exact(file.bytes, 'bytes')],
  ].filter(([, text]) => text);
  return h('div', { class: 'file-contents' },
    h('dl', { class: 'file-facts' }, ...facts.flatMap(([label, text]) => [h('dt', {}, label), h('dd', {}, text)])),
    folded('Number formats', file.by_dtype, (rows) => table_of(['Format', 'Tensors', 'Bytes'], rows.map((row) =>
      [row.dtype || 'not stated', count(row.tensors), plimsoll.format_bytes(row.bytes)]))),
    folded('Layers', file.groups, (groups) => table_of(['Group', 'Layers', 'Parameters'], groups.map((group) =>
      [group.label || 'All layers', group.layers > 0 && count(group.layers), count(group.parameters)]))));
}

/** What stands beside the language model, such as a vision tower: [{label, amount}]. */
function beside_of({ components, other_parameters: others }) {
  if (components && typeof components === 'object') {
    return Object.entries(components).filter(([, amount]) => amount > 0)
      .map(([id, amount]) => ({ label: capital(id.replaceAll('_', ' ')), amount }));
  }
  return others > 0 ? [{ label: 'Beside the language model', amount: others }] : [];
}

const digits = new Intl.NumberFormat('en');
const count = (amount) => digits.format(amount);
const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

function folded(title, rows, table) {
  return rows?.length > 0 && h('details', {}, h('summary', {}, title), table(rows));
}

function table_of(titles, rows) {
  return h('table', { class: 'file-table' },
    h('thead', {}, h('tr', {}, ...titles.map((title, column) => h('th', { scope: 'col', class: column > 0 && 'amount' }, title)))),
    h('tbody', {}, ...rows.map(([first, ...rest]) => h('tr', {},
      h('th', { scope: 'row' }, first), ...rest.map((text) => h('td', { class: 'amount' }, text))))));
}
