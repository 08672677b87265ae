// With fingers on a phone: taps, drags, and a soft keyboard, which sends texts and no keys.

import { centre_of, is_in_sight } from '../sight.mjs';

export const touch = {
  name: 'touch',
  screen: { width: 390, height: 844, touch: true },

  /** Drags what scrolls it until it can be seen. An answer that is still to come would move it: that is waited for, as a reader does. */
  async see(reader, thing) {
    const slack = 12; // of a finger, before its way counts as a drag
    await reader.rest();
    for (let drags = 0; drags < 60; ++drags) {
      const seen = await reader.find(thing);
      if (is_in_sight(seen)) return seen;
      const { window, box } = seen;
      const [x, middle] = centre_of(window);
      const room = (window.bottom - window.top) * 0.75;
      const way = Math.max(-room, Math.min(room, middle - (box.top + box.bottom) / 2));
      const start = middle - way / 2, free = start - Math.sign(way) * slack;
      await reader.machine.drag(x, [free, start, start + way / 2, start + way]);
      await reader.moved(thing, box.top);
    }
    throw new Error(`no drag brings ${thing.name ?? thing.css} into sight`);
  },

  async press(reader, thing) {
    await reader.machine.tap(...centre_of(await this.see(reader, thing)));
  },

  async enter(reader, box) {
    await this.press(reader, box);
  },

  async write(reader, text) {
    await reader.machine.compose(text);
  },

  /** From a phone's menu comes a text without a key. */
  async paste(reader, text) {
    await reader.machine.paste_by_menu(text);
  },

  async take(reader, option) {
    await this.press(reader, option);
  },
};
