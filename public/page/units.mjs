// GiB or GB, for all amounts of memory at once: as the reader said last, in this browser only.

import { remember, remembered } from './memory.mjs';

const key = 'plimsoll-units';
const names = { gib: 'GiB', gb: 'GB' };
const other = (chosen) => (chosen === 'gb' ? 'gib' : 'gb');

/** "gib" or "gb". */
export const units_chosen = () => (remembered(key) === 'gb' ? 'gb' : 'gib');

/** `set` tells the estimator how it is to write; `on_change()` is called when it writes otherwise than before. */
export function open_units(button, set, on_change) {
  let chosen = units_chosen();

  const apply = () => {
    set(chosen);
    button.textContent = names[other(chosen)];
    button.setAttribute('aria-label', `Write memory in ${names[other(chosen)]}`);
  };
  const choose = (units) => {
    if (units === chosen) return;
    chosen = units;
    remember(key, chosen);
    apply();
    on_change();
  };

  button.addEventListener('click', () => choose(other(chosen)));
  apply();
  return { choose };
}
