// The module prints the very bytes of the command line: one core, whichever machine runs it.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { llama_config } from './llama_config.mjs';
import { gguf, huge_file, large, safetensors, small } from './model_files.mjs';
import { queries } from './scenarios.mjs';
import { cli, load_core, must_exist } from './support.mjs';
import { at_end, before, test } from './testing.mjs';

let plimsoll;
before(async () => {
  must_exist(cli, 'build the preset native-release, or set CLI');
  plimsoll = await load_core();
});

/** A failing scenario is printed too, with an exit status that says so. */
function printed(...words) {
  try {
    return execFileSync(cli, words.filter(Boolean), { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch (failure) {
    return failure.stdout;
  }
}

/** As assert.equal, but shows where the texts part: they are longer than anybody reads. */
function same(actual, expected) {
  if (actual === expected) return;
  let at = 0;
  while (actual[at] === expected[at]) ++at;
  const near = (text) => JSON.stringify(text.slice(Math.max(0, at - 60), at + 60));
  assert.fail(`they differ at character ${at}:\nmodule  ${near(actual)}\nprogram ${near(expected)}`);
}

for (const query of queries) {
  test(`estimate and explain agree on "${query}"`, () => {
    same(`${plimsoll.estimate_text(query)}\n`, printed('estimate', '--json', query));
    same(`${plimsoll.explain_text(query, { readings: true })}\n`, printed('explain', '--json', query));
  });
}

test('export agrees, and what it writes is read again', async () => {
  const query = 'model=llama-3-8b&device=h100-80-sxm&profile=vllm&context_tokens=8000&max_sequences=32';
  const exported = plimsoll.export_command(query, 'vllm');
  assert.deepEqual(exported, JSON.parse(printed('export', '--json', query, '--to', 'vllm')));
  const read = await plimsoll.import_file(exported.text);
  assert.equal(read.kind, 'command_line');
  assert.equal(read.fields.context_tokens, '8000');
  assert.equal(plimsoll.export_command(query, 'nonsense').ok, false);
});

test('files of training frameworks are written and read alike', async () => {
  const query = 'task=finetune&model=llama-3-8b&profile=hf_trainer&method=lora&rank=32&targets=all_linear&context_tokens=4096&recompute=full';
  for (const format of ['deepspeed', 'accelerate', 'trainer', 'axolotl', 'llama_factory', 'ms_swift', 'trl', 'torchtune', 'torchtitan', 'megatron', 'nemo']) {
    const exported = plimsoll.export_command(query, format);
    assert.deepEqual(exported, JSON.parse(printed('export', '--json', query, '--to', format)), format);
    const read = await plimsoll.import_file(exported.text);
    assert.equal(read.kind, 'training_config', format);
    assert.equal(read.format, format);
    assert.equal(read.unread.length, 0, format);
  }
  assert.equal((await plimsoll.import_file(plimsoll.export_command(query, 'axolotl').text)).fields.rank, '32');
});

test('fit agrees', () => {
  for (const [query, goal, field] of [
    ['model=llama-3-8b&device=rtx4090', 'largest', 'context_tokens'], ['model=llama-3-8b&device=rtx4090', 'smallest', 'device'],
    ['model=llama-3-70b&device=rtx4090&profile=llama_cpp&weight_dtype=q4_k_m', 'largest', 'gpu_layers'], ['model=llama-3-8b', 'largest', 'nonsense'],
  ])
    assert.deepEqual(plimsoll.solve(query, goal, field), JSON.parse(printed('fit', '--json', query, `--${goal}`, field)), `${goal} ${field}`);
  assert.equal(plimsoll.solve(null, 'largest', 'batch').ok, false);
  assert.equal(plimsoll.solve({}, 'best', 'batch').issues[0].severity, 'error');
});

test('advice agrees', () => {
  for (const query of ['model=llama-3-70b&device=a100-80-sxm&profile=vllm', 'model=llama-3-8b&device=h100-80-sxm&task=finetune&method=lora'])
    assert.deepEqual(plimsoll.advise(query), JSON.parse(printed('fit', '--json', '--advice', query)), query);
  assert.equal(plimsoll.advise(null).ok, false);
  const query = 'model=llama-3-8b&task=finetune&method=lora';
  assert.deepEqual(plimsoll.sensitivity(query), JSON.parse(printed('fit', '--json', '--sensitivity', query)));
});

test('loads agree', () => {
  const query = 'model=llama-3.1-8b&device=h100-80-sxm&profile=vllm&prompt_tokens=512&answer_tokens=64&concurrency=4';
  assert.deepEqual(plimsoll.load(query), JSON.parse(printed('load', '--json', query)));
  assert.deepEqual(plimsoll.load(query, { first_token_ms: 100 }), JSON.parse(printed('load', '--json', query, '--first-token-ms', '100')));
  assert.equal(plimsoll.load(null).ok, false);
});

test('plans agree, in whatever steps they are searched', async () => {
  for (const query of ['model=llama-3-8b&task=pretrain&device=h100-80-sxm&profile=torchtitan&gpus=16&top=3',
    'model=llama-3-8b&task=finetune&device=a100-80-sxm&profile=megatron&gpus=8,16&objective=cost&deadline=20.5', 'model=llama-3-8b&gpus=none']) {
    const steps = [];
    const plan = await plimsoll.plan(query, { on_progress: (progress) => steps.push(progress.tried) });
    assert.deepEqual(plan, JSON.parse(printed('plan', '--json', query)), query);
    assert.deepEqual(steps, [...steps].sort((one, other) => one - other), 'progress rises');
  }
  const serving = 'model=llama-3-70b&task=inference&profile=vllm&context_tokens=8192&gpus=1,2,4,8&objective=cost&least_rate=20&compare_devices=h100-80-sxm,a100-80-sxm';
  assert.deepEqual(plimsoll.plan_serving(serving), JSON.parse(printed('plan', '--json', serving)));
  const partial = [];
  await plimsoll.plan({ model: 'llama-3-8b', task: 'pretrain', profile: 'torchtitan', gpus: 8 }, { on_progress: (_, now) => partial.push(now().progress.done) });
  assert.ok(partial.length > 1 && !partial[0]);
  await assert.rejects(plimsoll.plan('gpus=8', { signal: AbortSignal.abort() }), { name: 'AbortError' });
  assert.equal((await plimsoll.plan(7)).ok, false);
});

test('a load is simulated alike', () => {
  const load = 'model=llama-3-8b&device=h100-80-sxm&profile=vllm&prompt_tokens=1024&answer_tokens=128&price_per_gpu_hour=2';
  for (const query of [`${load}&concurrency=16`, `${load}&request_rate=1.5`, load, 'model=lama'])
    assert.deepEqual(plimsoll.load(query, { first_token_ms: 800 }), JSON.parse(printed('load', '--json', '--first-token-ms', '800', query)), query);
  assert.equal(plimsoll.load(load, { first_token_ms: 0.5 }).issues[0].field, 'first_token_ms');
});

/** A file on the disk that is as long as its header says, and takes no more room than the header. */
function sparse_file(folder, name, { bytes, size }) {
  const path = join(folder, name);
  const file = openSync(path, 'w');
  writeSync(file, bytes);
  ftruncateSync(file, size);
  closeSync(file);
  return path;
}

test('import agrees on files of every kind, of any size', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-import-'));
  at_end(() => rmSync(folder, { recursive: true }));
  const config = new TextEncoder().encode(llama_config);
  const files = [
    ['config.json', { bytes: config, size: config.length }],
    ['model.safetensors', safetensors(large)], ['model.gguf', gguf(large)], ['small.gguf', gguf(small)],
  ];
  for (const [name, file] of files) {
    const path = sparse_file(folder, name, file);
    assert.deepEqual(await plimsoll.import_file(huge_file(file, name)), JSON.parse(printed('import', '--json', path)), name);
    assert.match(printed('import', path), /^[^\n]+\n\nparameters +[0-9,]+\n/, name);
  }
  assert.equal(JSON.parse(printed('import', '--json', folder)).ok, false);
  const [, command] = printed('import', join(folder, 'config.json')).match(/\nplimsoll (estimate .*)\n$/);
  assert.match(command, /--config '.*config\.json' --device/);
  assert.match(printed('estimate', '--config', join(folder, 'config.json'), '--device', 'h100-80-sxm'), /8,030,261,248 parameters/);
});

test('version', () => {
  assert.match(printed('--version'), new RegExp(`\\b${plimsoll.version.replaceAll('.', '\\.')}\\b`));
});

test('an option of another tool is refused, and ours is named', () => {
  const { status, stderr } = spawnSync(cli, ['estimate', '--model', 'llama-3-8b', '--vram=24GB'], { encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(stderr, /--vram=24GB: did you mean usable_bytes, or a device\?/);
});

test('an option of another tool that means what ours means is taken', () => {
  assert.match(printed('estimate', '--model', 'llama-3-8b', '--task', 'finetune', '--gradient-checkpointing=true', '--qlora', '--device', 'rtx4090'), /nf4/);
});

test('what a remedy tells people to run is there', () => {
  const { status, stdout } = spawnSync(cli, ['catalog', 'weights', '--search', 'nf4'], { encoding: 'utf8' });
  assert.equal(status, 0);
  assert.match(stdout, /^nf4 /m);
});
