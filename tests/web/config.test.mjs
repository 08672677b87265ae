// A config.json on the page: dropped, pasted or chosen, it becomes a model or is refused by name.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { llama_config } from './llama_config.mjs';
import { agrees, drop, notice_of, open_site, open_text, paste, query_of, question } from './page_actions.mjs';
import { picture, until } from './support.mjs';

let site, plimsoll;
before(async () => {
  site = await open_site();
  ({ plimsoll } = site);
});
after(() => site?.close());

test('pasted, becomes a model that is counted exactly', async () => {
  const { page, faults, close } = await site.open();
  await paste(page, llama_config);
  await until(() => notice_of(page), (text) => text.includes('8,030,261,248 parameters'), 'the notice');
  const { query } = plimsoll.import_config(llama_config);
  await agrees(plimsoll, page, `${query}&device=rtx4090&batch=4`, 'after pasting');
  assert.match(query_of(page), /model=custom/);
  await picture(page, 'config-read');
  assert.deepEqual(faults, []);
  await close();
});

test('dropped, likewise', async () => {
  const { page, faults, close } = await site.open();
  await drop(page, 'config.json', llama_config);
  await until(() => notice_of(page), (text) => text.includes('8,030,261,248 parameters'), 'the notice');
  await until(() => query_of(page), (query) => query.includes('model=custom'), 'the address');
  assert.deepEqual(faults, []);
  await close();
});

test('chosen as a file, likewise', async () => {
  const { page, close } = await site.open();
  await open_text(page);
  const file = { name: 'config.json', mimeType: 'application/json', buffer: Buffer.from(llama_config) };
  await page.setInputFiles('#config-file', file);
  await until(() => notice_of(page), (text) => text.includes('config.json is read: 8,030,261,248 parameters'), 'the notice');
  await close();
});

const broken = JSON.stringify({ ...JSON.parse(llama_config), hidden_size: -1 });
for (const [name, text] of [['with a value out of range', broken], ['cut off in the middle', llama_config.slice(0, 200)]]) {
  test(`${name}, is refused by name and changes nothing`, async () => {
    const { page, faults, close } = await site.open();
    await drop(page, 'broken.json', text);
    const issue = plimsoll.import_config(text).issues.find(({ severity }) => severity === 'error');
    const seen = await until(() => notice_of(page), (notice) => notice.includes(issue.message), 'the notice');
    assert.ok(seen.includes('broken.json') && seen.includes(issue.remedy) && seen.includes(issue.field), seen);
    await agrees(plimsoll, page, question, 'the last estimate stays');
    await picture(page, 'config-refused');
    await page.click('#notice button');
    assert.equal(await notice_of(page), '');
    assert.deepEqual(faults, []);
    await close();
  });
}

test('text pasted into a field of the form is left to the field', async () => {
  const { page, close } = await site.open();
  await open_text(page);
  await page.focus('#field-batch');
  await paste(page, llama_config);
  assert.equal(await notice_of(page), '');
  await close();
});
