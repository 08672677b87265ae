// models.html, with a script: a search box, and headings that sort. Without one, the table is the same, in order of names.

import { by_id, h } from './element.mjs';

const table = by_id('models');
const body = table.tBodies[0];
const rows = [...body.rows];
const collator = new Intl.Collator('en', { numeric: true });

/** The value that a column is sorted by; null sorts behind everything. */
function value_of(row, column) {
  const cell = row.cells[column];
  if (cell.dataset.amount === undefined) return cell.textContent;
  return cell.dataset.amount === '' ? null : Number(cell.dataset.amount);
}

function compare(a, b) {
  return typeof a === 'string' ? collator.compare(a, b) : a - b;
}

function sort_by(heading, column) {
  const falls = heading.getAttribute('aria-sort') === 'ascending' || (!heading.hasAttribute('aria-sort') && heading.classList.contains('amount'));
  for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
  heading.setAttribute('aria-sort', falls ? 'descending' : 'ascending');
  const sorted = rows.map((row) => ({ row, value: value_of(row, column) })).sort((a, b) => {
    if (a.value === null || b.value === null) return (a.value === null) - (b.value === null);
    return falls ? compare(b.value, a.value) : compare(a.value, b.value);
  });
  body.append(...sorted.map(({ row }) => row));
}

function make_sortable(heading, column) {
  heading.replaceChildren(h('button', { type: 'button', class: 'sort', click: () => sort_by(heading, column) }, heading.textContent));
}

/** Rows in which every word of `text` stands somewhere: name, family, id, alias, reason, source. */
function filter(text, status) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const row of rows) {
    const has = `${row.textContent} ${row.dataset.words}`.toLowerCase();
    row.hidden = !words.every((word) => has.includes(word));
    if (!row.hidden) ++shown;
  }
  status.textContent = words.length === 0 ? '' : `${shown} of ${rows.length}`;
}

const status = h('span', { role: 'status', class: 'quiet' });
const box = h('input', { type: 'search', id: 'models-search', spellcheck: 'false', autocomplete: 'off', input: () => filter(box.value, status) });
table.before(h('p', { class: 'models-search' }, h('label', { for: 'models-search' }, 'Search'), ' ', box, ' ', status));
[...table.tHead.rows[0].cells].slice(0, -1).forEach(make_sortable);
