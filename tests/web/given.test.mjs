// Prices and devices of the reader's own on the page: dropped, pasted or named by the link; shown with their dates, kept for the visit,
// removable. And results: kept as files, and asked again.

import assert from 'node:assert/strict';

import { agrees, bytes_of, drop, headline, headline_of, notice_of, open_site, open_text, paste, query_of, question, state_of, text_is_whole } from './page_actions.mjs';
import { picture, until } from './support.mjs';
import { before, test } from './testing.mjs';

const prices = JSON.stringify({ source: 'a letter', date: '2026-06-01', cloud: 'Mine', prices: [{ instance: 'big', gpu: 'rtx4090', usd_per_hour: 0.125 }] });
const devices = JSON.stringify({
  devices: [{
    id: 'mine', name: 'My accelerator', vendor: 'Me', arch: 'Hopper', class: 'datacenter', memory_usable_bytes: 84929085440,
    memory_usable_basis: 'torch.cuda.mem_get_info', sources: ['nvidia-smi'], date: '2026-11',
  }],
});

let site, plimsoll;
before(async () => {
  site = await open_site();
  ({ plimsoll } = site);
});

const given_of = (page) => page.evaluate(() => document.getElementById('given').textContent);
const result_of = (page) => page.evaluate(() => document.getElementById('result').textContent);

test('dropped prices replace those that are built in, until they are removed', async () => {
  const { page, faults } = await site.open();
  assert.equal(await given_of(page), '');
  await drop(page, 'my-prices.json', prices);
  await until(() => given_of(page), (text) => text.includes('Prices: my-prices.json. 1 price of 2026-06-01.'), 'the note');
  await until(() => result_of(page), (text) => text.includes('Cheapest: Mine, big'), 'the offers');
  assert.match(await result_of(page), /Of 2026-06-01, [0-9,]+ days ago: ask again before you rely on it\./);
  await until(() => state_of(page), (state) => state.given === 1, 'the drawing has them too');
  await agrees(plimsoll, page, question, 'the question is the same');
  await page.click('#toggle-panel');
  await picture(page, 'own-prices');
  await page.click('#given button');
  await until(() => given_of(page), (text) => text === '', 'the note is gone');
  await until(() => state_of(page), (state) => state.given === 0, 'and from the drawing');
  await until(() => result_of(page), (text) => !text.includes('Mine, big'), 'and from the text');
  assert.deepEqual(faults, []);
});

test('they are kept for the visit, and for no other', async () => {
  const { page } = await site.open();
  await drop(page, 'my-prices.json', prices);
  await until(() => given_of(page), (text) => text.includes('my-prices.json'), 'the note');
  await page.reload();
  await until(() => given_of(page), (text) => text.includes('my-prices.json'), 'after a reload');
  await page.waitForFunction(() => document.documentElement.dataset.view === 'canvas');
  await until(() => state_of(page), (state) => state.given === 1, 'in the drawing');
  const other = await page.context().newPage();
  await other.goto(page.url());
  await until(() => headline_of(other), (text) => text !== 'Loading', 'another tab');
  assert.equal(await given_of(other), '');
});

test('a device of one\'s own can be chosen by name', async () => {
  const { page, faults } = await site.open();
  await paste(page, devices);
  await until(() => given_of(page), (text) => text.includes('1 device of 2026-11: My accelerator'), 'the note');
  await open_text(page);
  await page.fill('#field-device', 'my acc');
  await page.press('#field-device', 'Enter');
  await until(() => query_of(page), (query) => query.includes('device=mine'), 'the address');
  const { headline: words } = plimsoll.estimate(question.replace('device=rtx4090', 'device=mine'), { devices });
  await until(() => headline_of(page), (text) => text === `${words.verdict} ${words.rest}`, 'the headline');
  await until(() => state_of(page), (state) => state.ok && state.query.includes('device=mine'), 'the drawing');
  await text_is_whole(page);
  assert.equal(await page.inputValue('#field-device'), 'My accelerator');
  assert.deepEqual(faults, []);
});

