// Links that were given away keep working: each still asks the question that it asked, without an issue. Add links, never change
// those of old_links.json: they stand on other people's pages.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

import { open_site, state_of } from './page_actions.mjs';
import { until } from './support.mjs';
import { before, test } from './testing.mjs';

const links = JSON.parse(await readFile(new URL('old_links.json', import.meta.url), 'utf8'));

let site, plimsoll;
before(async () => {
  site = await open_site();
  ({ plimsoll } = site);
});

const query_of = (link) => link.split('#')[0].replace(/^\?/, '') || 'model=llama-3-8b'; // the page's example, where nobody asks for anything

for (const { since, link, asks } of links) {
  test(`${since}: ${link}`, () => {
    const answer = plimsoll.estimate(query_of(link));
    assert.equal(answer.ok, true, JSON.stringify(answer.issues));
    assert.deepEqual(answer.issues.filter(({ severity }) => severity !== 'note'), []);
    for (const [name, value] of Object.entries(asks)) assert.equal(String(answer.scenario[name]), String(value), name);
  });
}

test('what they look at is still looked at', async () => {
  for (const { link, looks_at } of links.filter((one) => one.looks_at)) {
    const { page, faults, close } = await site.open('');
    await page.goto(`${site.url}${link}`);
    await page.waitForFunction(() => document.documentElement.dataset.view === 'canvas');
    await until(() => state_of(page), (state) => Object.entries(looks_at).every(([name, value]) => state[name] === value), link);
    assert.deepEqual(faults, []);
    await close();
  }
});
