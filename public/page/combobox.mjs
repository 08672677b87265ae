// A text input with a list: type a few letters, choose by keyboard or pointer. The pattern is that of the ARIA Authoring
// Practices, an editable combobox whose list is filtered by what is typed. The core finds and ranks.

import { h } from './element.mjs';

/**
 * `options`: [{name, label, note}]; `search(text)` gives the names that a text finds, best first; `on_choice(name)`.
 * Gives {element, node, show}: the input, what to put into the page, a function that shows a name, and
 * set_options.
 */
export function combobox(id, options, { search, on_choice }) {
  const list_id = `${id}-list`;
  let by_name = new Map(options.map((option) => [option.name, option]));
  const list = h('ul', { class: 'options', id: list_id, role: 'listbox', hidden: true });
  const found = h('span', { class: 'visually-hidden', role: 'status' });
  const element = h('input', {
    id, type: 'text', role: 'combobox', spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off',
    'aria-autocomplete': 'list', 'aria-expanded': 'false', 'aria-controls': list_id,
  });
  let shown = ''; // the name that is set
  let rows = [];  // of the open list
  let active = -1;

  const label_of = (name) => by_name.get(name)?.label ?? (name === '' ? '' : `${name} (unknown)`);
  const is_open = () => !list.hidden;

  const mark = (index) => {
    rows[active]?.removeAttribute('data-active');
    active = index;
    rows[active]?.setAttribute('data-active', '');
    rows[active]?.scrollIntoView({ block: 'nearest' });
    if (rows[active]) element.setAttribute('aria-activedescendant', rows[active].id);
    else element.removeAttribute('aria-activedescendant');
  };

  const row_of = ({ name, label, note }, index) => h('li', {
    id: `${list_id}-${index}`, role: 'option', 'data-name': name, 'aria-selected': String(name === shown),
  }, h('span', {}, label), note && h('span', { class: 'note' }, note));

  const open = (names) => {
    rows = names.map((name) => by_name.get(name)).filter(Boolean).map(row_of);
    list.replaceChildren(...rows, rows.length === 0 ? h('li', { class: 'none', role: 'option', 'aria-disabled': 'true', 'aria-selected': 'false' }, 'Nothing has that name.') : '');
    list.hidden = false;
    element.setAttribute('aria-expanded', 'true');
  };
  const open_all = () => {
    open(options.map((option) => option.name));
    mark(options.findIndex((option) => option.name === shown));
  };
  const close = () => {
    list.hidden = true;
    list.replaceChildren();
    rows = [];
    mark(-1);
    found.textContent = '';
    element.setAttribute('aria-expanded', 'false');
  };
  const restore = () => {
    close();
    element.value = label_of(shown);
  };
  const choose = (name) => {
    shown = name;
    restore();
    element.select();
    on_choice(name);
  };

  const move = (step) => {
    if (!is_open()) return open_all();
    return mark(Math.min(rows.length - 1, Math.max(0, active + step)));
  };
  const keys = {
    ArrowDown: () => move(1), ArrowUp: () => move(-1), PageDown: () => move(8), PageUp: () => move(-8),
    Enter: () => is_open() && rows[active] && choose(rows[active].dataset.name),
    Escape: () => is_open() && restore(),
  };

  element.addEventListener('keydown', (event) => {
    if (!keys[event.key] || event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
    const was_open = is_open();
    keys[event.key]();
    if (event.key === 'Escape' && was_open) event.stopPropagation(); // it closes the list, not the panel around it
    if (event.key !== 'Escape' || was_open) event.preventDefault();
  });
  element.addEventListener('input', () => {
    open(search(element.value));
    mark(rows.length > 0 ? 0 : -1);
    found.textContent = rows.length === 0 ? 'Nothing has that name.' : `${rows.length} found`;
  });
  element.addEventListener('focus', () => element.select());
  element.addEventListener('click', () => is_open() || open_all());
  element.addEventListener('blur', restore);
  list.addEventListener('pointerdown', (event) => event.preventDefault()); // the input keeps the focus
  list.addEventListener('click', (event) => {
    const row = event.target.closest('[data-name]');
    if (row) choose(row.dataset.name);
  });

  const show = (name) => {
    shown = name;
    if (!is_open() && element.value !== label_of(name)) element.value = label_of(name);
  };
  const set_options = (next) => {
    options = next;
    by_name = new Map(options.map((option) => [option.name, option]));
    if (!is_open()) element.value = label_of(shown);
  };
  return { element, node: h('span', { class: 'combobox' }, element, list, found), show, set_options };
}
