// Looks at answers in a browser, counts which functions of the page's module run, and writes those of them that none of it needs: a page that somebody only
// looks at does without (cmake/split/usage.mjs). scripts/profile calls it, with the site in build/site and what that was cut from in build/wasm-release.
//
//   node scripts/seldom.mjs QUESTIONS... OUT     files of questions, one on each line; two seconds for each
//
// A look is the page as it comes, in the light or the dark, on a large screen or a phone, at rest, and what a pointer finds that moves over it. What somebody
// may do at once is done once: a key, a press, a tap, a turn of the wheel, another size, theme or units.

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { imported_functions } from '../cmake/split/binary.mjs';
import { tools_in } from '../cmake/split/binaryen.mjs';
import { read_names } from '../cmake/split/parts.mjs';
import { functions_in, read_questions, written_profile } from '../cmake/split/profile.mjs';
import { write_seldom } from '../cmake/split/usage.mjs';
import { at_rest, state_of } from '../tests/web/page_actions.mjs';
import { launch_browser, open_page, repository, serve_folder, site } from '../tests/web/support.mjs';

const out = process.argv.at(-1);
const questions = process.argv.slice(2, -1).flatMap((path) => read_questions(readFileSync(path, 'utf8')));
const whole = join(repository, 'build/wasm-release/imgui_app/whole/plimsoll-app');
const tool = tools_in(join(repository, '.deps/emscripten/bin'));
const nothing = Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]); // a module

const folder = mkdtempSync(join(tmpdir(), 'looks-'));
process.on('exit', () => rmSync(folder, { recursive: true }));
cpSync(site, folder, { recursive: true });
tool('wasm-split', '--instrument', `${whole}.wasm`, '-o', join(folder, 'plimsoll-app.wasm'));
for (const part of ['answers', 'drawing', 'more', 'rest', 'files']) writeFileSync(join(folder, `plimsoll-app-${part}.wasm`), nothing);

const server = await serve_folder(folder, '/');
const browser = await launch_browser();
const ran = new Set();

const large = { viewport: { width: 1440, height: 900 } }, phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true };
for (const [i, question] of ['', ...questions].entries()) {
  const looks = i < 2 ? [large, { ...large, dark: true }, phone] : [{ ...large, dark: i % 2 === 0 }];
  for (const look of looks) {
    const { page, faults, close } = await open_page(browser, `${server.url}${question && `?${question}`}`, look);
    await at_rest(page);
    if (i % 9 < 2) await point_at_all(page); // which takes as long as five looks
    if (i === 1) await (look === phone ? tap : touch)(page);
    await at_rest(page);
    const before = ran.size;
    for (const id of await functions_run(page)) ran.add(id);
    await close();
    console.log(`${ran.size - before} more functions: ${question}${faults.length ? `, FAULTS ${faults.join('; ')}` : ''}`);
  }
}

const names = read_names(readFileSync(`${whole}.mjs.symbols`, 'utf8'), imported_functions(readFileSync(`${whole}.wasm`)));
const candidates = JSON.parse(readFileSync(`${whole}.wasm.names.json`, 'utf8'));
writeFileSync(out, write_seldom(candidates, new Set([...ran].map(names))));
process.exit(0); // the browser is closed with it

async function point_at_all(page) {
  const { rects } = await state_of(page);
  for (const [x, y, width, height] of Object.values(rects)) await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.move(4, 4);
}

/** What is heard before anything else comes, where it leads to nothing. */
async function touch(page) {
  const box = await page.locator('#canvas').boundingBox();
  await page.mouse.click(box.x + 3, box.y + box.height - 3, { delay: 60 });
  await page.mouse.wheel(0, 40);
  await page.focus('#canvas');
  for (const key of ['a', '1', 'ArrowDown', 'Tab', 'Escape', 'Control+a']) await page.keyboard.press(key, { delay: 40 });
  for (const id of ['theme', 'theme', 'units', 'units', 'toggle-panel']) await page.evaluate((one) => document.getElementById(one).click(), id);
  await page.evaluate(() => { document.getElementById('question').open = true; });
  await page.fill('#field-model', 'qwen');
  await page.fill('#field-model', 'llama-3.1-8b');
  await page.fill('#field-batch', '2');
  await page.keyboard.press('Tab');
  await page.setViewportSize({ width: 1000, height: 700 });
  await page.evaluate(() => {
    const { app } = globalThis.plimsoll;
    app.hold(true);
    app.hold(false);
    return app.asked();
  });
}

async function tap(page) {
  const box = await page.locator('#canvas').boundingBox();
  await page.touchscreen.tap(box.x + 3, box.y + box.height - 3);
}

/** Ids. */
async function functions_run(page) {
  const bytes = await page.evaluate(`(() => {
    const exports = globalThis.plimsoll.app.wasmExports, memory = Object.values(exports).find((one) => one instanceof WebAssembly.Memory);
    return Array.from((${written_profile})({ exports, memory }));
  })()`);
  const profile = join(folder, 'profile');
  writeFileSync(profile, Uint8Array.from(bytes));
  return functions_in(profile, `${whole}.wasm`, tool);
}
