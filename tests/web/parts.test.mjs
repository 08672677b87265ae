// Modules in two parts: questions need the first alone, and what needs the second says so or waits for it.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { read_data, with_data } from '../../cmake/split/binary.mjs';
import { assign_data, cut_at, packed, read_addresses, read_map } from '../../cmake/split/data.mjs';
import { assign_parts, cut_first, read_call_graph, read_names, read_patterns } from '../../cmake/split/parts.mjs';
import { read_names_of_exports, read_questions } from '../../cmake/split/profile.mjs';
import { assert_golden, golden } from './golden.mjs';
import { headline_of } from './page_actions.mjs';
import { launch_browser, must_exist, new_page, serve_site, site } from './support.mjs';
import { before, test } from './testing.mjs';

const question = 'model=llama-3-8b&device=rtx4090&task=inference&batch=4';
const queries = golden.map(({ query }) => query);

/** A copy of the package's module that nobody has loaded anything into. */
async function fresh_package() {
  must_exist(join(site, 'plimsoll.mjs'), 'build the preset wasm-release and assemble the site, as scripts/test does');
  return import(`${pathToFileURL(join(site, 'plimsoll.mjs'))}?${Math.random()}`);
}

let server, browser;
let described; // questions whose model is described, or changed: what reads configs comes with the readers of files
before(async () => {
  server = await serve_site();
  browser = await launch_browser();
  const plimsoll = await (await fresh_package()).load({ only: 'estimates' });
  described = new Set(queries.filter((query) => !plimsoll.is_ready_for(query)));
});

/** What a page shows of every model, device and profile, and of some questions. A call into a part that is not there would throw. */
function answers(plimsoll, queries) {
  const { models, devices, profiles } = plimsoll.names();
  const asked = [...devices.map(({ id }) => `model=gpt-2-124m&device=${id}`), ...profiles.map(({ id }) => `model=gpt-2-124m&device=h100-80-sxm&profile=${id}`)];
  return [
    ...models.map(({ id }) => JSON.stringify(plimsoll.validate(`model=${id}&task=finetune&method=lora`))),
    ...asked.map((query) => plimsoll.estimate_text(query)),
    ...queries.map((query) => JSON.stringify([plimsoll.validate(query), plimsoll.model_change(query), plimsoll.cost(query)])),
    ...['json', 'csv', 'markdown', 'svg', 'html'].map((format) => plimsoll.result_file(queries[0], format).text),
    JSON.stringify([plimsoll.prices(), plimsoll.fields(), plimsoll.compare(queries.slice(0, 3)), plimsoll.search('device', 'h100')]),
    JSON.stringify([plimsoll.given_file(plimsoll.result_file(queries[0], 'json').text), plimsoll.given_file('[{"id":"mine"}]'), plimsoll.edit_query(queries[0], 'batch', '9')]),
  ];
}

test('every question about a model of the catalogue is answered by the first part alone, and others wait for readers of configs', async () => {
  const { load } = await fresh_package();
  const plimsoll = await load({ only: 'estimates' });
  for (const { name, query } of golden) if (!described.has(query)) assert_golden(name, plimsoll.explain_text(query));
  assert.ok(described.size > 0 && described.size < golden.length / 4, `${described.size} questions describe a model, or change one`);
  const all = answers(plimsoll, queries);
  assert.ok(all.length > 400 && all.every((text) => text.length > 2), `${all.length} answers`);
  assert.equal(plimsoll.solve(question, 'largest', 'batch').answer, null, 'the second part is not there');
  assert.deepEqual(plimsoll.catalog().issues.map(({ remedy }) => remedy.includes('complete()')), [true]);
  for (const { name, query } of golden.filter((one) => described.has(one.query))) {
    assert.equal(await plimsoll.ready_for(query), true);
    assert_golden(name, plimsoll.explain_text(query));
  }
  assert.equal(await load(), plimsoll);
});

