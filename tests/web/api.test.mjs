// The JavaScript API in Node: exact numbers, values instead of handles, and answers to whatever it is given.

import assert from 'node:assert/strict';

import { llama_config } from './llama_config.mjs';
import { load_core } from './support.mjs';
import { before, test } from './testing.mjs';

let plimsoll;
before(async () => { plimsoll = await load_core(); });

const serve_llama = { model: 'llama-3-8b', device: 'rtx4090', task: 'inference', context_tokens: 8192, batch: 1 };
const part_of = (answer, id) =>
  answer.estimate.moments.find((moment) => moment.moment === answer.estimate.peak.moment).parts.find((part) => part.id === id);

test('Llama 3 8B has the parameters of its published checkpoint', () => {
  assert.equal(plimsoll.estimate(serve_llama).estimate.parameters, 8_030_261_248);
});

test('its KV cache takes 2 x 32 layers x 8 heads x 128 x 2 bytes a token', () => {
  const answer = plimsoll.estimate(serve_llama);
  assert.equal(answer.estimate.kv_cache_bytes_per_token, 131_072);
  assert.equal(part_of(answer, 'memory.kv_cache').bytes, 1_073_741_824);
});

test('pure bf16 AdamW holds 8 bytes per parameter: weight, gradient and two moments of 2 bytes', () => {
  const answer = plimsoll.estimate({ task: 'finetune', model: 'llama-3-8b', device: 'h100-80-sxm', precision: 'bf16' });
  assert.equal(answer.estimate.states_bytes_per_parameter, 8);
  assert.equal(answer.estimate.kv_cache_bytes_per_token, null);
});

test('an object, its query and URLSearchParams are the same question', () => {
  const stated = Object.fromEntries(Object.entries(serve_llama).map(([name, value]) => [name, String(value)]));
  const query = new URLSearchParams(stated);
  const answer = plimsoll.estimate_text(serve_llama);
  assert.equal(plimsoll.estimate_text(query), answer);
  assert.equal(plimsoll.estimate_text(query.toString()), answer);
  assert.equal(plimsoll.estimate_text(`?${query}`), answer);
  assert.equal(plimsoll.estimate_text({ ...serve_llama, recompute: undefined }), answer);
});

test('the canonical query gives the same answer and itself', () => {
  const first = plimsoll.estimate({ ...serve_llama, batch: 4 });
  const second = plimsoll.estimate(first.query);
  assert.deepEqual(second, first);
});

test('a component is the sum of its parts, all the way down', () => {
  const visit = (component) => {
    if (component.parts.length === 0) return;
    const sum = component.parts.reduce((total, part) => total + part.amount, 0);
    assert.equal(component.amount, sum, component.id);
    component.parts.forEach(visit);
  };
  const { explanation, estimate } = plimsoll.explain(serve_llama);
  visit(explanation.memory);
  visit(explanation.parameters);
  assert.equal(explanation.memory.amount, estimate.peak.bytes);
});

test('answers are values: changing one changes nothing else', () => {
  const answer = plimsoll.estimate(serve_llama);
  answer.estimate.parameters = 0;
  plimsoll.fields()[0].name = 'changed';
  plimsoll.catalog().models.length = 0;
  assert.equal(plimsoll.estimate(serve_llama).estimate.parameters, 8_030_261_248);
  assert.equal(plimsoll.fields()[0].name, 'task');
  assert.ok(plimsoll.catalog().models.length > 0);
  assert.ok(Object.isFrozen(plimsoll));
});

test('load() starts once', async () => {
  assert.equal(await load_core(), plimsoll);
});

test('the answer repeats every field that matters for the task', () => {
  for (const task of ['inference', 'finetune', 'pretrain']) {
    const { scenario } = plimsoll.estimate({ task, model: 'llama-3.2-1b' });
    const fields = plimsoll.fields().filter((field) => field.tasks.includes(task));
    const names = fields.filter((field) => field.topic !== 'model').map((field) => field.name);
    const of_model = fields.filter((field) => field.topic === 'model').map((field) => field.name);
    assert.deepEqual(Object.keys(scenario).filter((name) => !of_model.includes(name)).sort(), names.sort());
    // of a model only the facts that its family has
    for (const name of ['model', 'hidden_size', 'layers', 'kv_heads']) assert.ok(name in scenario, name);
    for (const name of ['experts', 'ssm_state_size', 'kv_lora_rank']) assert.ok(!(name in scenario), name);
  }
  assert.match(plimsoll.version, /^\d+\.\d+\.\d+$/);
});

test('amounts in words', () => {
  assert.equal(plimsoll.format_bytes(16_060_522_496), '15.0 GiB');
  assert.equal(plimsoll.format_exact(16_060_522_496, 'bytes'), '16,060,522,496 bytes');
  for (const bad of [undefined, null, NaN, Infinity, 1.5, 2 ** 53, '1', 1n, {}]) {
    assert.equal(plimsoll.format_bytes(bad), '');
    assert.equal(plimsoll.format_exact(bad, 'bytes'), '');
  }
});

