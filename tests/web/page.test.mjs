// The page has one state, whether it comes from the link, the drawing, the form or the history, and sends nothing.

import assert from 'node:assert/strict';

import { with_clipboard } from './clipboard.mjs';
import {
  agrees, choose, headline, headline_of, open_site, open_text, query_of, question, state_of, text_is_whole, type_into_drawing,
} from './page_actions.mjs';
import { picture, until } from './support.mjs';
import { before, test } from './testing.mjs';

let site, plimsoll, url;
before(async () => {
  site = await open_site();
  ({ plimsoll, url } = site);
});

test('a link opens the drawing and the same result as text', async () => {
  const { page, faults } = await site.open();
  await agrees(plimsoll, page, question, 'the link');
  const state = await state_of(page);
  assert.equal(state.ok, true);
  assert.ok(state.frames_drawn > 0 && state.displayW > 1000);

  const answer = plimsoll.explain(question);
  const text = await page.evaluate(() => document.getElementById('panel').textContent);
  for (const part of answer.explanation.memory.parts) {
    assert.ok(text.includes(part.label) && text.includes(part.exact), part.id);
  }
  for (const moment of answer.estimate.moments) assert.ok(text.includes(moment.label) && text.includes(moment.text));
  assert.ok(text.includes(answer.headline.detail));
  assert.equal(await page.title(), 'Fits. Llama 3 8B, GeForce RTX 4090 24GB · Plimsoll');
  assert.ok((await picture(page, 'light')).length > 20_000, 'the canvas is not blank');
  assert.deepEqual(faults, []);
});

