// Rows of evidence are questions that the page, and the package in Node, answer with the bytes of the command line: one of so many rows, and
// every one in `scripts/test --whole`. All of them are asked again in the cases of every build, natively and as WebAssembly.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { cli, launch_browser, load_core, must_exist, open_page, repository, serve_site } from './support.mjs';
import { before, sample, test } from './testing.mjs';

const run = promisify(execFile);
const one_of = sample(12);
let server, browser;
before(async () => {
  server = await serve_site();
  browser = await launch_browser();
});

/** The questions of all rows, each once. */
function questions() {
  const { corpora } = JSON.parse(readFileSync(join(repository, 'docs/accuracy.json'), 'utf8').replace(/":\s*-?Infinity|":\s*NaN/g, '": null'));
  const all = [...new Set(corpora.flatMap(({ rows }) => rows.map(({ scenario }) => scenario)).filter(Boolean))];
  assert.ok(all.length >= 1600, `${all.length} questions`);
  return all;
}

const is_load = (query) => /(^|&)(concurrency|request_rate|trace)=/.test(query);

test('each is answered in Node and in the browser as on the command line', async () => {
  must_exist(cli, 'build the preset native-release, as scripts/test does');
  const asked = questions().filter(one_of);
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
  const loads = questions().filter(is_load);
  assert.ok(loads.length >= 200, `${loads.length} loads`);
  const asked = loads.filter(one_of);
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