test('a config.json becomes a model', () => {
  const config = plimsoll.import_config(llama_config);
  assert.equal(config.ok, true, JSON.stringify(config.issues));
  assert.equal(config.parameters, 8_030_261_248);
  assert.equal(config.fields.model, 'custom');
  assert.equal(plimsoll.estimate(config.fields).estimate.parameters, 8_030_261_248);
  assert.equal(plimsoll.estimate(config.query).estimate.parameters, 8_030_261_248);
});

// ---- hostile input: every row must be an answer that is not ok, and name the field where there is one ----

const cyclic = { model: 'llama-3-8b' };
cyclic.batch = cyclic;
const throwing = { get batch() { throw new Error('no'); } };
const revoked = Proxy.revocable({}, {});
revoked.revoke();

const hostile = [
  ['nothing', undefined, ''],
  ['null', null, ''],
  ['a number', 7, ''],
  ['a bigint', 7n, ''],
  ['a symbol', Symbol('x'), ''],
  ['a function', () => 1, ''],
  ['a list', ['model'], ''],
  ['a map', new Map([['model', 'llama-3-8b']]), ''],
  ['a revoked proxy', revoked.proxy, ''],
  ['a throwing getter', throwing, ''],
  ['null in a field', { batch: null }, 'batch'],
  ['a bigint in a field', { batch: 4n }, 'batch'],
  ['a function in a field', { batch: () => 1 }, 'batch'],
  ['a symbol in a field', { batch: Symbol('x') }, 'batch'],
  ['an object in a field', { model: { id: 'llama-3-8b' } }, 'model'],
  ['a list in a field', { batch: [1] }, 'batch'],
  ['a cycle', cyclic, 'batch'],
  ['infinity', { batch: 1e999 }, 'batch'],
  ['not a number', { batch: NaN }, 'batch'],
  ['a fraction', { batch: 1.5 }, 'batch'],
  ['too large for a number', { batch: 2 ** 60 }, 'batch'],
  ['a negative number', { batch: -1 }, 'batch'],
  ['zero', { context_tokens: 0 }, 'context_tokens'],
  ['text that is no number', { batch: 'many' }, 'batch'],
  ['a number of 400 digits', { batch: '9'.repeat(400) }, 'batch'],
  ['a true batch', { batch: true }, 'batch'],
  ['an unknown preset', { model: 'lama-3' }, 'model'],
  ['markup', { model: '<img src=x onerror=alert(1)>' }, 'model'],
  ['a lone surrogate', { model: '\ud800' }, 'model'],
  ['a zero byte', { model: 'llama\u0000-3-8b' }, 'model'],
  ['a megabyte of text', { model: 'x'.repeat(1 << 20) }, 'model'],
  ['a bad query', 'batch=%ff%fe', 'batch'],
];

for (const [name, input, field] of hostile) {
  test(`${name} is answered with an issue`, () => {
    for (const ask of [plimsoll.estimate, plimsoll.explain, plimsoll.validate]) {
      const answer = ask(input);
      assert.equal(answer.ok, false);
      const errors = answer.issues.filter((issue) => issue.severity === 'error');
      assert.ok(errors.length > 0);
      assert.ok(errors.some((issue) => issue.field === field), JSON.stringify(answer.issues).slice(0, 300));
      for (const issue of errors) assert.ok(issue.message !== '' && issue.remedy !== '', JSON.stringify(issue));
    }
    for (const ask of [plimsoll.estimate_text, plimsoll.explain_text]) assert.equal(JSON.parse(ask(input)).ok, false);
  });
}

test('a field nobody knows is an issue, whatever it is called', () => {
  for (const name of ['colour', '__proto__', 'constructor', 'toString']) {
    const input = JSON.parse(`{"model": "llama-3-8b", "${name}": "red"}`);
    assert.ok(plimsoll.validate(input).issues.some((issue) => issue.field === name), name);
  }
});

const no_configs = [
  '', '{', 'null', '[]', '"config"', '{"hidden_size": 1e400}', '\ud800', '{"a":'.repeat(5000), undefined, null, 7, {}, [],
];
for (const text of no_configs) {
  test(`a config of ${JSON.stringify(text)?.slice(0, 30)} is answered with an issue`, () => {
    const answer = plimsoll.import_config(text);
    assert.equal(answer.ok, false);
    assert.ok(answer.issues.some((issue) => issue.severity === 'error' && issue.message && issue.remedy));
  });
}

