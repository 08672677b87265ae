// Every task of the page by mouse, by keyboard alone and by touch, in Debian's Firefox.

import { after, before, test } from 'node:test';

import { keyboard } from './reach/hands/keyboard.mjs';
import { mouse } from './reach/hands/mouse.mjs';
import { touch } from './reach/hands/touch.mjs';
import { firefox_machine, open_firefox } from './reach/machines/firefox.mjs';
import { Reader } from './reach/reader.mjs';
import { do_all } from './reach/table.mjs';
import { load_core, serve_site } from './support.mjs';

/** What a task needs and WebDriver does not give, with the reason. */
const lacking = {
  'files are chosen': 'Firefox asks for a file with a window of the system, which WebDriver cannot press',
};

let server, plimsoll, firefox;
before(async () => {
  server = await serve_site();
  plimsoll = await load_core();
  firefox = await open_firefox();
});
after(async () => {
  await firefox?.close();
  await server?.close();
});

for (const hand of [mouse, keyboard, touch]) {
  test(`by ${hand.name}`, async (context) => {
    const machine = await firefox_machine(firefox, server.url, hand.screen);
    await do_all(context, new Reader(hand, machine, plimsoll), ({ needs }) => lacking[needs]);
  });
}
