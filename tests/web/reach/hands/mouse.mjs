// With the mouse; what is typed is typed, since a mouse has no letters.

import { centre_of, is_in_sight } from '../sight.mjs';

export const mouse = {
  name: 'mouse',
  screen: { width: 1120, height: 640 },

  /** Turns the wheel over what scrolls it until it can be seen. An answer that is still to come would move it: that is waited for, as a reader does. */
  async see(reader, thing) {
    const wheel_per_pixel = 1.25; // the drawing scrolls 80 pixels for a notch of 100
    await reader.rest();
    for (let turns = 0; turns < 40; ++turns) {
      const seen = await reader.find(thing);
      if (is_in_sight(seen)) return seen;
      const { window, box } = seen;
      const [x, y] = centre_of(window);
      await reader.machine.wheel(x, y, Math.round(((box.top + box.bottom) / 2 - y) * wheel_per_pixel) || 1);
      await reader.moved(thing, box.top);
    }
    throw new Error(`the wheel does not bring ${thing.name ?? thing.css} into sight`);
  },

  async press(reader, thing) {
    await reader.machine.press(...centre_of(await this.see(reader, thing)));
  },

  async enter(reader, box) {
    await this.press(reader, box);
  },

  async write(reader, text) {
    await reader.machine.keys('Control+a');
    await reader.machine.type(text);
  },

  async paste(reader, text) {
    await reader.machine.paste(text);
  },

  async take(reader, option) {
    await this.press(reader, option);
  },
};
