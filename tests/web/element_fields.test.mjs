// What an element asks is what the page asks: every field as an attribute, as a property and in the markup that the page offers.

import assert from 'node:assert/strict';
import { writeFile, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { open_site } from './page_actions.mjs';
import { launch_browser, load_core, new_page, serve_folder, site, until } from './support.mjs';
import { at_end, before, test } from './testing.mjs';

let plimsoll, fields, stated_by;
before(async () => {
  plimsoll = await load_core();
  fields = plimsoll.fields();
  ({ stated_by } = await import(pathToFileURL(join(site, 'plimsoll-element-attributes.mjs'))));
});

/** As much of an element as attributes are read from. */
const element_of = (entries) => ({
  attributes: entries.map(([name, value]) => ({ name: name.replaceAll('_', '-'), value })),
  getAttribute: () => null,
});

/** Something else than the default, where the field has such. */
function value_of(field, roll) {
  const pick = (list) => list[Math.floor(roll() * list.length)];
  if (field.kind === 'flag') return pick(['true', 'false']);
  if (field.kind === 'choice' && field.choices?.length > 0) return pick(field.choices).name;
  if (field.kind === 'integer') return String(Math.max(field.min ?? 1, Math.min(field.max ?? 8, pick([1, 2, 4, 8]))));
  return '';
}

/** The same numbers in every run. */
function dice(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

test('every field is an attribute', () => {
  for (const { name, kind } of fields) {
    const value = kind === 'flag' ? 'true' : '3';
    assert.equal(stated_by(element_of([[name, value]]), plimsoll).get(name), value, name);
  }
});

test('what frameworks of pages leave on elements is no field', () => {
  const left = [['data_v_7ba5bd90', ''], ['v_cloak', ''], ['x_data', '{}'], ['aria_label', 'x'], ['onclick', 'x'], ['class', 'a'], ['data_model_name', 'x']];
  assert.equal(stated_by(element_of([['model', 'llama-3-8b'], ...left]), plimsoll).toString(), 'model=llama-3-8b');
});

test('five hundred scenarios are the same questions as elements, with the same numbers', () => {
  const roll = dice(26);
  const models = ['llama-3-8b', 'qwen3-32b', 'deepseek-v3', 'llama-3-70b'], devices = ['h100-80-sxm', 'rtx4090', 'a6000'];
  for (let i = 0; i < 500; ++i) {
    const entries = new Map([['model', models[i % models.length]], ['device', devices[i % devices.length]], ['task', ['inference', 'finetune', 'pretrain'][i % 3]]]);
    for (let more = 0; more < 4; ++more) {
      const field = fields[Math.floor(roll() * fields.length)];
      const value = field.kind === 'id' ? '' : value_of(field, roll);
      if (value !== '' && !entries.has(field.name)) entries.set(field.name, value);
    }
    const query = new URLSearchParams([...entries]).toString();
    const asked = stated_by(element_of([...entries]), plimsoll);
    assert.deepEqual(plimsoll.validate(asked), plimsoll.validate(query), query);
    if (i % 10 === 0) assert.equal(plimsoll.estimate_text(asked), plimsoll.estimate_text(query), query); // each takes as long as its step is replayed
  }
});

test('the markup of the page says every field that is stated', async () => {
  const { open } = await open_site();
  const stated = fields.filter(({ kind }) => kind === 'integer').map(({ name }) => `${name}=2`);
  const { page } = await open(`model=llama-3-8b&device=h100-80-sxm&task=pretrain&${stated.join('&')}`);
  await page.click('#embed');
  const markup = await page.inputValue('#embed-element');
  const query = new URLSearchParams(new URL(page.url()).search);
  const attributes = await page.evaluate((text) => {
    const part = new DOMParser().parseFromString(text, 'text/html').querySelector('plimsoll-estimate');
    return [...part.attributes].map(({ name, value }) => [name, value]);
  }, markup);
  const asked = stated_by({ attributes: attributes.map(([name, value]) => ({ name, value })), getAttribute: () => null }, plimsoll);
  assert.deepEqual([...asked].sort(), [...query].sort());
  assert.ok(query.has('data_parallel') && query.size > 20, query.toString());
});

test('a field is a property of the element too, before the estimator is there and after', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plimsoll-fields-'));
  at_end(() => rm(folder, { recursive: true, force: true }));
  await symlink(site, join(folder, 'plimsoll'));
  await writeFile(join(folder, 'page.html'), '<!doctype html><html lang="en"><title>Docs</title><link rel="icon" href="plimsoll/favicon.svg"><script type="module" src="plimsoll/plimsoll-element.mjs"></script><plimsoll-estimate id="one" model="llama-3-8b" device="rtx4090" loading="eager"></plimsoll-estimate><script>document.getElementById("one").data_parallel = 4;</script>');
  const server = await serve_folder(folder, '/docs/');
  const { page } = await new_page(await launch_browser());
  await page.goto(`${server.url}page.html`);
  const query = () => page.evaluate(() => document.getElementById('one').query ?? '');
  await until(query, (text) => text.includes('data_parallel=4'), 'what was set before');
  await page.evaluate(() => { document.getElementById('one').context_tokens = 4096; });
  await until(query, (text) => text.includes('context_tokens=4096'), 'what is set after');
  assert.equal(await page.getAttribute('#one', 'context-tokens'), '4096');
});
