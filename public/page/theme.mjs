// Light or dark: as the system says until the reader says otherwise; then as the reader said, in this browser only.

import { remember, remembered } from './memory.mjs';

const key = 'plimsoll-theme';

/** `on_change(dark)` is called at once and on every change. */
export function open_theme(button, on_change) {
  const system = matchMedia('(prefers-color-scheme: dark)');
  let chosen = remembered(key);
  const is_dark = () => (chosen === '' ? system.matches : chosen === 'dark');

  const apply = () => {
    document.documentElement.dataset.theme = is_dark() ? 'dark' : 'light';
    button.textContent = is_dark() ? 'Light' : 'Dark';
    on_change(is_dark());
  };
  const choose = (dark) => {
    if (dark === is_dark()) return;
    chosen = dark ? 'dark' : 'light';
    remember(key, chosen);
    apply();
  };

  button.addEventListener('click', () => choose(!is_dark()));
  system.addEventListener('change', apply);
  apply();
  return { is_dark, choose };
}