test('what needs the second part says so, or waits for it', async () => {
  const { load } = await fresh_package();
  const plimsoll = await load({ only: 'estimates' });
  const refused = () => [
    plimsoll.solve(question, 'largest', 'batch'), plimsoll.advise(question), plimsoll.sensitivity(question), plimsoll.export_command(question, 'vllm'),
    plimsoll.import_config('{"model_type":"llama"}'), plimsoll.plan_serving({ model: 'llama-3-8b', device: 'h100-80-sxm', gpus: 1 }), plimsoll.load(`${question}&profile=vllm&prompt_tokens=512&answer_tokens=64&concurrency=4`),
  ].filter(({ issues }) => issues.some(({ remedy }) => remedy.includes('complete()')));
  assert.equal(refused().length, 7);
  assert.equal((await plimsoll.import_file('vllm serve meta-llama/Meta-Llama-3-8B')).ok, true);
  assert.equal(refused().length, 0);
});

/** Addresses of the later parts of the site's module of that name. */
const parts_named = (name) => ({ rest: pathToFileURL(join(site, `${name}-rest.wasm`)), files: pathToFileURL(join(site, `${name}-files.wasm`)) });

test('what searches needs no readers of files, and what writes files waits for them', async () => {
  const { later_parts } = await import(pathToFileURL(join(site, 'plimsoll-parts.mjs')));
  const { api } = await import(pathToFileURL(join(site, 'plimsoll-api.mjs')));
  const { default: create } = await import(pathToFileURL(join(site, 'plimsoll-core.mjs')));
  const core = await create();
  const parts = later_parts(core, parts_named('plimsoll-core'));
  await parts.rest.load();
  const plimsoll = api(core, parts);
  const whole = await (await fresh_package()).load();
  const asked = ['model=llama-3-8b&device=h100-80-sxm&profile=vllm', 'model=llama-3-8b&task=finetune&method=lora&device=h100-80-sxm', ...queries.slice(0, 6)];
  const answers = ({ solve, advise, sensitivity, load, plan_serving }) => [
    ...asked.map((query) => solve(query, 'largest', 'batch')),
    ...asked.slice(0, 3).flatMap((query) => [advise(query), sensitivity(query)]),
    plan_serving({ model: 'llama-3-8b', device: 'h100-80-sxm', gpus: 1 }),
    load(`${asked[0]}&prompt_tokens=512&answer_tokens=64&concurrency=4`, { first_token_ms: 500 }),
  ];
  assert.deepEqual(answers(plimsoll), answers(whole));
  assert.equal((await plimsoll.plan({ model: 'llama-3-8b', task: 'finetune', device: 'h100-80-sxm', gpus: 8 })).ok, true);
  assert.equal(parts.files.loaded, false);
  assert.match(plimsoll.import_config('{"model_type":"llama"}').issues[0].remedy, /complete\(\)/);
  assert.match(plimsoll.export_command(asked[0], 'vllm').issues[0].remedy, /complete\(\)/);
  assert.equal((await plimsoll.import_file('vllm serve meta-llama/Meta-Llama-3-8B')).ok, true);
  const written = ['vllm', 'sglang', 'tensorrt_llm', 'llama_cpp', 'deepspeed', 'accelerate', 'trainer', 'axolotl', 'llama_factory', 'ms_swift', 'trl', 'torchtune', 'torchtitan', 'megatron', 'nemo',
    'kubernetes', 'slurm', 'compose'];
  for (const to of written) for (const query of asked) assert.deepEqual(plimsoll.export_command(query, to), whole.export_command(query, to), `${to} ${query}`);
});

test('all are loaded by load(), and a second part that is lost is asked for again', async () => {
  const { later_parts } = await import(pathToFileURL(join(site, 'plimsoll-parts.mjs')));
  const { default: create } = await import(pathToFileURL(join(site, 'plimsoll-core.mjs')));
  const { rest: lost, files } = later_parts(await create(), parts_named('not-there'));
  await assert.rejects(lost.load(), /not-there/);
  await assert.rejects(lost.load(), /not-there/);
  assert.equal(lost.loaded, false);
  await assert.rejects(files.load(), /not-there/);
  const { load } = await fresh_package();
  assert.equal((await load()).solve(question, 'largest', 'batch').ok, true);
});

