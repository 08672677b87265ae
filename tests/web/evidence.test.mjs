// Every row of evidence is a question that the page answers with the bytes of the command line.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { cli, launch_browser, must_exist, open_page, repository, serve_site } from './support.mjs';
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

test('each is answered in the browser as on the command line', async () => {
  must_exist(cli, 'build the preset native-release, as scripts/test does');
  const asked = questions();
  assert.ok(asked.length >= 900, `${asked.length} questions`);
  const { page } = await open_page(browser, server.url);
  const shown = await page.evaluate(async (queries) => {
    const { load } = await import(new URL('plimsoll.mjs', location.href).href);
    const plimsoll = await load();
    return queries.map((query) => plimsoll.estimate_text(query));
  }, asked);
  const at_once = 4;
  for (let i = 0; i < asked.length; i += at_once) {
    const printed = await Promise.all(asked.slice(i, i + at_once).map((query) => answer_of(query)));
    printed.forEach((text, j) => assert.equal(shown[i + j].trim(), text, asked[i + j]));
  }
}, { limit_s: 400 }); // a thousand questions, each of them asked of a program too

/** What the command line prints; a scenario that does not fit leaves with a status of its own. */
async function answer_of(query) {
  const { stdout } = await run(cli, ['estimate', query, '--json'], { maxBuffer: 1 << 24 }).catch((error) => error);
  return stdout.trim();
}
