// The address bar is the state: what is on the screen can be reloaded, kept and passed on. Before '#' stand the question and the
// files of prices and devices that the link brings along; behind it, what is looked at.

import { entries_of, files_of, is_file, question_of } from './question.mjs';

// Browsers refuse more than a hundred changes in thirty seconds, and dragging a value makes more.
const least_ms_between_changes = 320;

// Where nobody has asked for anything, the page shows what it does; a question that names no model is asked back.
const example = 'model=llama-3-8b';

/** The question alone. */
export const query_of_page = () => question_of(location.search) || example;

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

  const address = () => {
    const search = [wanted, ...files].filter((entry) => entry !== '').join('&');
    return `${location.pathname}${search && `?${search}`}${view && `#${view}`}`;
  };
  const write = () => {
    timer = 0;
    changed_at = performance.now();
    if (address() !== location.pathname + location.search + location.hash) history.replaceState(null, '', address());
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
    if (query !== wanted) on_query(query);
    if (is_other_view) on_view(view);
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