test('the module of the page answers before its drawing is there', async () => {
  const { page } = await new_page(browser);
  await page.route(/plimsoll-app-(drawing|rest)\.wasm/, () => {}); // never
  await page.goto(`${server.url}?${question}`);
  const seen = await page.evaluate(async (asked) => {
    const [{ default: create }, { api }, { compiled, later_parts, made_of }] = await Promise.all(['app', 'api', 'parts'].map((name) => import(`./plimsoll-${name}.mjs`)));
    const [code, answers] = ['', '-answers'].map((part) => compiled(new URL(`plimsoll-app${part}.wasm`, location.href)));
    const module = await made_of(create, await code, answers);
    const at = (part) => new URL(`plimsoll-app-${part}.wasm`, location.href);
    const parts = later_parts(module, { drawing: at('drawing'), more: at('more'), rest: at('rest'), files: at('files') });
    const plimsoll = api(module, parts);
    await parts.more.load();
    return asked.map((query) => plimsoll.explain_text(query));
  }, queries);
  assert.equal(seen.length, golden.length);
  golden.forEach(({ name, query }, i) => described.has(query) || assert_golden(name, seen[i]));
});

/** The first part of the page's module, by itself, and with all that answers. */
async function first_parts() {
  const [{ compiled, first_part, headline_by }, { names }] = await Promise.all(['parts', 'app-first'].map((name) => import(pathToFileURL(join(site, `plimsoll-${name}.mjs`)))));
  const [code, ...others] = await Promise.all(['', '-answers', '-more'].map((part) => compiled(pathToFileURL(join(site, `plimsoll-app${part}.wasm`)))));
  const ask = (part, query) => headline_by(part, names, query, 'gib');
  return { alone: () => first_part(code, names), whole: () => first_part(code, names, ...others), ask };
}

test('the first part gives the headline that the whole module gives, or breaks', async () => {
  const { alone, whole, ask } = await first_parts();
  const all = await whole(), { devices, models } = (await (await fresh_package()).load({ only: 'estimates' })).names();
  const kinds = ['task=inference', 'task=inference&profile=vllm&context_tokens=32768', 'task=finetune&method=lora', 'task=pretrain&gpus=8'];
  const others = [...models.keys()].filter((i) => i % 3 === 0).map((i) => `model=${models[i].id}&device=${devices[i % devices.length].id}&${kinds[i % kinds.length]}`);
  const usual = ['llama-3.1-8b', 'llama-3.3-70b', 'qwen3-8b', 'qwen3-32b', 'qwen2.5-7b', 'mistral-7b-v0.3', 'gpt-oss-120b', 'deepseek-r1'].flatMap((model) =>
    ['rtx4090', 'rtx3090', 'l40s', 'a100-80-sxm', 'h100-80-sxm'].flatMap((device) => kinds.map((kind) => `model=${model}&device=${device}&${kind}`)));
  const first = read_questions(await readFile(new URL('../../web/first.txt', import.meta.url), 'utf8'));
  const broken = [];
  let part = await alone();
  for (const query of [...first, ...usual, ...queries.filter((query) => !described.has(query)), ...others]) {
    const expected = ask(all, query);
    try {
      assert.deepEqual(ask(part, query), expected, query);
    } catch (reason) {
      if (!(reason instanceof WebAssembly.RuntimeError)) throw reason;
      broken.push(query);
      part = await alone();
    }
  }
  assert.deepEqual(first.filter((query) => broken.includes(query)), [], 'what the part was made for');
  const late = usual.filter((query) => broken.includes(query));
  assert.ok(late.length < usual.length / 5, `${late.length} of ${usual.length} usual questions need the second part: ${late.slice(0, 5).join(', ')}`);
});

