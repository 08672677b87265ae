// Model files on the page: dropped, pasted or chosen, they become a model or are refused by name.

import assert from 'node:assert/strict';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { llama_config } from './llama_config.mjs';
import { gguf, large, parameters_of, safetensors } from './model_files.mjs';
import { agrees, choose_file_on_disk, drop, notice_of, open_site, open_text, paste, query_of, question } from './page_actions.mjs';
import { picture, until } from './support.mjs';
import { at_end, before, test } from './testing.mjs';

let site, plimsoll;
before(async () => {
  site = await open_site();
  ({ plimsoll } = site);
});

test('pasted, becomes a model that is counted exactly', async () => {
  const { page, faults } = await site.open();
  await paste(page, llama_config);
  await until(() => notice_of(page), (text) => text.includes('8,030,261,248 parameters'), 'the notice');
  const { query } = plimsoll.import_config(llama_config);
  await agrees(plimsoll, page, `${query}&device=rtx4090&batch=4`, 'after pasting');
  assert.match(query_of(page), /model=custom/);
  await picture(page, 'config-read');
  assert.deepEqual(faults, []);
});

test('dropped, likewise', async () => {
  const { page, faults } = await site.open();
  await drop(page, 'config.json', llama_config);
  await until(() => notice_of(page), (text) => text.includes('8,030,261,248 parameters'), 'the notice');
  await until(() => query_of(page), (query) => query.includes('model=custom'), 'the address');
  assert.deepEqual(faults, []);
});

test('chosen as a file, likewise', async () => {
  const { page } = await site.open();
  await open_text(page);
  const file = { name: 'config.json', mimeType: 'application/json', buffer: Buffer.from(llama_config) };
  await page.setInputFiles('#model-file', file);
  await until(() => notice_of(page), (text) => text.includes('config.json is read: 8,030,261,248 parameters'), 'the notice');
});

/** A file on the disk that is as long as its header says, and takes no more room than the header. */
async function sparse_file(folder, name, { bytes, size }) {
  const path = join(folder, name);
  const file = await open(path, 'w');
  await file.write(bytes);
  await file.truncate(size);
  await file.close();
  return path;
}

for (const [kind, make] of [['safetensors', safetensors], ['gguf', gguf]]) {
  test(`a ${kind} file of 141 GB is read where it lies`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plimsoll-files-'));
    at_end(() => rm(folder, { recursive: true }));
    const { page, faults } = await site.open();
    await open_text(page);
    await choose_file_on_disk(page, '#model-file', await sparse_file(folder, `model.${kind}`, make(large)));
    const count = parameters_of(large).toLocaleString('en');
    await until(() => notice_of(page), (text) => text.includes(`model.${kind} is read: ${count} parameters`), 'the notice');
    await page.evaluate(() => { for (const fold of document.querySelectorAll('#notice details')) fold.open = true; });
    await picture(page, `${kind}-read`);
    assert.deepEqual(faults, []);
  });
}

test('several files at once are refused, and nothing changes', async () => {
  const { page } = await site.open();
  await page.evaluate((text) => {
    const dataTransfer = new DataTransfer();
    for (const name of ['a.json', 'b.json']) dataTransfer.items.add(new File([text], name));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }, llama_config);
  await until(() => notice_of(page), (text) => text.includes('2 files'), 'the notice');
  await agrees(plimsoll, page, question, 'the last estimate stays');
});

test('a slow read is shown, and can be cancelled', async () => {
  const { page } = await site.open(question, {
    before: () => {
      const stream = Blob.prototype.stream;
      globalThis.hang = () => { Blob.prototype.stream = () => new ReadableStream({}); };
      globalThis.go_on = () => { Blob.prototype.stream = stream; };
    },
  });
  await page.evaluate(() => globalThis.hang());
  await drop(page, 'slow.safetensors', 'xxxxxxxxxxxxxxxx');
  await until(() => notice_of(page), (text) => text.includes('Reading the header of slow.safetensors'), 'the notice');
  await picture(page, 'file-slow');
  await page.click('#notice button:text("Cancel")');
  await until(() => notice_of(page), (text) => text.includes('cancelled'), 'the notice');
  await agrees(plimsoll, page, question, 'the last estimate stays');
  await page.evaluate(() => globalThis.go_on());
  await drop(page, 'config.json', llama_config);
  await until(() => notice_of(page), (text) => text.includes('8,030,261,248 parameters'), 'the next file');
});

const broken = JSON.stringify({ ...JSON.parse(llama_config), hidden_size: -1 });
for (const [name, text] of [['with a value out of range', broken], ['cut off in the middle', llama_config.slice(0, 200)]]) {
  test(`${name}, is refused by name and changes nothing`, async () => {
    const { page, faults } = await site.open();
    await drop(page, 'broken.json', text);
    const issue = plimsoll.import_config(text).issues.find(({ severity }) => severity === 'error');
    const seen = await until(() => notice_of(page), (notice) => notice.includes(issue.message), 'the notice');
    assert.ok(seen.includes('broken.json') && seen.includes(issue.remedy) && seen.includes(issue.field), seen);
    await agrees(plimsoll, page, question, 'the last estimate stays');
    await picture(page, 'config-refused');
    await page.click('#notice button');
    assert.equal(await notice_of(page), '');
    assert.deepEqual(faults, []);
  });
}

test('text pasted into a field of the form is left to the field', async () => {
  const { page } = await site.open();
  await open_text(page);
  await page.focus('#field-batch');
  await paste(page, llama_config);
  assert.equal(await notice_of(page), '');
});
