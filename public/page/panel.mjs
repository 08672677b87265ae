// The text beside the drawing. It is always there for screen readers and search engines; sighted readers open it.

import { by_id } from './element.mjs';

const root = document.documentElement;

export function open_panel() {
  const panel = by_id('panel');
  const toggle = by_id('toggle-panel');
  const is_open = () => root.dataset.panel === 'open';

  const set_open = (open) => {
    root.dataset.panel = open ? 'open' : 'closed';
    toggle.setAttribute('aria-expanded', String(open));
  };
  const show = () => {
    set_open(true);
    panel.focus({ preventScroll: true });
  };
  const close = () => {
    set_open(false);
    toggle.focus();
  };

  toggle.addEventListener('click', () => (is_open() ? close() : show()));
  by_id('close-panel').addEventListener('click', close);
  by_id('skip').addEventListener('click', (event) => {
    event.preventDefault(); // the address is the scenario's, not the skip link's
    show();
  });
  // Tabbing into text that cannot be seen would lose the reader.
  panel.addEventListener('focusin', () => is_open() || set_open(true));
  panel.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && root.dataset.view === 'canvas') close();
  });
  open_everything_for_print();
}

/** Folded text is not printed, and paper cannot be unfolded. */
function open_everything_for_print() {
  let folded = [];
  window.addEventListener('beforeprint', () => {
    folded = [...document.querySelectorAll('main details:not([open])')];
    for (const details of folded) details.open = true;
  });
  window.addEventListener('afterprint', () => {
    for (const details of folded) details.open = false;
    folded = [];
  });
}