test('a question like most is answered while the second part is on its way; another one waits for it', async () => {
  const unusual = 'model=mamba2-2.7b&device=h100-80-sxm&task=pretrain&optimizer=muon&tensor_parallel=2&gpus=8';
  for (const [query, early] of [[question, true], [unusual, false]]) {
    const { page, faults } = await new_page(browser);
    let release;
    const held = new Promise((resolve) => { release = resolve; });
    const asked = page.waitForRequest('**/plimsoll-app-answers.wasm');
    await page.route('**/plimsoll-app-answers.wasm', (route) => held.then(() => route.continue()));
    await page.goto(`${server.url}?${query}`);
    await asked;
    const shown = () => page.textContent('#loading-answer');
    if (early) await page.waitForFunction(() => /GiB/.test(document.getElementById('loading-answer').textContent));
    else await page.waitForTimeout(1500); // in which the first part has tried
    if (!early) assert.equal(await shown(), '');
    const before = await shown();
    release();
    await page.waitForFunction(() => document.documentElement.dataset.view === 'canvas');
    if (early) assert.equal(await headline_of(page), before);
    assert.match(await headline_of(page), /GiB|No estimate/);
    assert.deepEqual(faults, []);
  }
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
  const { parts, unused } = assign_parts(graph, name, [patterns]);
  assert.deepEqual(parts.map((ids) => ids.sort()), [['0', '1', '4'], ['2', '3']]);
  assert.deepEqual(unused.map(({ source }) => source), ['never']);
});

test('a cut in three: no part calls a later one, and a name in two lists belongs to the later', () => {
  const graph = { all: new Set(['start', 'search', 'read', 'shared', 'parse', 'nobody']), roots: new Set(['start', 'search', 'read']),
    calls: new Map([['search', new Set(['shared'])], ['read', new Set(['shared', 'parse', 'start'])]]) };
  const lists = ['search\nread', 'read'].map((text, i) => read_patterns(text, `list ${i}`));
  const { parts } = assign_parts(graph, (id) => id, lists);
  assert.deepEqual(parts, [['start'], ['search', 'shared'], ['read', 'parse', 'nobody']]);
});

test('what is asked for begins its part, though an earlier one calls it', () => {
  const graph = { all: new Set(['draw', 'tab', 'chart', 'shared', 'read']), roots: new Set(['draw', 'read']),
    calls: new Map([['draw', new Set(['tab', 'shared'])], ['tab', new Set(['chart', 'shared', 'read'])]]) };
  const lists = ['! ^tab$', 'read'].map((text, i) => read_patterns(text, `list ${i}`));
  const { parts, unused } = assign_parts(graph, (id) => id, lists);
  assert.deepEqual(parts, [['draw', 'shared'], ['tab', 'chart', 'read'], []]);
  assert.deepEqual(unused, []);
});

test('a first part is cut by what ran, and its script tells what it takes to ask it', () => {
  assert.deepEqual(cut_first(['1', '2', '3'], ['3', '1', '9']), [['1', '3'], ['2']]);
  assert.deepEqual(read_questions('# about\nmodel=a # why\n\nmodel=b\n'), ['model=a', 'model=b']);
  const script = 'addOnInit(wasmExports["Wb"]);var _malloc=Module["_malloc"]=wasmExports["c"];_first_headline=Module["_first_headline"]=wasmExports["d"]';
  assert.deepEqual(read_names_of_exports(script), { start: 'Wb', malloc: 'c', headline: 'd' });
  assert.throws(() => read_names_of_exports('addOnInit(f)'), /"start"/);
});

const ascii = (text) => Buffer.from(text, 'latin1');

