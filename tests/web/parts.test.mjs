// Modules in two parts: questions need the first alone, and what needs the second says so or waits for it.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { keep_first, read_call_graph, read_names, read_patterns } from '../../cmake/split/parts.mjs';
import { assert_golden, golden } from './golden.mjs';
import { launch_browser, must_exist, new_page, serve_site, site } from './support.mjs';
import { before, test } from './testing.mjs';

const question = 'model=llama-3-8b&device=rtx4090&task=inference&batch=4';
const queries = golden.map(({ query }) => query);

/** A copy of the package's module that nobody has loaded anything into. */
async function fresh_package() {
  must_exist(join(site, 'plimsoll.mjs'), 'build the preset wasm-release and assemble the site, as scripts/test does');
  return import(`${pathToFileURL(join(site, 'plimsoll.mjs'))}?${Math.random()}`);
}

/** What a page shows of every model, device and profile, and of some questions. A call into a part that is not there would throw. */
function answers(plimsoll, queries) {
  const { models, devices, profiles } = plimsoll.catalog();
  const asked = [...devices.map(({ id }) => `model=gpt-2-124m&device=${id}`), ...profiles.map(({ id }) => `model=gpt-2-124m&device=h100-80-sxm&profile=${id}`)];
  return [
    ...models.map(({ id }) => JSON.stringify(plimsoll.validate(`model=${id}&task=finetune&method=lora`))),
    ...asked.map((query) => plimsoll.estimate_text(query)),
    ...queries.map((query) => JSON.stringify([plimsoll.validate(query), plimsoll.model_change(query), plimsoll.cost(query)])),
    ...['json', 'csv', 'markdown', 'svg'].map((format) => plimsoll.result_file(queries[0], format).text),
    JSON.stringify([plimsoll.prices(), plimsoll.fields(), plimsoll.compare(queries.slice(0, 3)), plimsoll.search('device', 'h100')]),
    JSON.stringify([plimsoll.given_file(plimsoll.result_file(queries[0], 'json').text), plimsoll.given_file('[{"id":"mine"}]'), plimsoll.edit_query(queries[0], 'batch', '9')]),
  ];
}

test('every question is answered by the first part alone', async () => {
  const { load } = await fresh_package();
  const plimsoll = await load({ only: 'estimates' });
  for (const { name, query } of golden) assert_golden(name, plimsoll.explain_text(query));
  const all = answers(plimsoll, queries);
  assert.ok(all.length > 400 && all.every((text) => text.length > 2), `${all.length} answers`);
  assert.equal(plimsoll.solve(question, 'largest', 'batch').answer, null, 'the second part is not there');
  assert.equal(await load(), plimsoll);
});

test('what needs the second part says so, or waits for it', async () => {
  const { load } = await fresh_package();
  const plimsoll = await load({ only: 'estimates' });
  const refused = () => [
    plimsoll.solve(question, 'largest', 'batch'), plimsoll.advise(question), plimsoll.sensitivity(question), plimsoll.export_command(question, 'vllm'),
    plimsoll.import_config('{"model_type":"llama"}'), plimsoll.plan_serving({ model: 'llama-3-8b', device: 'h100-80-sxm', gpus: 1 }),
  ].filter(({ issues }) => issues.some(({ remedy }) => remedy.includes('complete()')));
  assert.equal(refused().length, 6);
  assert.equal((await plimsoll.import_file('vllm serve meta-llama/Meta-Llama-3-8B')).ok, true);
  assert.equal(refused().length, 0);
});

test('both are loaded by load(), and a second part that is lost is asked for again', async () => {
  const { second_part } = await import(pathToFileURL(join(site, 'plimsoll-parts.mjs')));
  const { default: create } = await import(pathToFileURL(join(site, 'plimsoll-core.mjs')));
  const lost = second_part(await create(), pathToFileURL(join(site, 'not-there.wasm')));
  await assert.rejects(lost.load(), /not-there/);
  await assert.rejects(lost.load(), /not-there/);
  assert.equal(lost.loaded, false);
  const { load } = await fresh_package();
  assert.equal((await load()).solve(question, 'largest', 'batch').ok, true);
});

let server, browser;
before(async () => {
  server = await serve_site();
  browser = await launch_browser();
});

test('the module of the page answers before its drawing is there', async () => {
  const { page } = await new_page(browser);
  await page.route('**/plimsoll-app-rest.wasm', () => {}); // never
  await page.goto(`${server.url}?${question}`);
  const seen = await page.evaluate(async (asked) => {
    const { plimsoll } = await (await import('./page/module.mjs')).load_estimator();
    return asked.map((query) => plimsoll.explain_text(query));
  }, queries);
  assert.equal(seen.length, golden.length);
  golden.forEach(({ name }, i) => assert_golden(name, seen[i]));
});

test('a cut: what is late and what it alone calls goes, what others call stays', () => {
  const graph = read_call_graph(`digraph call {
    "Export" [style="filled", fillcolor="gray"];
  "fimport$0" [style="filled", fillcolor="turquoise"];
  "0" [style="filled", fillcolor="white"];
  "0" [style="filled", fillcolor="gray"];
  "3" [style="filled, rounded"];
  "4" [style="filled, rounded"];
  "0" -> "1"; // call
  "0" -> "fimport$0"; // call
  "3" -> "1"; // call
  "3" -> "2"; // call
  "2" -> "2"; // call
}`);
  const name = read_names('0:host\n1:estimate\n2:shared\n3:only\\20late\n4:late_answer\n5:kept\n', 1);
  assert.equal(name('2'), 'only late');
  const patterns = read_patterns('# about\n^late_\n\nnever # nobody\n', 'late.txt');
  const { kept, unused } = keep_first(graph, name, patterns);
  assert.deepEqual([...kept].sort(), ['0', '1', '4']);
  assert.deepEqual(unused.map(({ source }) => source), ['never']);
});
