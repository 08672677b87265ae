// A model by its address on the page: nobody is asked before the reader presses, then huggingface.co alone, for the config.json alone.

import assert from 'node:assert/strict';

import { headline_of, notice_of, open_site, paste, query_of } from './page_actions.mjs';
import { llama_config } from './llama_config.mjs';
import { until } from './support.mjs';
import { before, test } from './testing.mjs';

const address = 'https://huggingface.co/some-lab/Some-Model-9B';
const config = { ...JSON.parse(llama_config), num_hidden_layers: 40 };
let site;
before(async () => { site = await open_site(); });

/** A page whose hub answers as told; `asked` are the requests that reached it. */
async function open_page_with_hub(answer) {
  const opened = await site.open('model=llama-3-8b&device=rtx4090&task=inference');
  const asked = [];
  await opened.page.route('https://huggingface.co/**', async (route) => {
    asked.push({ url: route.request().url(), headers: await route.request().allHeaders() });
    return answer === null ? route.abort() : route.fulfill({ headers: { 'access-control-allow-origin': '*' }, ...answer });
  });
  return { ...opened, asked };
}

const fetch_button = (page) => page.getByRole('button', { name: 'Fetch from huggingface.co' });

test('its config.json is fetched when the reader presses, and asked about', async () => {
  const { page, asked } = await open_page_with_hub({ status: 200, contentType: 'application/json', body: JSON.stringify(config) });
  await paste(page, address);
  await until(() => notice_of(page), (text) => text.includes('some-lab/Some-Model-9B is not in the catalogue.'), 'the offer');
  assert.deepEqual(asked, []);
  await fetch_button(page).click();
  await until(() => query_of(page), (query) => query.includes('model=custom') && query.includes('num_hidden_layers%22:40'), 'the question');
  assert.ok(query_of(page).includes('device=rtx4090'));
  assert.deepEqual(asked.map(({ url }) => url), ['https://huggingface.co/some-lab/Some-Model-9B/resolve/main/config.json']);
  const [{ headers }] = asked;
  assert.deepEqual([headers.cookie, headers.referer, headers.authorization], [undefined, undefined, undefined]);
});

test('a revision, and a model that the catalogue has', async () => {
  const { page, asked } = await open_page_with_hub({ status: 200, contentType: 'application/json', body: JSON.stringify(config) });
  await paste(page, 'hf:some-lab/Some-Model-9B@v1.5');
  await fetch_button(page).click();
  await until(() => asked.length, (count) => count === 1, 'the hub is asked');
  assert.equal(asked[0].url, 'https://huggingface.co/some-lab/Some-Model-9B/resolve/v1.5/config.json');
  await paste(page, 'https://huggingface.co/meta-llama/Llama-3.3-70B-Instruct');
  await until(() => query_of(page), (query) => query.includes('model=llama-3.3-70b'), 'the catalogue knows it');
  assert.equal(asked.length, 1);
});

for (const [what, answer, says] of [
  ['a model for those who are logged in', { status: 401, body: '' }, /only to those who are logged in/],
  ['a model that is not there', { status: 404, body: '' }, /There is no config\.json/],
  ['a hub that is broken', { status: 503, body: '' }, /answers 503/],
  ['no network', null, /does not answer/],
  ['a text that is no config', { status: 200, body: '{"not": "a model"}' }, /estimate is unchanged/],
]) {
  test(`${what} leaves the estimate as it was, and says why`, async () => {
    const { page } = await open_page_with_hub(answer);
    const before_it = await headline_of(page);
    await paste(page, address);
    await fetch_button(page).click();
    await until(() => notice_of(page), (text) => says.test(text), 'the reason');
    assert.equal(await headline_of(page), before_it);
    assert.ok(query_of(page).includes('model=llama-3-8b'));
  });
}

test('the policy of the page allows no other host', async () => {
  const { page } = await open_page_with_hub({ status: 200, body: '{}' });
  let reached = 0;
  await page.route('https://example.org/**', (route) => { ++reached; return route.fulfill({ body: '', headers: { 'access-control-allow-origin': '*' } }); });
  const refused = await page.evaluate(() => fetch('https://example.org/').then(() => false, () => true));
  assert.deepEqual([refused, reached], [true, 0]);
});
