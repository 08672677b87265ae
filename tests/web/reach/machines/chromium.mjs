// Chromium's real input: mouse, keys and fingers as the browser itself gets them.

import { with_clipboard } from '../../clipboard.mjs';
import { bytes_of } from '../../page_actions.mjs';
import { open_page } from '../../support.mjs';
import { stand_in } from './stand_in.mjs';

/** `screen`: {width, height, touch}. What went wrong on the page is in `faults`. */
export async function chromium_machine(browser, url, { touch = false, ...viewport }) {
  const phone = touch ? { hasTouch: true, isMobile: true, reducedMotion: 'reduce' } : {};
  const { page, faults } = await open_page(browser, `${url}method.html`, { viewport, before: stand_in, ...phone });
  const client = await page.context().newCDPSession(page);
  const finger = (type, ...touchPoints) => client.send('Input.dispatchTouchEvent', { type, touchPoints });
  const files = [];
  page.on('download', (file) => files.push(file));
  let to_choose = null;
  page.on('filechooser', (chooser) => chooser.setFiles(to_choose));

  return {
    faults,
    async go(query, view) {
      await page.goto(`${url}method.html`); // or another view of the same question would load nothing
      await page.goto(`${url}?${query}${view && `#${view}`}`);
      await page.waitForFunction(() => globalThis.plimsoll?.app);
    },
    run: (what, ...given) => page.evaluate(`(${what})(...${JSON.stringify(given)})`),

    async press(x, y) {
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.up();
    },
    async wheel(x, y, way) {
      await page.mouse.move(x, y);
      await page.mouse.wheel(0, way);
    },

    keys: (name) => page.keyboard.press(name),
    type: (text) => page.keyboard.type(text),

    async tap(x, y) {
      await finger('touchStart', { x, y });
      await finger('touchEnd');
    },
    /** Down and along: what is dragged stays there, since this reader wants no motion after it. */
    async drag(x, [from, ...stops]) {
      await finger('touchStart', { x, y: from });
      for (const y of stops) await finger('touchMove', { x, y });
      await finger('touchEnd');
    },
    paste_by_menu: (text) => client.send('Input.insertText', { text }),
    compose: (text) => client.send('Input.insertText', { text }),

    /** Puts a text where a paste finds it, and pastes. */
    async paste(text) {
      await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
      await page.keyboard.press('Control+v');
    },
    with_clipboard: (work) => with_clipboard(page, work),
    clipboard: () => page.evaluate(() => navigator.clipboard.readText()),
    /** {name, bytes} of the file that the page gave the browser to keep, or null. */
    async kept() {
      const file = files.shift();
      return file ? { name: file.suggestedFilename(), bytes: await bytes_of(file) } : null;
    },
    will_choose(name, text) { to_choose = { name, mimeType: 'application/json', buffer: Buffer.from(text) }; },
  };
}
