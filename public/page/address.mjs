// The address bar is the state: what is on the screen can be reloaded, kept and passed on.

// Browsers refuse more than a hundred changes in thirty seconds, and dragging a value makes more.
const least_ms_between_changes = 320;

export const query_of_page = () => location.search.slice(1);

/** A function that writes a query into the address, and one that calls `on_query` when the reader goes back or forth. */
export function open_address(on_query) {
  let wanted = query_of_page();
  let changed_at = -Infinity;
  let timer = 0;

  const write = () => {
    timer = 0;
    changed_at = performance.now();
    if (wanted !== query_of_page()) history.replaceState(null, '', wanted === '' ? location.pathname : `?${wanted}`);
  };

  window.addEventListener('popstate', () => {
    if (query_of_page() !== wanted) on_query(query_of_page());
  });
  window.addEventListener('pagehide', () => timer && write());

  return {
    set(query) {
      wanted = query;
      if (timer) return;
      const wait = Math.max(0, least_ms_between_changes - (performance.now() - changed_at));
      if (wait === 0) write();
      else timer = setTimeout(write, wait);
    },
    /** The whole link, even when the address bar is a moment behind. */
    link: () => new URL(`?${wanted}`, location.href).href,
  };
}