test('a link brings its files along', async () => {
  const { page, faults } = await site.open('', {});
  await page.route('**/own/*.json', (route) => route.fulfill({ contentType: 'application/json', body: route.request().url().includes('prices') ? prices : devices }));
  await page.goto(`${site.url}?${question}&prices=own/prices.json&devices=own/devices.json#tab=time`);
  await until(() => given_of(page), (text) => text.includes('own/prices.json') && text.includes('own/devices.json'), 'the note');
  await page.waitForFunction(() => document.documentElement.dataset.view === 'canvas');
  await until(() => state_of(page), (state) => state.given === 2 && state.tab === 'time', 'the drawing');
  assert.ok(page.url().includes('prices=own/prices.json'), 'the link keeps them');
  await page.evaluate(() => document.querySelector('#given [data-kind=prices] button').click());
  await until(() => page.url(), (url) => !url.includes('prices=own') && url.includes('devices=own'), 'the link without the prices');
  assert.deepEqual(faults, []);
});

for (const [what, address, said] of [
  ['is not there', 'no-such-file.json', /the server answers 404/],
  ['lies on another site', 'https://example.org/prices.json', /may ask no other site/],
]) {
  test(`a file of a link that ${what} is said, and the estimate goes on`, async () => {
    const { page } = await site.open(`${question}&prices=${address}`);
    assert.match(await notice_of(page), said);
    assert.equal(await headline_of(page), headline(plimsoll, question));
  });
}

test('a file with an error is refused by name and changes nothing', async () => {
  const { page, faults } = await site.open();
  await drop(page, 'bad.json', prices.replace('rtx4090', 'no-such-gpu'));
  await until(() => notice_of(page), (text) => text.includes('bad.json cannot be used') && text.includes('prices[0].gpu'), 'the notice');
  assert.equal(await given_of(page), '');
  await agrees(plimsoll, page, question, 'nothing changes');
  await picture(page, 'prices-refused');
  assert.deepEqual(faults, []);
});

for (const format of ['html', 'json', 'csv', 'markdown', 'svg']) {
  test(`the result is kept as ${format}, as the core writes it`, async () => {
    const { page } = await site.open();
    await page.click('#toggle-panel');
    const [download] = await Promise.all([page.waitForEvent('download'), page.click(`.keep [data-format=${format}]`)]);
    const expected = plimsoll.result_file(question, format);
    assert.equal(download.suggestedFilename(), expected.name);
    assert.equal((await bytes_of(download)).toString('utf8'), expected.text);
  });
}

test('a kept result asks its question again', async () => {
  const { page } = await site.open('model=qwen3-8b&task=pretrain');
  await drop(page, 'result.json', plimsoll.result_file(question, 'json').text);
  await agrees(plimsoll, page, question, 'the question of the file');
});

/** Presses something of the drawing where it has come to rest. */
async function press(page, name) {
  let last = '';
  const at_rest = (state) => {
    const now = JSON.stringify(state.rects[name] ?? '');
    const same = now === last && state.rects[name];
    last = now;
    return same;
  };
  const { rects } = await until(() => state_of(page), at_rest, name);
  const [x, y, width, height] = rects[name];
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.click(x + width / 2, y + height / 2, { delay: 60 });
}

test('the drawing saves its picture and its texts', async () => {
  const { page, faults } = await site.open();
  for (const [entry, ending] of [['export.csv', '.csv'], ['export.png', '.png']]) {
    await press(page, 'button.export');
    const [download] = await Promise.all([page.waitForEvent('download'), press(page, entry)]);
    assert.ok(download.suggestedFilename().endsWith(ending));
    const bytes = await bytes_of(download);
    if (ending === '.png') assert.equal(bytes.readUInt32BE(16), 1440, 'as wide as the canvas');
    else assert.equal(bytes.toString('utf8'), plimsoll.result_file(question, 'csv').text);
  }
  assert.deepEqual(faults, []);
});
