// The service over HTTP, as its program starts it.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { add_agents_package, install_package } from './package.mjs';
import { load_core } from './support.mjs';
import { at_end, before, test } from './testing.mjs';

const serve_llama = { model: 'llama-3-8b', device: 'rtx4090', context_tokens: 8192, batch: 4 };
const busy = { model: 'llama-3.1-8b', device: 'h100-80-sxm', profile: 'vllm', prompt_tokens: 512, answer_tokens: 64, concurrency: 4 };
let program, address, plimsoll;

async function started(...words) {
  const service = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  at_end(() => service.kill());
  const [line] = await Promise.race([once(service.stdout, 'data'), once(service.stderr, 'data')]);
  return String(line).trim();
}

before(async () => {
  const { at } = await add_agents_package(await install_package());
  program = join(at, 'plimsoll-rest.mjs');
  plimsoll = await load_core();
  address = await started('--port', '0');
});

async function asked(path, body, method = body === undefined ? 'GET' : 'POST') {
  const answer = await fetch(new URL(path, address), { method, body: typeof body === 'object' && !(body instanceof Uint8Array) ? JSON.stringify(body) : body });
  assert.match(answer.headers.get('content-type'), /^application\/json/);
  return { status: answer.status, text: await answer.text(), allow: answer.headers.get('allow') };
}

/** The answer to a question that is understood. */
async function answered(path, body) {
  const { status, text } = await asked(path, body);
  assert.equal(status, 200, text);
  return JSON.parse(text);
}

const query_of = (fields) => new URLSearchParams(fields).toString();

test('it listens to this machine alone', () => assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/$/));

test('estimate and explain: the very characters that the command line prints', async () => {
  assert.equal((await asked('estimate', serve_llama)).text, plimsoll.estimate_text(serve_llama));
  assert.equal((await asked('explain', serve_llama)).text, plimsoll.explain_text(serve_llama));
  assert.equal((await asked(`estimate?${query_of(serve_llama)}`)).text, plimsoll.estimate_text(serve_llama));
});

test('fit: the largest value, or what must change', async () => {
  assert.deepEqual(await answered('fit', { ...serve_llama, goal: 'largest', field: 'context_tokens' }), plimsoll.solve(serve_llama, 'largest', 'context_tokens'));
  const tight = { model: 'llama-3-70b', device: 'rtx4090' };
  assert.deepEqual(await answered('fit', tight), plimsoll.advise(tight));
});

test('plan: of training and of serving', async () => {
  const training = { model: 'llama-3-8b', task: 'finetune', device: 'h100-80-sxm', gpus: 8, top: 1 };
  assert.deepEqual(await answered('plan', training), await plimsoll.plan(training));
  const serving = { model: 'llama-3-8b', device: 'h100-80-sxm', gpus: 1 };
  assert.deepEqual(await answered('plan', serving), plimsoll.plan_serving(serving));
});

test('load: of a server, and the highest within limits', async () => {
  assert.deepEqual(await answered('load', busy), plimsoll.load(busy));
  const within = await answered(`load?${query_of({ ...busy, first_token_ms: 100 })}`);
  assert.deepEqual(within, plimsoll.load(busy, { first_token_ms: 100 }));
  assert.equal(within.highest.field, 'concurrency');
  const apart = { ...busy, disaggregation: 'decode', prefill_replicas: 1, data_parallel: 2 };
  assert.equal((await answered('load', { ...apart, splits: true })).splits.length, 2);
});

test('cost, export and facts', async () => {
  assert.deepEqual(await answered('cost', { ...serve_llama, today: '2026-11-01' }), plimsoll.cost(serve_llama, { today: '2026-11-01' }));
  assert.deepEqual(await answered('export', { ...serve_llama, to: 'vllm' }), plimsoll.export_command(serve_llama, 'vllm'));
  assert.deepEqual(await answered('catalog'), plimsoll.catalog());
  assert.deepEqual(await answered('fields'), plimsoll.fields());
  assert.deepEqual(await answered('prices'), plimsoll.prices());
});

test('import: one file as it is, or several with answers', async () => {
  const line = 'vllm serve Qwen/Qwen3-8B --max-model-len 32768';
  const alone = await answered('import', line);
  assert.equal(alone.fields.model, 'qwen3-8b');
  const config = JSON.stringify({ model_type: 'llama', hidden_size: 4096, intermediate_size: 14336, num_hidden_layers: 32, num_attention_heads: 32, num_key_value_heads: 8, vocab_size: 128256 });
  assert.equal((await answered('import?name=config.json', new TextEncoder().encode(config))).kind, 'config');
  const several = await answered('import', { files: [{ text: line, name: 'serve.sh' }], device: 'h100-80-sxm' });
  assert.equal(several.fields.device, 'h100-80-sxm');
});

test('an overview names every path', async () => {
  const { version, questions, facts } = await answered('/');
  assert.equal(version, plimsoll.version);
  assert.deepEqual(Object.keys(questions), ['/estimate', '/explain', '/fit', '/plan', '/load', '/cost', '/export', '/import']);
  for (const path of Object.keys(facts)) assert.equal((await asked(path)).status, 200, path);
  const taken = new Set(plimsoll.fields().map(({ name }) => name));
  for (const name of ['goal', 'field', 'to', 'today', 'first_token_ms', 'per_token_ms', 'splits']) assert.ok(!taken.has(name), `${name} is a field of scenarios`);
});

test('bad input is a status, and says what to write instead', async () => {
  const refusals = [
    ['estimate', { model: 'lama', device: 'rtx4090' }, 422, /Did you mean/],
    ['estimate?model=llama-3-8b&device=rtx4090&batch=many', undefined, 422, /batch/],
    ['fit', { ...serve_llama, goal: 'largest' }, 422, /Give both/],
    ['fit', { ...serve_llama, goal: 'largest', field: 'colour' }, 422, /colour/],
    ['load', serve_llama, 422, /prompt_tokens/],
    ['plan', { model: 'lama' }, 422, /Did you mean/],
    ['export', { ...serve_llama, to: 'excel' }, 422, /excel/],
    ['estimate', 'model=llama-3-8b', 400, /no JSON object/],
    ['estimate', '[1]', 400, /no JSON object/],
    ['import', { files: [{}] }, 400, /has no text/],
    ['nothing', undefined, 404, /\/estimate/],
    ['__proto__', undefined, 404, /\/estimate/],
  ];
  for (const [path, body, expected, says] of refusals) {
    const { status, text } = await asked(path, body);
    assert.equal(status, expected, `${path} ${text.slice(0, 300)}`);
    assert.equal(JSON.parse(text).ok, false);
    assert.match(JSON.stringify(JSON.parse(text).issues), says);
  }
  for (const [path, method, allow] of [['estimate', 'DELETE', 'GET, POST'], ['import', 'GET', 'POST'], ['fields', 'POST', 'GET']]) {
    const refused = await asked(path, undefined, method);
    assert.deepEqual([refused.status, refused.allow], [405, allow]);
  }
  assert.match(await started('--port', 'many'), /--port many is no port/);
});
