// Components of an estimate as a tree that opens to formula, symbols, source and basis.

import { h } from './element.mjs';

const basis_words = {
  counted: 'counted from the tensors', published: 'as published', measured: 'measured', assumed: 'assumed',
};

/**
 * Trees that are drawn anew for each estimate. `exact(amount, unit)` writes every digit of an amount; `label_of(field)` and
 * `on_field(field)` lead from a symbol to its control.
 */
export function open_trees({ exact, label_of, on_field }) {
  const opened = new Set(); // ids; they outlive the estimate, so a reader who compares keeps seeing the same rows

  const tree = (component, open_at_first = false) => {
    if (open_at_first && !opened.has(`seen ${component.id}`)) opened.add(component.id).add(`seen ${component.id}`);
    const folded = h('details', { class: 'component', 'data-id': component.id, open: opened.has(component.id) },
      summary_of(component), body_of(component));
    folded.addEventListener('toggle', () => {
      if (folded.open) opened.add(component.id);
      else opened.delete(component.id);
    });
    return folded;
  };

  const summary_of = (component) => h('summary', {},
    h('span', { class: 'swatch', 'data-part': component.id, 'aria-hidden': 'true' }),
    h('span', { class: 'component-label' }, component.label), ' ',
    h('span', { class: 'amount' }, component.text), ' ',
    h('span', { class: 'basis' }, component.basis));

  const body_of = (component) => h('div', { class: 'component-body' },
    component.formula && h('code', { class: 'formula' }, component.formula),
    component.symbols.length > 0 && symbols_of(component),
    h('p', { class: 'source' }, ...source_of(component)),
    component.parts.length > 0 && h('ul', { class: 'parts' }, ...component.parts.map((part) => h('li', {}, tree(part)))));

  const symbols_of = (component) => h('table', { class: 'symbols' },
    h('caption', { class: 'visually-hidden' }, `Symbols of ${component.label}`),
    h('tbody', {}, ...component.symbols.map((symbol) => h('tr', {},
      h('th', { scope: 'row' }, h('code', {}, symbol.name)),
      h('td', { class: 'amount' }, `${symbol.text} ${symbol.unit}`),
      h('td', {}, symbol.meaning, ' ', field_link(symbol.field))))));

  const field_link = (field) => label_of(field) &&
    h('button', { type: 'button', class: 'plain', click: () => on_field(field) }, `change ${label_of(field)}`);

  const source_of = (component) => {
    const range = component.low !== component.high &&
      `, between ${exact(component.low, component.unit)} and ${exact(component.high, component.unit)}`;
    const { citation } = component;
    const source = citation && (citation.url
      ? h('a', { href: citation.url, rel: 'noreferrer' }, citation.text)
      : citation.text);
    return [component.exact, range, '; ', basis_words[component.basis] ?? component.basis, source ? ': ' : '.', source];
  };

  return tree;
}
