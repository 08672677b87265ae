// Pinned questions beside the present one, as text. The pins are part of the link, behind '#', where the drawing keeps them too; the
// numbers and their differences are the core's.

import { h } from './element.mjs';

const is_pin = (name) => /^pin\d+$/.test(name);

/** What is pinned, of the text behind '#'. */
export const pins_of = (view) => [...new URLSearchParams(view)].filter(([name]) => is_pin(name)).map(([, query]) => query);

/** The same text with other pins. */
export function with_pins(view, pins) {
  const others = [...new URLSearchParams(view)].filter(([name]) => !is_pin(name));
  const pinned = pins.map((query, index) => [`pin${index + 1}`, query]);
  return [...others, ...pinned].map(([name, text]) => `${name}=${encodeURIComponent(text)}`).join('&');
}

/** `view()`, `set_view(text)`: behind '#'; `given()`: the reader's own devices; `on_query(query)`: a pinned question is asked again. */
export function open_compare({ plimsoll, view, set_view, given, on_query }) {
  const box = h('div', { class: 'compare' });
  let query = '', waits = false;

  const pin = (pins) => {
    set_view(with_pins(view(), pins));
    draw();
    box.querySelector('button')?.focus();
  };

  const draw = () => {
    const pins = pins_of(view());
    box.replaceChildren(...[
      !pins.includes(query) && h('p', {}, h('button', { type: 'button', class: 'plain', 'data-pin': '', click: () => pin([...pins, query]) }, 'Pin this question'),
        pins.length === 0 && ', then change something: both stand here with every difference.'),
      pins.length > 0 && table_of(pins, compared(pins)),
    ].filter(Boolean));
  };

  /** A model that is described waits for what reads configs, once. */
  const compared = (pins) => {
    const asked = [...pins, query], answer = plimsoll.compare(asked, given());
    if (!answer.ok && !waits) {
      waits = true;
      Promise.all(asked.map((one) => plimsoll.ready_for(one))).then(draw, () => { waits = false; });
    }
    return answer;
  };

  const table_of = (pins, { ok, issues, questions, rows }) => {
    if (!ok) return h('ul', {}, ...issues.map(({ message, remedy }) => h('li', {}, `${message} ${remedy}`)));
    const column_of = (question, index) => h('th', { scope: 'col' }, index < pins.length ? question.model : 'Now',
      h('span', { class: 'row-about' }, question.ok ? question.differs || question.device : 'This question has errors.'),
      index < pins.length && h('span', { class: 'row-about' },
        h('button', { type: 'button', class: 'plain', 'data-open': index, click: () => on_query(pins[index]) }, 'open'), ' ',
        h('button', { type: 'button', class: 'plain', 'data-remove': index, click: () => pin(pins.filter((_, other) => other !== index)) }, 'remove')));
    const cell_of = (cell) => h('td', { class: 'amount' }, cell ? cell.text : '–',
      cell?.difference && h('span', { class: 'row-about' }, [cell.difference, cell.share].filter(Boolean).join(', ')));
    return h('div', { class: 'compare-table', tabindex: 0, role: 'region', 'aria-label': 'Pinned questions beside the present one' }, h('table', { class: 'moments' },
      h('caption', { class: 'visually-hidden' }, 'Numbers of each question, and how far they are from the first'),
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'What'), ...questions.map(column_of))),
      h('tbody', {}, ...rows.map(({ label, cells }) => h('tr', {}, h('th', { scope: 'row' }, label), ...cells.map(cell_of))))));
  };

  return {
    element: box,
    show(answer) {
      query = answer.query;
      draw();
    },
    /** The view has changed elsewhere. */
    redraw: () => query && draw(),
  };
}