test('editing one input takes back what depended on the former choice', () => {
  assert.equal(plimsoll.edit_query('kv_heads=16&batch=2', 'model', 'qwen3-8b'), 'model=qwen3-8b&device=h100-80-sxm&task=inference&batch=2');
  assert.match(plimsoll.edit_query('batch=2', 'batch', 'many'), /batch=many/);
});

test('64 GPUs for 2.5 hours cost whole instances at prices with a date', () => {
  const answer = plimsoll.cost({ device: 'h100-80-sxm', gpus: 64, hours: 2.5, cloud: 'AWS' }, { today: '2026-11-22' });
  assert.ok(answer.ok);
  assert.equal(answer.cheapest.instances, 8);
  assert.equal(answer.ways[0].gpu_seconds, 64 * 2.5 * 3600);
  assert.match(answer.cheapest.price.warning, /days ago/);
  assert.match(plimsoll.cost({ hours: 1 }).today, /^\d{4}-\d\d-\d\d$/);
});

test('prices and devices of one’s own are texts beside the question', () => {
  const prices = JSON.stringify({ source: 'a letter', date: '2026-11-01', cloud: 'Mine', prices: [{ instance: 'one', gpu: 't4', usd_per_hour: 0.25 }] });
  assert.equal(plimsoll.cost({ device: 't4', hours: 4 }, { prices, today: '2026-11-22' }).cheapest.total.text, '$1.00');
  assert.equal(plimsoll.cost({ device: 't4', hours: 4 }, { prices: '[' }).ok, false);
  const device = { id: 'mine', name: 'Mine', vendor: 'Me', arch: 'Hopper', class: 'datacenter', memory_usable_bytes: 8e9, memory_usable_basis: 'read', sources: ['here'], date: '2026-11' };
  const options = { devices: JSON.stringify([device]) };
  assert.equal(plimsoll.estimate({ model: 'llama-3-8b', device: 'mine' }, options).estimate.usable_bytes, 8e9);
  assert.equal(plimsoll.estimate({ model: 'llama-3-8b', device: 'mine' }).ok, false);
});

test('questions about cost that are none are answered too', () => {
  for (const input of [null, undefined, 3, [], { hours: 'long' }, { hours: NaN }, new Date()]) assert.equal(plimsoll.cost(input).ok, false);
});

test('an explanation says what rules of thumb leave out', () => {
  const { rules } = plimsoll.explain(serve_llama);
  const weights = rules.find(({ rule }) => rule.id === 'rule.weights');
  assert.equal(weights.rule.amount, 2 * 8_030_261_248);
  assert.ok(weights.leaves_out.length > 0);
});

test('amounts are written as people read them, with the unit that a range shares once', () => {
  assert.equal(plimsoll.format_amount(1_240_000_000, 'ns'), '1.24 s');
  assert.equal(plimsoll.format_amounts(330_000_000, 819_000_000, 'ns'), '330 to 819 ms');
  assert.equal(plimsoll.format_amount(1e19, 'bytes'), plimsoll.format_amount(9.2e18, 'bytes'), 'cut where 64 bits end');
  for (const amount of [NaN, Infinity, 1.5, '7', null, undefined]) {
    assert.equal(plimsoll.format_amount(amount, 'bytes'), '');
    assert.equal(plimsoll.format_amounts(amount, 1, 'bytes'), '');
  }
});

test('JSON files that are no models are told apart, whatever they are', () => {
  const price = { instance: 'one', gpu: 't4', usd_per_hour: 0.25 };
  const prices = JSON.stringify({ source: 'a letter', date: '2026-11-01', cloud: 'Mine', prices: [price] });
  assert.deepEqual([plimsoll.given_file(prices).kind, plimsoll.given_file(prices).ok], ['prices', true]);
  const refused = plimsoll.given_file(prices.replace('t4', 'no-such-gpu'));
  assert.deepEqual([refused.kind, refused.ok, refused.issues[0].field], ['prices', false, 'prices[0].gpu']);
  for (const text of ['', '{', 'null', '\ud800', '[]', '{"hidden_size": 4096}', null, undefined, 7]) assert.equal(plimsoll.given_file(text).kind, 'other');
});

test('a result becomes a file of each kind, and the JSON comes back as its question', () => {
  const { query } = plimsoll.estimate(serve_llama);
  const { name, type, text } = plimsoll.result_file(serve_llama, 'json');
  assert.match(name, /^plimsoll-.*\.json$/);
  assert.equal(type, 'application/json');
  assert.deepEqual(plimsoll.given_file(text), { kind: 'result', ok: true, issues: [], summary: 'A result that was exported before', query, devices: [] });
  assert.ok(plimsoll.result_file(serve_llama, 'csv').text.startsWith('table,id,label'));
  for (const [input, format] of [[serve_llama, 'pdf'], [{ model: 'no-such-model' }, 'csv'], [null, 'csv'], [serve_llama, null]]) {
    assert.equal(plimsoll.result_file(input, format).text, '');
  }
});