test('the text has the four numbers, every reason for their spread and every pipeline rank', async () => {
  const query = 'model=llama-3-8b&device=h100-80-sxm&task=pretrain&tensor_parallel=2&pipeline_parallel=4';
  const { page, faults } = await site.open(query);
  const { estimate, headline: words } = plimsoll.estimate(query);
  const { memory } = estimate;
  await open_text(page);
  const rows_of = (title) => page.evaluate((title) => {
    const section = [...document.querySelectorAll('#result section')].find((one) => one.querySelector('h3').textContent === title);
    return [...section.querySelectorAll('tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent));
  }, title);
  const numbers = [memory.requested, memory.allocated, memory.reserved, memory.process];
  assert.deepEqual(await rows_of('Memory of one process'), [
    ...numbers.map(({ label, about, text, range_text }) => [`${label}${about}`, text, range_text]),
    ['Usable on the device', estimate.usable_text, ''],
  ]);
  assert.ok(memory.uncertainties.length > 0);
  assert.deepEqual(await rows_of('Why the process may take less or more'),
    memory.uncertainties.map(({ label, less_text, more_text, basis }) => [label, less_text, more_text, basis]));
  assert.deepEqual(await rows_of('Pipeline ranks'), estimate.ranks.map(({ rank, text, label }) =>
    [`Rank ${rank}${rank === estimate.rank ? ' (fullest)' : ''}`, text, label]));
  assert.ok(words.detail.startsWith(`Pipeline rank ${estimate.rank} of 4 is fullest: `));
  assert.deepEqual(faults, []);
});

test('another model beside the one that trains is chosen from the catalogue, and taken back', async () => {
  const query = 'model=llama-3-8b&device=h100-80-sxm&task=finetune&preference=dpo';
  const { page, faults } = await site.open(query);
  await open_text(page);
  assert.equal(await page.inputValue('#field-reference_model'), 'the model itself');
  await choose(page, 'reference_model', 'llama-3.2-1b');
  await agrees(plimsoll, page, `${query}&reference_model=llama-3.2-1b`, 'after choosing a reference model');
  await page.click('#field-reference_model');
  await page.click('#field-reference_model-list [data-name=""]');
  await agrees(plimsoll, page, query, 'after choosing the model itself');
  assert.deepEqual(faults, []);
});

test('a change in the drawing changes address and text', async () => {
  const { page, faults } = await site.open();
  await type_into_drawing(page, 'batch', '2');
  await agrees(plimsoll, page, 'model=llama-3-8b&device=rtx4090&batch=2', 'after typing into the drawing');
  assert.deepEqual(faults, []);
});

test('a change in the form changes address and drawing, and leaves what is typed alone', async () => {
  const { page, faults } = await site.open();
  await open_text(page);
  await page.fill('#field-context_tokens', '4096');
  await agrees(plimsoll, page, `${question}&context_tokens=4096`, 'after typing into the form');
  assert.equal(await page.inputValue('#field-context_tokens'), '4096');
  await choose(page, 'device', 'h100-80-sxm');
  await agrees(plimsoll, page, `${question.replace('rtx4090', 'h100-80-sxm')}&context_tokens=4096`, 'after choosing a device');
  await page.keyboard.press('Tab');
  await page.click('[data-field=batch] .reset');
  await agrees(plimsoll, page, 'model=llama-3-8b&device=h100-80-sxm&context_tokens=4096', 'after a reset');
  await picture(page, 'light-with-text');
  assert.deepEqual(faults, []);
});

test('a model is found by its first letters, with the keyboard alone', async () => {
  const { page, faults } = await site.open();
  await open_text(page);
  await page.focus('#field-model');
  await page.keyboard.type('qwen3-c');
  const names = () => page.locator('#field-model-list [role=option]').evaluateAll((rows) => rows.map((row) => row.dataset.name));
  assert.deepEqual(await names(), plimsoll.search_models('qwen3-c'));
  assert.equal(await page.getAttribute('#field-model', 'aria-expanded'), 'true');
  const active = () => page.evaluate(() => {
    const id = document.getElementById('field-model').getAttribute('aria-activedescendant');
    return id && document.getElementById(id).dataset.name;
  });
  assert.equal(await active(), (await names())[0]);
  await picture(page, 'search');
  await page.keyboard.press('ArrowDown');
  assert.equal(await active(), (await names())[1]);
  await page.keyboard.press('Escape');
  assert.equal(await page.inputValue('#field-model'), 'Llama 3 8B');
  assert.equal(await page.getAttribute('html', 'data-panel'), 'open', 'Escape closes the list alone');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('qwen3-c');
  await page.keyboard.press('Enter');
  const first = plimsoll.search_models('qwen3-c')[0];
  await agrees(plimsoll, page, question.replace('llama-3-8b', first), 'after choosing');
  assert.deepEqual(faults, []);
});

test('all models scroll without slow frames', async () => {
  const { page } = await site.open();
  await open_text(page);
  await page.click('#field-model');
  const slowest = await page.evaluate(async () => {
    const list = document.getElementById('field-model-list');
    let worst = 0;
    let last = performance.now();
    for (let at = 0; at < list.scrollHeight; at += 200) {
      list.scrollTop = at;
      await new Promise((resume) => requestAnimationFrame(resume));
      worst = Math.max(worst, performance.now() - last);
      last = performance.now();
    }
    return worst;
  });
  assert.ok(slowest < 250, `a frame of ${slowest} ms`); // software rendering: only a list that is laid out anew would take so long
});

test('a fact of the model is changed, marked and taken back', async () => {
  const { page, faults } = await site.open();
  await open_text(page);
  await page.click('.more summary:text("Change this model")');
  const shown = await page.locator('fieldset:has(#field-model) .row:visible').evaluateAll((rows) => rows.map((row) => row.dataset.field));
  const { scenario } = plimsoll.estimate(question);
  assert.ok(shown.includes('layers'));
  assert.deepEqual(shown.filter((name) => !(name in scenario)), [], 'facts that the family does not have');
  await page.fill('#field-layers', '40');
  await agrees(plimsoll, page, `${question}&layers=40`, 'after the change');
  await until(() => page.textContent('#question-about'), (text) => text.includes('Llama 3 8B, changed'), 'the name');
  assert.equal(await page.isVisible('[data-field=layers] .dot'), true);
  assert.equal(await page.textContent('.model-change'), '1,744,896,000 parameters more than Llama 3 8B');
  await picture(page, 'changed-model');
  await page.click('[data-field=layers] .reset');
  await agrees(plimsoll, page, question, 'after the reset');
  assert.deepEqual(faults, []);
});

test('keys typed into the form do not reach the drawing', async () => {
  const { page } = await site.open();
  await open_text(page);
  await page.click('#field-batch');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('12');
  await page.keyboard.press('Backspace');
  assert.equal(await page.inputValue('#field-batch'), '1');
  await page.keyboard.press('Tab');
  assert.notEqual(await page.evaluate(() => document.activeElement.id), 'field-batch');
});

test('a bad entry is named beside its control, and the last estimate stays', async () => {
  const { page, faults } = await site.open();
  await open_text(page);
  const result = await page.textContent('#result');
  await page.fill('#field-batch', 'many');
  await until(() => headline_of(page), (text) => text === 'No estimate.', 'the headline');
  await text_is_whole(page);
  const [issue] = plimsoll.validate('model=llama-3-8b&batch=many').issues;
  const described = await page.evaluate(() => {
    const control = document.getElementById('field-batch');
    const ids = control.getAttribute('aria-describedby').split(' ');
    const text = ids.map((id) => document.getElementById(id).textContent).join(' ');
    return { invalid: control.getAttribute('aria-invalid'), text };
  });
  assert.equal(described.invalid, 'true');
  assert.ok(described.text.includes(issue.message) && described.text.includes(issue.remedy), described.text);
  assert.equal(await page.textContent('#result'), result);
  await until(() => query_of(page), (query) => query.includes('batch=many'), 'the address');
  await until(() => page.textContent('#announcer'), (text) => text.includes(issue.message), 'the live region');
  await picture(page, 'bad-entry');
  await page.fill('#field-batch', '4');
  await agrees(plimsoll, page, question, 'after mending the entry');
  assert.equal(await page.getAttribute('#field-batch', 'aria-invalid'), 'false');
  assert.deepEqual(faults, []);
});

test('reloading gives the same question and the same answer', async () => {
  const { page, faults } = await site.open('batch=7&model=qwen2.5-7b');
  const { query } = plimsoll.estimate('batch=7&model=qwen2.5-7b');
  await until(() => query_of(page), (seen) => seen === query, 'the address');
  await page.reload();
  await page.waitForFunction(() => document.documentElement.dataset.view === 'canvas');
  assert.equal(query_of(page), query);
  await agrees(plimsoll, page, 'batch=7&model=qwen2.5-7b', 'after reloading');
  assert.deepEqual(faults, []);
});

test('going back in the history is a change like any other', async () => {
  const { page } = await site.open();
  await page.evaluate(() => {
    history.pushState(null, '', '?model=llama-3-8b&batch=9');
    history.pushState(null, '', '?model=llama-3-8b&batch=10');
    history.back();
  });
  await agrees(plimsoll, page, 'model=llama-3-8b&batch=9', 'after going back');
});

test('the link that is copied is the address', async () => {
  const { page } = await site.open();
  await open_text(page);
  await page.fill('#field-batch', '3');
  const copied = await with_clipboard(page, async () => {
    await page.click('#copy-link');
    return until(() => page.evaluate(() => navigator.clipboard.readText()), (text) => text !== '', 'the clipboard');
  });
  assert.equal(copied, `${url}?${plimsoll.estimate(question.replace('batch=4', 'batch=3')).query}`);
});

test('light and dark are the same in page and drawing', async () => {
  const { page } = await site.open(question, { dark: true });
  assert.equal((await state_of(page)).dark, true);
  await picture(page, 'dark');
  await open_text(page);
  await picture(page, 'dark-with-text');
  await page.click('#theme');
  await until(() => state_of(page), (state) => !state.dark, 'the drawing is light');
  assert.equal(await page.getAttribute('html', 'data-theme'), 'light');
});
