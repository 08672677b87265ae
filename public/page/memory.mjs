// What the reader chose, kept in this browser only. A browser may forbid storage: then a choice holds until the page is left.

export function remembered(key) {
  try {
    return localStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

export function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch { /* see above */ }
}
