// A page of the site that is open in a browser: what readers do on it, and what they see.

import { launch_browser, load_core, open_page, serve_site, until } from './support.mjs';

export const question = 'model=llama-3-8b&device=rtx4090&task=inference&batch=4';

/** The core, the site and a browser; `open` gives a page that shows a question. */
export async function open_site() {
  const plimsoll = await load_core();
  const server = await serve_site();
  const browser = await launch_browser();
  return {
    plimsoll,
    browser,
    url: server.url,
    open: (query = question, options = {}) => open_page(browser, `${server.url}${query && `?${query}`}`, options),
  };
}

export const state_of = (page) => page.evaluate(() => globalThis.plimsoll.app.state());

/** Until the app draws no more, and the text beside it is whole: it draws only when something moves. */
export function at_rest(page) {
  const is_still = () => page.evaluate(async () => {
    const state = () => globalThis.plimsoll.app.state();
    const before = state();
    await new Promise((wake) => setTimeout(wake, 250));
    const after = state();
    const is_whole = !document.getElementById('panel').hasAttribute('aria-busy');
    return is_whole && after.frames_drawn === before.frames_drawn && !before.seeking && !after.seeking;
  });
  return until(is_still, Boolean, 'the drawing comes to rest', 20_000);
}

/** Until the text beside the drawing shows the answer that its headline tells of. */
export const text_is_whole = (page) => until(() => page.getAttribute('#panel', 'aria-busy'), (busy) => busy === null, 'the text is whole');

export const headline_of = (page) => page.evaluate(() => document.getElementById('headline').textContent);
export const notice_of = (page) => page.evaluate(() => document.getElementById('notice').textContent);
export const query_of = (page) => new URL(page.url()).search.slice(1);

export function headline(plimsoll, query) {
  const { headline: words } = plimsoll.estimate(query);
  return `${words.verdict} ${words.rest}`;
}

/** Everything that shows the state agrees on the query and on the answer. */
export async function agrees(plimsoll, page, query, what) {
  const canonical = plimsoll.estimate(query).query;
  const look = async () => ({
    url: query_of(page), html: await headline_of(page), busy: await page.getAttribute('#panel', 'aria-busy'), drawing: (await state_of(page)).query,
  });
  const holds = (seen) => seen.url === canonical && seen.drawing === canonical && seen.html === headline(plimsoll, query) && seen.busy === null;
  await until(look, holds, what);
}

/** Types a number into a row of the drawing, as a reader would: press the row, type, press Enter. */
export async function type_into_drawing(page, name, text) {
  const { rects } = await until(() => state_of(page), (state) => state.rects[`field.${name}`], `the row ${name}`);
  const [x, y, width, height] = rects[`field.${name}`];
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.click(x + width / 2, y + height / 2, { delay: 60 });
  await until(() => state_of(page), (state) => state.wantText, 'the row takes text');
  await page.keyboard.press('Control+a', { delay: 40 });
  await page.keyboard.type(text, { delay: 40 });
  await page.keyboard.press('Enter', { delay: 40 });
}

export async function open_text(page) {
  await page.click('#toggle-panel');
  if (!(await page.evaluate(() => document.getElementById('question').open))) await page.click('#question > summary');
}

/** Chooses a row of a list with search: all of its id, then Enter. */
export async function choose(page, name, id) {
  await page.fill(`#field-${name}`, id);
  await page.press(`#field-${name}`, 'Enter');
}

/** A file where it lies, which is not copied to the browser. */
export async function choose_file_on_disk(page, selector, path) {
  const client = await page.context().newCDPSession(page);
  const { root } = await client.send('DOM.getDocument');
  const { nodeId } = await client.send('DOM.querySelector', { nodeId: root.nodeId, selector });
  await client.send('DOM.setFileInputFiles', { nodeId, files: [path] });
}

/** Of a file that the page gave the browser to keep. */
export async function bytes_of(download) {
  const parts = [];
  for await (const part of await download.createReadStream()) parts.push(part);
  return Buffer.concat(parts);
}

/** What a browser does when the reader presses Ctrl+V: the clipboard of a headless one cannot be relied on. */
export const paste = (page, text) => page.evaluate((pasted) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', pasted);
  document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
}, text);

export const drop = (page, name, text) => page.evaluate(([file_name, content]) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([content], file_name, { type: 'application/json' }));
  for (const type of ['dragover', 'drop']) {
    document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
  }
}, [name, text]);
