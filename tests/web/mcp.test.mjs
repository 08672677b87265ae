// The package for agents, by the protocol's own client over standard input and output.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

import { add_agents_package, install_package } from './package.mjs';
import { load_core, repository } from './support.mjs';
import { at_end, before, test } from './testing.mjs';

const serve_llama = { model: 'llama-3-8b', device: 'rtx4090', context_tokens: 8192, batch: 4 };
let project, packed, manifest, client, plimsoll;

async function connected(env = {}) {
  const transport = new StdioClientTransport({ command: process.execPath, args: [join(packed.at, manifest.bin['plimsoll-mcp'])], env });
  const made = new Client({ name: 'tests', version: '0' });
  await made.connect(transport);
  at_end(() => made.close());
  return made;
}

before(async () => {
  project = await install_package();
  packed = await add_agents_package(project);
  manifest = JSON.parse(await readFile(join(packed.at, 'package.json'), 'utf8'));
  plimsoll = await load_core();
  client = await connected();
});

/** The words of an answer and the answer as an object, which is the second part of its content too. */
async function called(name, asked, by = client) {
  const { content, structuredContent, isError } = await by.callTool({ name, arguments: asked });
  if (structuredContent) assert.deepEqual(JSON.parse(content[1].text), structuredContent);
  return { words: content[0].text, answer: structuredContent, is_error: isError === true };
}

test('the tarball has what it lists, and depends on what the tests use', async () => {
  const listed = manifest.files.filter((name) => name !== 'skills');
  assert.deepEqual(packed.files.filter((name) => !name.startsWith('skills/')).sort(), [...listed, 'package.json'].sort());
  assert.ok(packed.files.includes('skills/plimsoll/SKILL.md'));
  const { devDependencies } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8'));
  for (const name of ['@modelcontextprotocol/sdk', 'zod']) assert.equal(manifest.dependencies[name], devDependencies[name]);
  assert.equal(manifest.dependencies.plimsoll, plimsoll.version);
  assert.equal(manifest.version, plimsoll.version);
});

test('the package for pages brings no server along', async () => {
  const other = JSON.parse(await readFile(join(project.folder, 'node_modules/plimsoll/package.json'), 'utf8'));
  assert.equal(other.dependencies, undefined);
});

test('it tells its name, its version and its tools, each with a schema', async () => {
  assert.deepEqual({ name: client.getServerVersion().name, version: client.getServerVersion().version }, { name: 'plimsoll', version: plimsoll.version });
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map(({ name }) => name), ['estimate', 'explain', 'fit', 'plan', 'load', 'cost', 'import', 'export', 'catalog']);
  for (const { inputSchema, description, annotations } of tools) {
    assert.equal(inputSchema.type, 'object');
    assert.ok(description.length > 40);
    assert.equal(annotations.readOnlyHint, true);
  }
});

test('the skill names every tool, and no other', async () => {
  const skill = await readFile(join(packed.at, 'skills/plimsoll/SKILL.md'), 'utf8');
  const [, head] = skill.split('---\n');
  assert.match(head, /^name: plimsoll\ndescription: .{50,1000}\n/);
  const named = [...skill.matchAll(/^\|[^|]*\| `(\w+)`/gm)].map((found) => found[1]);
  assert.deepEqual([...new Set(named)].sort(), (await client.listTools()).tools.map(({ name }) => name).sort());
});

test('estimate: verdict, range, terms with formula and source, and the command for a person', async () => {
  const { words, answer, is_error } = await called('estimate', { question: serve_llama });
  const { headline, estimate, query } = plimsoll.estimate(serve_llama);
  assert.equal(is_error, false);
  assert.equal(answer.verdict, `${headline.verdict} ${headline.rest}`);
  assert.ok(words.startsWith(`${answer.verdict}\n${headline.detail}\n`));
  assert.equal(answer.needs.expected_bytes, estimate.memory.process.expected_bytes);
  assert.equal(answer.needs.range, estimate.memory.process.range_text);
  const cache = answer.terms.find(({ id }) => id === 'memory.kv_cache');
  assert.match(cache.formula, /ceil_div/);
  assert.match(cache.source.url, /^https:/);
  assert.equal(cache.basis, 'published');
  assert.deepEqual(answer.link, { query, url: null, command: `plimsoll estimate '${query}'` });
  assert.ok(words.includes('[1] '));
});

test('a link where the page has an address', async () => {
  const linked = await connected({ PLIMSOLL_SITE: 'https://example.org/plimsoll/' });
  const { words, answer } = await called('estimate', { question: serve_llama }, linked);
  assert.equal(answer.link.url, `https://example.org/plimsoll/?${answer.link.query}`);
  assert.ok(words.includes(`See ${answer.link.url}`));
});

test('a query is the same question as an object', async () => {
  const query = new URLSearchParams(serve_llama).toString();
  assert.deepEqual((await called('estimate', { question: query })).answer, (await called('estimate', { question: serve_llama })).answer);
});

test('explain: one number down to its symbols', async () => {
  const { answer } = await called('explain', { question: serve_llama, part: 'memory.weights' });
  assert.equal(answer.explanation.text, '15.0 GiB');
  assert.match(answer.explanation.parts[0].symbols[0], /^parameters = 525,336,576 parameters: /);
});

