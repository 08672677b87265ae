/** Runs in the page: in place of what lies outside it, the share sheet and other sites. */
export function stand_in() {
  navigator.share = async (what) => { window.shared = what; };
  window.open = (address) => { window.opened = address; };
}