test('constants go with the functions that alone read them', () => {
  const map = read_map(`    Addr      Off     Size Out     In      Symbol
       -       10        4 CODE
       -        8        4         a.o:(late)
       -       3f       2c DATA
     400       40       2c .rodata
     400       41        c         <internal>:(.rodata)
     40c       4d        8         a.o:(.rodata.table)
     40c       4d        8                 table
     414       55        8         a.o:(.rodata.unseen)
     800       5d       10 .bss
     800        0       10         a.o:(.bss.later)
`);
  assert.deepEqual(map.map(({ start, size }) => [start, size]), [[0x400, 12], [0x40c, 8], [0x414, 8], [0x800, 16]]);
  const bytes = Buffer.concat([ascii('one\0two\0six\0'), Buffer.from([0x08, 4, 0, 0, 0x02, 4, 0, 0]), ascii('unseen..')]); // table: "six", and what is within "one"
  const constants = cut_at([{ start: 0x400, bytes }], map);
  assert.deepEqual(constants.map(({ start }) => start), [0x400, 0x404, 0x408, 0x40c, 0x414]);
  assert.throws(() => cut_at([{ start: 0x400, bytes }], map.slice(1)), /of another link/);
  const addresses = read_addresses(` (data $0 (i32.const 1028) "x")
 (func $0 (result i32)
  (i32.load offset=1028
   (i32.const 8)))
 (func $1
  (drop (i64.const 4449586118656)))
 (func $2 (param i32)
  (call $0 (i32.const 1028) (i32.const 1036)))
 (export "f" (func $0))`, [0x400, 0x41b]);
  assert.deepEqual([...addresses].map(([id, held]) => [id, ...held]), [['0', 1028], ['1', 1036], ['2', 1028, 1036]]);
  const starts = (parts, reach = 4) => assign_data(constants, parts, addresses, { reach }).map((part) => part.map(({ start }) => start));
  assert.deepEqual(starts([['0'], ['2'], []]), [[0x400, 0x404, 0x414], [0x402, 0x408, 0x40c], []], 'what nobody seems to read is of the first part, as the beginning of "one"');
  assert.deepEqual(starts([['1'], ['2'], []]), [[0x400, 0x402, 0x408, 0x40c, 0x414], [0x404], []]);
  assert.deepEqual(starts([['0'], ['2'], []], 16), [[0x400, 0x402, 0x404, 0x408, 0x40c], [0x414], []], 'from before the first element');
});

test('numbers in constants do not lead into what is large', () => {
  const word = (number) => Buffer.from(Uint32Array.of(number).buffer);
  const typeface = { start: 0x500, bytes: Buffer.alloc(64) };
  const early = { start: 0x400, bytes: Buffer.concat([word(0x510), word(0)]) };
  const addresses = new Map([['0', new Set([0x400])], ['1', new Set([0x500])]]);
  const starts = (large) => assign_data([early, typeface], [['0'], ['1']], addresses, { reach: 4, large }).map((part) => part.map(({ start }) => start));
  assert.deepEqual(starts(64), [[0x400], [0x500]]);
  assert.deepEqual(starts(65), [[0x400, 0x500], []], 'they do into what is small');
  early.bytes = word(0x500);
  assert.deepEqual(starts(64), [[0x400, 0x500], []], 'and to the beginning of all');
});

test('a large text is read from its beginning, other constants from anywhere', () => {
  const text = { start: 0x400, bytes: ascii('a file that is compiled in\0') };
  const held = (address, large) => assign_data([text], [[], ['1']], new Map([['1', new Set([address])]]), { reach: 4, large })[1].length;
  assert.equal(held(0x400, 16), 1);
  assert.equal(held(0x408, 16), 0);
  assert.equal(held(0x408, 64), 1);
  text.bytes = Buffer.concat([ascii('numbers\0'), ascii('and others, as large\0')]);
  assert.equal(held(0x408, 16), 1);
});

test('data are written without their zeros, and read as they were', () => {
  const module = Buffer.concat([ascii('\0asm'), Buffer.from([1, 0, 0, 0, 5, 3, 1, 0, 1, 12, 1, 2])]); // a memory, and a count of segments
  const segments = [{ start: 8, bytes: ascii('ab') }, { start: 12, bytes: ascii('\0c') }, { start: 100, bytes: ascii(`d${'\0'.repeat(60)}e\0\0`) }, { start: 40_000, bytes: ascii('f') }];
  const written = with_data(module, packed(segments, 8));
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Buffer.concat([written.subarray(0, 13), Buffer.from([7, 5, 1, 1, 109, 2, 0]), written.subarray(13)])));
  const memory = Buffer.from(exports.m.buffer);
  for (const { start, bytes } of segments) assert.deepEqual(memory.subarray(start, start + bytes.length), bytes);
  assert.deepEqual(read_data(written).map(({ start, bytes }) => [start, bytes.length]), [[8, 6], [100, 1], [161, 1], [40_000, 1]]);
  assert.deepEqual(read_data(module), []);
  assert.deepEqual(with_data(module, []), module.subarray(0, 13));
});
