// A reader of the page: a hand, a machine that it works on, and eyes. What tasks are made of.

import assert from 'node:assert/strict';

import { until } from '../support.mjs';
import { eyes } from './eyes.mjs';

const patience_ms = 30_000; // on a machine that does much else

export class Reader {
  constructor(hand, machine, plimsoll) {
    this.hand = hand;
    this.machine = machine;
    this.plimsoll = plimsoll;
  }

  eyes(...question) { return this.machine.run(eyes, ...question); }
  rest() { return this.eyes('rest', 2000); }
  moved(thing, top) { return this.eyes('moved', thing, top, 1200); }
  page() { return this.eyes('page'); }
  state() { return this.eyes('state'); }
  look(thing) { return this.eyes('look', thing); }
  names(role) { return this.eyes('names', role); }

  /** Where a thing stands still. */
  async find(thing) {
    const seen = await this.eyes('find', thing, patience_ms);
    if (!seen) assert.fail(`${JSON.stringify(thing)} is not there; there are ${JSON.stringify(await this.eyes('names', thing.role ?? 'button'))}`);
    return seen;
  }

  /** Until what `look` sees holds. */
  until(look, holds, what) { return until(look, holds, what, patience_ms); }
  sees(thing, holds = Boolean, what = JSON.stringify(thing)) { return this.until(() => this.look(thing), holds, what); }

  gone(thing) { return this.sees(thing, (seen) => seen === null, `${JSON.stringify(thing)} is gone`); }
  has_copied(text) { return this.until(() => this.machine.clipboard(), (copied) => copied.includes(text), 'the clipboard'); }

  /** On the clipboard, or with the share sheet: the address of what is on the screen. */
  async has_link() {
    const address = await this.eyes('address');
    return this.until(async () => (await this.page()).shared || this.machine.clipboard(), (text) => text === address, 'the link');
  }

  /** The page and the drawing alike. */
  is_dark(dark) {
    const look = async () => [(await this.page()).theme === 'dark', (await this.state()).dark];
    return this.until(look, (both) => both.every((one) => one === dark), dark ? 'dark' : 'light');
  }

  async visit(query, view = '') {
    await this.machine.go(query, view);
    await this.until(() => this.names('combobox'), ({ length }) => length > 0, 'the widgets of the drawing');
  }

  /** To another question on the page that is open. */
  async recall(query, view) {
    await this.eyes('recall', query, view);
    await this.rest();
  }

  see(thing) { return this.hand.see(this, thing); }
  press(thing) { return this.hand.press(this, thing); }

  /** Replaces what stands in a text box. */
  async fill(box, text) {
    await this.hand.enter(this, box);
    await this.takes_text(box);
    await this.hand.write(this, text);
    await this.rest();
  }

  async paste(box, text) {
    await this.hand.enter(this, box);
    await this.takes_text(box);
    await this.hand.paste(this, text);
  }

  /** Opens a list, searches in it where it is long, and takes a row. */
  async choose(list, option, search = '') {
    await this.press(list);
    await this.find({ ...option, name: '' });
    if (search) {
      await this.takes_text(list);
      await this.hand.write(this, search);
      await this.rest(); // until the list has become as short as it will be
    }
    await this.hand.take(this, option);
  }

  takes_text(box) {
    const is_ready = box.css ? async () => (await this.look(box)).active : async () => (await this.state()).wantText;
    return this.until(is_ready, Boolean, 'a text box takes text');
  }
}
