// Every task of the page by mouse, by keyboard alone and by touch, in Debian's Firefox.


import { open_firefox } from './firefox.mjs';
import { keyboard } from './reach/hands/keyboard.mjs';
import { mouse } from './reach/hands/mouse.mjs';
import { touch } from './reach/hands/touch.mjs';
import { firefox_machine } from './reach/machines/firefox.mjs';
import { Reader } from './reach/reader.mjs';
import { do_all } from './reach/table.mjs';
import { load_core, serve_own_site } from './support.mjs';
import { before, test } from './testing.mjs';

let server, plimsoll, firefox;
before(async () => {
  server = await serve_own_site();
  plimsoll = await load_core();
  firefox = await open_firefox();
});

for (const hand of [mouse, keyboard, touch]) {
  test(`by ${hand.name}`, async (context) => {
    const machine = await firefox_machine(firefox, server.url, hand.screen);
    await do_all(context, new Reader(hand, machine, plimsoll));
  }, { limit_s: 600 });
}
