// What hardly anybody needs who only looks at an answer comes with the first sign of a reader, or with a question that needs it (public/page/more.mjs).

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

import { read_questions } from '../../cmake/split/profile.mjs';
import { at_rest, headline, headline_of, notice_of, open_site, query_of, question, state_of, type_into_drawing } from './page_actions.mjs';
import { new_page, until } from './support.mjs';
import { before, test } from './testing.mjs';

const unusual = 'model=mamba-2-2.7b&device=h100-80-sxm&task=pretrain&optimizer=muon&tensor_parallel=2';
const part = '**/plimsoll-app-more.wasm';
const asked_for = (requests) => requests.some((url) => url.endsWith('plimsoll-app-more.wasm'));

let site, browser, plimsoll, url;
before(async () => {
  site = await open_site();
  ({ browser, plimsoll, url } = site);
});

const untouched = { is_untouched: true };
const drawn = (page) => page.waitForFunction(() => globalThis.plimsoll?.app);

/** The part waits until release() is called. */
async function held_back(page) {
  let release;
  const held = new Promise((resolve) => { release = resolve; });
  await page.route(part, (route) => held.then(() => route.continue()));
  return release;
}

/** A page on which no part has come yet that a reader brings, and which would tell if it began again. */
async function open_untouched(query = question) {
  const { page, faults, requests } = await new_page(browser, { viewport: { width: 1440, height: 900 }, serviceWorkers: 'block' });
  const release = await held_back(page);
  await page.goto(`${url}?${query}`);
  await drawn(page);
  await page.evaluate(() => { globalThis.is_first = true; });
  return { page, faults, requests, release, is_first: () => page.evaluate(() => Boolean(globalThis.is_first)) };
}

/** What somebody has before them who only looks: the answer at rest. */
async function look_at(query) {
  const look = await new_page(browser, { viewport: { width: 1280, height: 800 }, serviceWorkers: 'block' });
  await look.page.goto(`${url}${query && `?${query}`}`);
  await drawn(look.page);
  await at_rest(look.page);
  return look;
}

test('somebody looks: an answer at rest, with its advice, has asked for nothing more; who moves brings it', async () => {
  const looks = ['', question, 'model=qwen3-14b&device=rtx3090&task=inference&profile=vllm&context_tokens=32768', 'model=mistral-7b-v0.3&device=rtx4090&task=finetune&method=lora',
    'model=llama-3.3-70b&device=l40s&task=inference', 'model=gemma-3-12b&device=rtx4080&task=inference&batch=3'];
  for (const query of looks) {
    const { page, faults, requests, close } = await look_at(query);
    assert.ok(!asked_for(requests), `"${query}" asks for more while somebody only looks: scripts/profile`);
    if (query === question) {
      await page.mouse.move(400, 300);
      await until(async () => asked_for(requests), Boolean, 'it is on its way');
      await at_rest(page);
    }
    assert.deepEqual(faults, []);
    await close();
  }
});

test('no question that the page is made for makes it begin again: one of ten of them', async () => {
  const texts = await Promise.all(['first', 'looks'].map((name) => readFile(new URL(`../../web/${name}.txt`, import.meta.url), 'utf8')));
  const begun_again = [];
  for (const query of texts.flatMap(read_questions).filter((_, i) => i % 10 === 0)) {
    const { faults, requests, close } = await look_at(query);
    const pages = requests.filter((one) => new URL(one).pathname === new URL(url).pathname);
    assert.notEqual(pages.length, 0, 'itself is among what it asks for');
    if (pages.length > 1) begun_again.push(query);
    assert.deepEqual(faults, [], query);
    await close();
  }
  assert.deepEqual(begun_again, [], 'functions have changed since web/seldom.txt was written: scripts/profile');
});

test('what is done before it is there waits for it, and nothing is lost', async () => {
  const { page, faults, release, is_first } = await open_untouched();
  const { rects } = await state_of(page);
  const [x, y, width, height] = rects['field.batch'];
  await page.mouse.click(x + width / 2, y + height / 2, { delay: 60 });
  const { frames_drawn } = await state_of(page);
  await page.waitForTimeout(300);
  const state = await state_of(page);
  assert.equal(state.frames_drawn, frames_drawn, 'the drawing waits');
  assert.equal(state.wantText, false);
  assert.match(state.query, /batch=4/);
  assert.equal(await page.getAttribute('html', 'aria-busy'), 'true');
  release();
  await until(() => state_of(page), ({ wantText }) => wantText, 'the press is heard');
  assert.equal(await page.getAttribute('html', 'aria-busy'), null);
  await page.keyboard.press('Control+a', { delay: 40 });
  await page.keyboard.type('2', { delay: 40 });
  await page.keyboard.press('Enter', { delay: 40 });
  await until(async () => query_of(page), (query) => query.includes('batch=2'), 'the address');
  assert.equal(await is_first(), true);
  assert.deepEqual(faults, []);
});

test('a question unlike most brings it at once, and is answered as by the whole', async () => {
  const { page, faults, requests } = await site.open(unusual, untouched);
  await drawn(page);
  assert.ok(asked_for(requests));
  assert.equal(await headline_of(page), headline(plimsoll, unusual));
  await type_into_drawing(page, 'batch', '3');
  await until(async () => query_of(page), (query) => query.includes('batch=3'), 'the address');
  assert.deepEqual(faults, []);
});

test('a question that is asked in the text waits for it', async () => {
  const { page, faults, release, is_first } = await open_untouched();
  await page.click('#toggle-panel');
  await page.evaluate(() => { document.getElementById('question').open = true; });
  await page.fill('#field-batch', '2');
  await page.keyboard.press('Enter');
  assert.match(await query_of(page), /batch=4/);
  release();
  await until(() => headline_of(page), (text) => text === headline(plimsoll, question.replace('batch=4', 'batch=2')), 'the headline');
  assert.equal(await is_first(), true);
  assert.deepEqual(faults, []);
});

test('where it is needed before it is there, the page begins again with it and with what was asked', async () => {
  const { page, release, is_first } = await open_untouched();
  await page.evaluate((query) => { setTimeout(() => globalThis.plimsoll.app.set_query(query)); }, unusual);
  release();
  await until(is_first, (is) => !is, 'the page begins again').catch(() => {});
  await drawn(page);
  assert.equal(await is_first(), false);
  assert.equal(await headline_of(page), headline(plimsoll, unusual));
  assert.match(await query_of(page), /mamba-2-2.7b/);
});

test('where it cannot be had, the question says so, what was there stays, and the next question asks again', async () => {
  const { page } = await new_page(browser, { viewport: { width: 1440, height: 900 }, serviceWorkers: 'block' });
  await page.route(part, (route) => route.abort());
  await page.goto(`${url}?${question}`);
  await drawn(page);
  await page.click('#toggle-panel');
  await page.evaluate(() => { document.getElementById('question').open = true; });
  await page.fill('#field-batch', '2');
  await page.keyboard.press('Enter');
  await until(() => notice_of(page), (text) => /could not be loaded/.test(text), 'the notice');
  assert.equal(await headline_of(page), headline(plimsoll, question));
  await page.click('#notice button');
  await page.click('.keep button[data-format="csv"]');
  await until(() => notice_of(page), (text) => /What writes the file could not be loaded/.test(text), 'the notice of the file');
  await page.unroute(part);
  await page.fill('#field-batch', '3');
  await page.keyboard.press('Enter');
  await until(() => headline_of(page), (text) => text === headline(plimsoll, question.replace('batch=4', 'batch=3')), 'the headline');
});
