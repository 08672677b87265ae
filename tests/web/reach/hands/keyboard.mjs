// With the keyboard alone, from the moment the page is there: Tab, arrows, Enter, Escape and letters.

import assert from 'node:assert/strict';

const most_presses = 200;

export const keyboard = {
  name: 'keyboard',
  screen: { width: 700, height: 420 },
  skips: true, // offered to it alone: the link at the top that leads to the text

  /** Moves the keyboard there, which also scrolls there. */
  async see(reader, thing) {
    await reader.find(thing);
    await (thing.css ? to_element(reader, thing) : to_widget(reader, thing));
    return reader.find(thing);
  },

  async press(reader, thing) {
    await this.see(reader, thing);
    await reader.machine.keys('Enter');
  },

  /** Tab opens a text box of the page, and one of the drawing that can be seen; Enter the others. */
  async enter(reader, box) {
    await this.see(reader, box);
    await reader.rest();
    if (!box.css && !(await reader.state()).wantText) await reader.machine.keys('Enter');
  },

  async write(reader, text) {
    await reader.machine.keys('Control+a');
    await reader.machine.type(text);
  },

  /** The marked row of a list: the arrows move the mark. */
  async paste(reader, text) {
    await reader.machine.paste(text);
  },

  async take(reader, option) {
    await reader.find(option);
    for (let presses = 0; presses < most_presses; ++presses) {
      const { is_there, way } = await reader.eyes('keyboard', option);
      if (is_there) return reader.machine.keys('Enter');
      await reader.machine.keys(way >= 0 ? 'ArrowDown' : 'ArrowUp');
      await reader.rest();
    }
    return assert.fail(`the arrows do not lead to ${option.name}`);
  },
};

/** Through the drawing; many presses at once where the way is known. */
async function to_widget(reader, thing) {
  await into_drawing(reader);
  let most = 20, before = Infinity; // fewer when the last were too many: not every widget stops the Tab key
  for (let presses = 0; presses < most_presses;) {
    const { is_there, way } = await reader.eyes('keyboard', thing);
    if (is_there) return;
    if (way !== 0 && Math.abs(way) >= before) most = Math.ceil(most / 2);
    before = Math.abs(way) || Infinity;
    const steps = Math.max(1, Math.min(most, Math.abs(way)));
    for (let i = 0; i < steps; ++i) await reader.machine.keys(way < 0 ? 'Shift+Tab' : 'Tab');
    presses += steps;
    await reader.rest();
  }
  assert.fail(`Tab does not lead to the ${thing.role} ${thing.name}`);
}

async function into_drawing(reader) {
  for (let presses = 0; presses < most_presses; ++presses) {
    const { in_drawing, after } = await reader.eyes('keyboard', { css: '#canvas' });
    if (in_drawing) return;
    await step(reader, after ? 'Tab' : 'Shift+Tab');
  }
  assert.fail('Tab does not lead into the drawing');
}

/** Out of the drawing, and through the page. */
async function to_element(reader, thing) {
  for (let presses = 0; presses < most_presses; ++presses) {
    const { in_drawing, is_there, after } = await reader.eyes('keyboard', thing);
    if (is_there) return;
    if (in_drawing) await reader.machine.keys('Escape');
    else await step(reader, after ? 'Tab' : 'Shift+Tab');
  }
  assert.fail(`Tab does not lead to ${thing.css}`);
}

/** One press outside the drawing: what gets the focus can be seen, and seen to have it. */
async function step(reader, key) {
  await reader.machine.keys(key);
  await reader.until(() => reader.eyes('focus'), ({ id, seen, marked }) => id === '' || (seen && marked), 'what has the focus can be seen, and seen to have it');
}