test('fit: the largest value and the next, or advice', async () => {
  const largest = await called('fit', { question: serve_llama, goal: 'largest', field: 'context_tokens' });
  assert.deepEqual(largest.answer.answer, plimsoll.solve(serve_llama, 'largest', 'context_tokens').answer);
  const advice = await called('fit', { question: { model: 'llama-3-70b', device: 'rtx4090' } });
  assert.equal(advice.answer.fits, false);
  assert.ok(advice.answer.changes.length > 0 && advice.answer.link.query.includes('llama-3-70b'));
});

test('plan: of serving and of training', async () => {
  const serving = await called('plan', { question: { model: 'llama-3-8b', device: 'h100-80-sxm' }, top: 2 });
  assert.equal(serving.answer.best.length, 2);
  const training = await called('plan', { question: 'model=llama-3-8b&task=finetune&device=h100-80-sxm', gpus: 8, top: 1 });
  assert.equal(training.answer.best[0].gpus, 8);
  assert.equal(training.answer.link.query, training.answer.best[0].query);
});

test('load: waits of a simulated server, and the highest load within a limit', async () => {
  const asked = { model: 'qwen3-32b', device: 'h100-80-sxm', profile: 'vllm', tensor_parallel: 4, prompt_tokens: 1024, answer_tokens: 256, concurrency: 32 };
  const { words, answer } = await called('load', { question: asked, first_token_ms: 500 });
  const { lines, ...load } = plimsoll.load(asked, { first_token_ms: 500 });
  assert.deepEqual({ ...answer, link: undefined }, { ...load, link: undefined });
  assert.ok(answer.highest.value > 0 && answer.load.first_token.p90_ns > 0);
  assert.ok(words.startsWith(`to the first token: ${lines[0].text}\n`));
  const lacking = await called('load', { question: serve_llama });
  assert.equal(lacking.is_error, true);
  assert.match(lacking.words, /prompt_tokens/);
});

test('cost: dated offers with their sources', async () => {
  const { answer } = await called('cost', { question: { model: 'llama-3-8b', device: 'h100-80-sxm' }, today: '2026-11-01' });
  assert.equal(answer.today, '2026-11-01');
  assert.ok(answer.cheapest.price.source && answer.cheapest.price.date);
});

test('import: of a text and of a file, with what is asked back', async () => {
  const text = await called('import', { files: [{ text: 'vllm serve Qwen/Qwen3-8B --max-model-len 32768' }] });
  assert.equal(text.answer.fields.model, 'qwen3-8b');
  assert.ok(text.words.includes('Asked back: Which GPU?'));
  const path = join(project.folder, 'serve.sh');
  await writeFile(path, '#!/bin/bash\nvllm serve "$MODEL"\n');
  const answered = await called('import', { files: [{ path }], answers: { device: 'h100-80-sxm', set: { MODEL: 'Qwen/Qwen3-8B' } } });
  assert.deepEqual([answered.answer.fields.model, answered.answer.fields.device], ['qwen3-8b', 'h100-80-sxm']);
});

test('export and catalog', async () => {
  assert.match((await called('export', { question: serve_llama, to: 'vllm' })).answer.text, /^vllm serve /m);
  const { answer } = await called('catalog', { what: 'devices', search: '4090', most: 1 });
  assert.equal(answer.rows[0].id, 'rtx4090');
  assert.ok((await called('catalog', { what: 'fields', search: 'kv_dtype' })).answer.rows.some(({ name }) => name === 'kv_dtype'));
});

test('bad input is an answer that says what to write instead', async () => {
  const refusals = [
    ['estimate', { question: { model: 'lama', device: 'rtx4090' } }, /Did you mean/],
    ['estimate', { question: 'model=llama-3-8b&device=rtx4090&batch=many' }, /batch/],
    ['estimate', { question: 5 }, /question/],
    ['estimate', {}, /question/],
    ['explain', { question: serve_llama, part: 'memory.nothing' }, /Ask for one of memory\.weights/],
    ['fit', { question: serve_llama, goal: 'largest' }, /Give both/],
    ['fit', { question: serve_llama, goal: 'largest', field: 'colour' }, /colour/],
    ['plan', { question: 'model=lama' }, /Did you mean/],
    ['cost', { question: { gpus: 'many' } }, /gpus/],
    ['import', { files: [{ path: join(repository, 'no/such/file') }] }, /no\/such\/file cannot be read/],
    ['import', { files: [{}] }, /one of the two/],
    ['import', { files: [{ text: 'rm -rf /' }] }, /./],
    ['export', { question: serve_llama, to: 'excel' }, /excel/],
    ['catalog', { what: 'colours' }, /what/],
  ];
  for (const [name, asked, says] of refusals) {
    const { words, is_error } = await called(name, asked);
    assert.equal(is_error, true, `${name} ${JSON.stringify(asked)}`);
    assert.match(words, says);
  }
  await assert.rejects(async () => {
    const { isError, content } = await client.callTool({ name: 'nothing', arguments: {} });
    if (isError) throw new Error(content[0].text);
  }, /nothing/);
});
