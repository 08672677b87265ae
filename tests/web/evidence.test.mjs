// Every row of evidence is a question that the page, and the package in Node, answer with the bytes of the command line.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { cli, launch_browser, load_core, must_exist, open_page, repository, serve_site } from './support.mjs';
import { before, test } from './testing.mjs';

const run = promisify(execFile);
let server, browser;
before(async () => {
  server = await serve_site();
  browser = await launch_browser();
});

/** The questions of all rows, each once. */
function questions() {
  const { corpora } = JSON.parse(readFileSync(join(repository, 'docs/accuracy.json'), 'utf8').replace(/":\s*-?Infinity|":\s*NaN/g, '": null'));
  return [...new Set(corpora.flatMap(({ rows }) => rows.map(({ scenario }) => scenario)).filter(Boolean))];
}

test('each is answered in Node and in the browser as on the command line', async () => {
  must_exist(cli, 'build the preset native-release, as scripts/test does');
  const asked = questions();
  assert.ok(asked.length >= 1600, `${asked.length} questions`);
  const { page } = await open_page(browser, server.url);
  const shown = await page.evaluate(async (queries) => {
    const { load } = await import(new URL('plimsoll.mjs', location.href).href);
    const plimsoll = await load();
    return queries.map((query) => plimsoll.estimate_text(query));
  }, asked);
  const plimsoll = await load_core();
  await for_each(asked, async (query, i) => {
    const printed = await printed_by('estimate', query);
    assert.equal(shown[i].trim(), printed, query);
    assert.equal(plimsoll.estimate_text(query).trim(), printed, query);
  });
}, { limit_s: 600 }); // some thousand questions, each of them asked of a program too

test('loads of servers are simulated in the browser as on the command line', async () => {
  const asked = questions().filter((query) => /(^|&)(concurrency|request_rate|trace)=/.test(query));
  assert.ok(asked.length >= 200, `${asked.length} loads`);
  const { page } = await open_page(browser, server.url);
  const shown = await page.evaluate(async (queries) => {
    const { load } = await import(new URL('plimsoll.mjs', location.href).href);
    const plimsoll = await load();
    return queries.map((query) => plimsoll.load(query));
  }, asked);
  await for_each(asked, async (query, i) => assert.deepEqual(shown[i], JSON.parse(await printed_by('load', query)), query));
}, { limit_s: 600 });

/** Four at once. */
async function for_each(list, check) {
  let next = 0;
  const work = async () => {
    while (next < list.length) {
      const i = next++;
      await check(list[i], i);
    }
  };
  await Promise.all(Array.from({ length: 4 }, work));
}

/** What the command line prints; a scenario that does not fit leaves with a status of its own. */
async function printed_by(command, query) {
  const { stdout } = await run(cli, [command, query, '--json'], { maxBuffer: 1 << 24 }).catch((error) => error);
  return stdout.trim();
}
