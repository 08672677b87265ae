// What the tabs beside the first need comes when one of them is opened.

import assert from 'node:assert/strict';

import { at_rest, open_site, state_of } from './page_actions.mjs';
import { picture, until } from './support.mjs';
import { before, test } from './testing.mjs';

let site;
before(async () => {
  site = await open_site();
});

const tabs = '**/plimsoll-app-rest.wasm';

/** The page at `link`, with the requests for what its tabs need. */
async function open(link, prepare = () => {}) {
  const opened = await site.open('', { serviceWorkers: 'block', viewport: { width: 1440, height: 900 } }); // which would fetch all files to keep them
  const asked = [];
  opened.page.on('request', (request) => new URL(request.url()).pathname.endsWith('/plimsoll-app-rest.wasm') && asked.push(request.url()));
  await prepare(opened.page);
  await opened.page.goto(`${site.url}${link}`);
  await opened.page.waitForFunction(() => document.documentElement.dataset.view === 'canvas');
  await at_rest(opened.page);
  await opened.page.evaluate(() => globalThis.plimsoll.more.load()); // as with the first sign of a reader
  return { ...opened, asked };
}

const show = (page, tab) => page.evaluate((view) => globalThis.plimsoll.app.set_view(view), `tab=${tab}`);

test('who stays with the breakdown fetches nothing of the other tabs; who opens one, once', async () => {
  const { page, faults, asked } = await open('?model=llama-3.1-8b&device=h100-80-sxm&profile=vllm');
  assert.deepEqual(asked, []);
  for (const tab of ['time', 'devices', 'timeline', 'compare', 'sources', 'fields', 'plan', 'breakdown', 'time']) {
    await show(page, tab);
    await until(() => state_of(page), (state) => state.tab === tab && !state.seeking, tab);
    await at_rest(page);
  }
  assert.equal(asked.length, 1);
  assert.deepEqual(faults, []);
});

test('a link to a plan finds it, with all that it compares', async () => {
  const { page, faults, asked } = await open('?model=llama-3.1-8b&device=h100-80-sxm&task=finetune#tab=plan&objective=time&gpus=8&pin1=model%3Dllama-3-8b%26device%3Drtx4090');
  await until(() => state_of(page), (state) => 'plan.csv' in state.rects, 'the plans');
  assert.equal(asked.length, 1);
  assert.deepEqual(faults, []);
});

test('a tab that cannot be loaded says so, and is loaded once there is a connection', async () => {
  const { page, asked } = await open('?model=llama-3.1-8b&device=h100-80-sxm', (one) => one.route(tabs, (route) => route.abort()));
  await show(page, 'time');
  const state = await until(() => state_of(page), ({ rects }) => 'tab.again' in rects, 'the way to try again');
  await picture(page, 'tab-not-loaded');
  await page.unroute(tabs);
  const { x, y } = await page.locator('#canvas').boundingBox();
  const [left, top, width, height] = state.rects['tab.again'];
  await page.mouse.click(x + left + width / 2, y + top + height / 2);
  await until(() => state_of(page), ({ rects }) => 'load' in rects, 'the tab');
  assert.equal(asked.length, 2);
});
