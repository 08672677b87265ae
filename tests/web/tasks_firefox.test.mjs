// Every task of the page in Debian's Firefox: each series of them by mouse, by keyboard alone or by touch, in turn; by
// each of the three in `scripts/test --whole`, as in tasks.test.mjs.

import { open_firefox } from './firefox.mjs';
import { keyboard } from './reach/hands/keyboard.mjs';
import { mouse } from './reach/hands/mouse.mjs';
import { touch } from './reach/hands/touch.mjs';
import { firefox_machine } from './reach/machines/firefox.mjs';
import { Reader } from './reach/reader.mjs';
import { do_all } from './reach/table.mjs';
import { load_core, serve_own_site } from './support.mjs';
import { before, sample, test } from './testing.mjs';

let server, plimsoll, firefox;
before(async () => {
  server = await serve_own_site();
  plimsoll = await load_core();
  firefox = await open_firefox();
});

const hands = [mouse, keyboard, touch];
for (const [i, hand] of hands.entries()) {
  test(`by ${hand.name}`, async (context) => {
    const machine = await firefox_machine(firefox, server.url, hand.screen);
    await do_all(context, new Reader(hand, machine, plimsoll), sample(hands.length, i));
  }, { limit_s: 600 });
}
