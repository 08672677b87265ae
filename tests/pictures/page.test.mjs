// The page as readers see it, against approved pictures. README.md of this folder says how to approve new ones.


import { at_rest, open_site } from '../web/page_actions.mjs';
import { check } from './compare.mjs';
import { page_states, today } from './states.mjs';
import { before, test } from '../web/testing.mjs';

let site;
before(async () => { site = await open_site(); });

for (const state of page_states) {
  test(state.name, async () => {
    const { page } = await site.open(`${state.query}${state.view ? `#${state.view}` : ''}`, {
      viewport: { width: state.size[0], height: state.size[1] }, deviceScaleFactor: state.ratio ?? 1, dark: state.dark ?? false,
      reducedMotion: 'reduce', before: prepare, before_argument: { today, has_drawing: state.shows !== 'text' },
    });
    await page.waitForFunction((shows) => document.documentElement.dataset.view === shows, state.shows ?? 'canvas');
    if (state.text) await page.click('#toggle-panel');
    await page.evaluate(() => document.fonts.ready);
    if (state.shows !== 'text') await at_rest(page);
    await check(state.name, await page.screenshot({ animations: 'disabled', caret: 'hide' }), state.factor);
  });
}

/** In the page, before its own scripts: the day is fixed, and WebGL 2 is missing where it should be. */
function prepare({ today, has_drawing }) {
  const now = Date.parse(today);
  const Real = Date;
  globalThis.Date = class extends Real {
    constructor(...given) { super(...(given.length > 0 ? given : [now])); }
    static now() { return now; }
  };
  if (!has_drawing) HTMLCanvasElement.prototype.getContext = () => null;
}
