// The address bar is the state: what is on the screen can be reloaded, kept and passed on. Before '#' stand the question and the
// files of prices and devices that the link brings along; behind it, what is looked at.

import { entries_of, example, files_of, is_file, question_of } from './question.mjs';

// What is asked for so long is a step of its own: back and forth go through such steps.
const settled_ms = 1500;

// Browsers refuse more than a hundred changes in thirty seconds, and dragging a value makes more.
const least_ms_between_changes = 320;

/** The question alone. */
export const query_of_page = () => question_of(location.search) || example;

/** Nobody has asked for anything: the page shows an example. */
export const is_empty_address = () => question_of(location.search) === '' && location.hash.length < 2;

/** {prices, devices}: where the link says that they lie, as text; '' where it says nothing. */
export const files_of_page = () => files_of(location.search);

export const view_of_page = () => location.hash.slice(1);

/** Functions that write into the address, and calls of `on_query` and `on_view` when the reader goes back or forth. */
export function open_address({ on_query, on_view }) {
  let wanted = query_of_page();
  let files = entries_of(location.search).filter(is_file);
  let view = view_of_page();
  let changed_at = -Infinity;
  let timer = 0;
  let asked_at = performance.now(); // when the question on the screen was first asked

  const address = () => {
    const search = [wanted, ...files].filter((entry) => entry !== '').join('&');
    return `${location.pathname}${search && `?${search}`}${view && `#${view}`}`;
  };
  const write = () => {
    timer = 0;
    changed_at = performance.now();
    if (address() === location.pathname + location.search + location.hash) return;
    const is_new = is_step(), step = (history.state?.step ?? 0) + (is_new ? 1 : 0);
    history[is_new ? 'pushState' : 'replaceState']({ step }, '', address());
  };
  /** Another question, after one that stood for a while: dragging a value leaves one step, not hundreds. */
  const is_step = () => {
    const is_other = query_of_page() !== wanted, before = asked_at;
    if (is_other) asked_at = performance.now();
    return is_other && question_of(location.search) !== '' && performance.now() - before > settled_ms;
  };
  const write_soon = () => {
    if (timer) return;
    const wait = Math.max(0, least_ms_between_changes - (performance.now() - changed_at));
    if (wait === 0) write();
    else timer = setTimeout(write, wait);
  };

  window.addEventListener('popstate', () => {
    const query = query_of_page(), is_other_view = view_of_page() !== view;
    view = view_of_page(); // before another question is asked, which writes the address
    asked_at = performance.now();
    if (query !== wanted) on_query(query);
    if (is_other_view) on_view(view);
  });
  // Undo and redo, as in any program; the first question is where undoing ends, not the site before this one.
  window.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, shiftKey, altKey, target } = event;
    if (!(ctrlKey || metaKey) || altKey || (target instanceof HTMLElement && target.matches('input:not([type=checkbox]), textarea, select'))) return;
    const undoes = key.toLowerCase() === 'z' && !shiftKey, redoes = (key.toLowerCase() === 'z' && shiftKey) || key.toLowerCase() === 'y';
    if (!undoes && !redoes) return;
    event.preventDefault();
    if (redoes) history.forward();
    else if (history.state?.step > 0) history.back();
  });
  window.addEventListener('pagehide', () => timer && write());

  return {
    set(query) {
      wanted = query;
      write_soon();
    },
    /** Behind '#', even when the address bar is a moment behind. */
    view: () => view,
    set_view(text) {
      view = text;
      write_soon();
    },
    /** A file that came another way takes the place of the link's. */
    forget_file(kind) {
      files = files.filter((entry) => !entry.startsWith(`${kind}=`));
      write_soon();
    },
    /** The whole link, even when the address bar is a moment behind. */
    link: () => new URL(address(), location.href).href,
  };
}
