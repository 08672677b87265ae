// Every task of the page by mouse, by keyboard alone and by touch, in Chromium.

import assert from 'node:assert/strict';

import { open_site } from './page_actions.mjs';
import { keyboard } from './reach/hands/keyboard.mjs';
import { mouse } from './reach/hands/mouse.mjs';
import { touch } from './reach/hands/touch.mjs';
import { chromium_machine } from './reach/machines/chromium.mjs';
import { Reader } from './reach/reader.mjs';
import { do_all } from './reach/table.mjs';
import { before, test } from './testing.mjs';

let site;
before(async () => { site = await open_site(); });

for (const hand of [mouse, keyboard, touch]) {
  test(`by ${hand.name}`, async (context) => {
    const machine = await chromium_machine(site.browser, site.url, hand.screen);
    await do_all(context, new Reader(hand, machine, site.plimsoll));
    assert.deepEqual(machine.faults, []);
  }, { limit_s: 600 });
}
