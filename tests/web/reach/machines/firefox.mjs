// Firefox's input as WebDriver performs it: the browser makes of it what it makes of a mouse, of keys and of fingers.

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { stand_in } from './stand_in.mjs';

// as WebDriver names them
const named = {
  Enter: '\uE007', Escape: '\uE00C', Tab: '\uE004', Shift: '\uE008', Control: '\uE009', Backspace: '\uE003', ArrowUp: '\uE013', ArrowDown: '\uE015',
};

/** `screen`: {width, height, touch}; where a phone's is narrower than a window can be, as narrow as that. */
export async function firefox_machine(firefox, url, { width, height }) {
  const { act, run } = firefox;
  await firefox.go(`${url}method.html`);
  await firefox.resize(width, height);
  const taken = new Set(await files_in(firefox.downloads));

  const pointer = (type, ...actions) => act({ type: 'pointer', id: type, parameters: { pointerType: type }, actions });
  const move = (x, y, duration = 0) => ({ type: 'pointerMove', x: Math.round(x), y: Math.round(y), duration });
  const [down, up] = [{ type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }];
  const keys_of = (name) => name.split('+').map((part) => named[part] ?? part);
  const pressed = (keys) => [...keys.map((value) => ({ type: 'keyDown', value })), ...[...keys].reverse().map((value) => ({ type: 'keyUp', value }))];
  const held = { type: 'pause', duration: 30 }; // nobody presses in no time
  const typed = (...actions) => act({ type: 'key', id: 'keyboard', actions });

  return {
    async go(query, view) {
      await firefox.go(`${url}method.html`); // or another view of the same question would load nothing
      await firefox.go(`${url}?${query}${view && `#${view}`}`);
      await run(stand_in);
      await run(async () => { while (!globalThis.plimsoll?.app) await new Promise((resume) => requestAnimationFrame(resume)); });
    },
    run,

    press: (x, y) => pointer('mouse', move(x, y), held, down, held, up),
    async wheel(x, y, way) {
      await pointer('mouse', move(x, y));
      await act({ type: 'wheel', id: 'wheel', actions: [{ type: 'scroll', x: Math.round(x), y: Math.round(y), deltaX: 0, deltaY: way, duration: 0 }] });
    },

    keys: (name) => typed(...pressed(keys_of(name))),
    type: (text) => typed(...[...text].flatMap((letter) => pressed([letter]))),

    tap: (x, y) => pointer('touch', move(x, y), down, up),
    drag: (x, [from, ...stops]) => pointer('touch', move(x, from), down, ...stops.flatMap((y) => [move(x, y), held]), up), // each in a frame of its own
    /** WebDriver knows no input method; what a soft keyboard would send comes as keys. */
    compose: (text) => typed(...[...text].flatMap((letter) => pressed([letter]))),

    async paste(text) {
      await run((copied) => navigator.clipboard.writeText(copied), text);
      await this.keys('Control+v');
    },
    /** WebDriver has no menu of a phone: the text comes by key. */
    async paste_by_menu(text) { await this.paste(text); },
    async with_clipboard(work) {
      await run(() => navigator.clipboard.writeText('')); // the hand before left something there
      await work();
    },
    clipboard: () => run(() => navigator.clipboard.readText().catch(() => '')), // refused while something is being written: asked again
    async kept() {
      const name = (await files_in(firefox.downloads)).find((one) => !taken.has(one));
      const bytes = name ? await readFile(join(firefox.downloads, name)) : '';
      if (bytes.length === 0) return null; // not yet
      taken.add(name);
      return { name, bytes };
    },
    async will_choose(name, text) {
      const folder = join(firefox.downloads, '../chosen');
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, name), text);
      await firefox.will_choose(join(folder, name));
    },
  };
}

/** Those that are whole. */
async function files_in(folder) {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => !name.endsWith('.part') && !names.includes(`${name}.part`));
}
