// Tells screen readers the new headline, once the reader has stopped changing things.

import { by_id } from './element.mjs';
import { spoken } from './issues.mjs';

const pause_ms = 700;

export function open_speaker() {
  let timer = 0;
  let last = null;
  const say = (text) => { by_id('announcer').textContent = text; };
  const show = (answer) => {
    const text = answer.ok ? `${answer.headline.verdict} ${answer.headline.rest}` : `No estimate. ${spoken(answer.issues)}`;
    const is_first = last === null;
    if (text === last) return;
    last = text;
    clearTimeout(timer);
    if (!is_first) timer = setTimeout(() => say(text), pause_ms); // the first one is read with the page
  };
  return { say, show };
}
