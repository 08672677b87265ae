// Questions that were asked in this browser before, for who comes back. They are kept in it and go nowhere.

import { remember, remembered } from './memory.mjs';

const key = 'plimsoll-recent';
const most = 5;

/** [{query, about}], the latest first. What the storage holds may be anybody's: nothing but such rows is taken. */
export function recent_questions() {
  try {
    const rows = JSON.parse(remembered(key) || '[]');
    return rows.filter((row) => typeof row?.query === 'string' && typeof row?.about === 'string').slice(0, most);
  } catch {
    return [];
  }
}

/** Of questions about the same, the latest stays. */
export function remember_question(query, about) {
  const others = recent_questions().filter((row) => row.about !== about);
  remember(key, JSON.stringify([{ query, about }, ...others].slice(0, most)));
}
