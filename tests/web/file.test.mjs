// Model files in JavaScript: recognised by content, read no further than their header, refused by name when they are none.

import assert from 'node:assert/strict';
import { File } from 'node:buffer'; // global since Node 20

import { header_of } from '../../web/plimsoll-file.mjs';
import { llama_config } from './llama_config.mjs';
import { gguf, huge_file, large, parameters_of, safetensors, small } from './model_files.mjs';
import { load_core } from './support.mjs';
import { before, test } from './testing.mjs';

let plimsoll;
before(async () => { plimsoll = await load_core(); });

test('a config.json, whatever it comes in', async () => {
  const bytes = new TextEncoder().encode(llama_config);
  const padded = new Uint8Array(bytes.length + 16);
  padded.set(bytes, 7);
  const sources = [
    llama_config, bytes, bytes.buffer, Buffer.from(bytes), new DataView(bytes.buffer), padded.subarray(7, 7 + bytes.length),
    new Blob([bytes]), new File([bytes], 'config.json'),
  ];
  const expected = plimsoll.import_config(llama_config);
  for (const source of sources) {
    const file = await plimsoll.import_file(source);
    assert.equal(file.ok, true, JSON.stringify(file.issues));
    assert.equal(file.kind, 'config');
    assert.equal(file.parameters, 8_030_261_248);
    assert.deepEqual(file.fields, expected.fields);
    assert.equal(file.query, expected.query);
    assert.equal(plimsoll.estimate(file.query).estimate.parameters, 8_030_261_248);
  }
});

for (const [kind, make] of [['safetensors', safetensors], ['gguf', gguf]]) {
  for (const [size, model] of [['small', small], ['of 141 GB', large]]) {
    test(`${kind}, ${size}: the parameters are those of the tensors, and nothing behind the header is read`, async () => {
      const header = make(model);
      const source = huge_file(header, `model.${kind}`);
      const file = await plimsoll.import_file(source);
      assert.equal(file.ok, true, JSON.stringify(file.issues));
      assert.equal(file.kind, kind);
      assert.equal(file.parameters, parameters_of(model));
      assert.equal(file.by_dtype.reduce((sum, row) => sum + row.bytes, 0), file.bytes);
      assert.equal(file.groups.reduce((sum, group) => sum + group.parameters, 0), parameters_of(model));
      assert.ok(source.furthest <= 2 * header.bytes.length + 65_536, `read up to ${source.furthest} of ${header.bytes.length}`);
      assert.equal(source.read, source.furthest, 'no byte is read twice');
    });
  }
}

test('progress is told, and tells the truth', async () => {
  const steps = [];
  await plimsoll.import_file(huge_file(gguf(large), 'model.gguf'), { on_progress: (step) => steps.push(step) });
  assert.ok(steps.length > 1);
  assert.ok(steps.every((step, i) => step.bytes <= step.of && (i === 0 || step.bytes >= steps[i - 1].bytes)), JSON.stringify(steps));
});

test('a read that hangs ends when it is cancelled', async () => {
  const hanging = { size: 1e9, name: 'slow', [Symbol.toStringTag]: 'File', slice: () => ({ stream: () => new ReadableStream({}) }) };
  const reading = new AbortController();
  const answer = plimsoll.import_file(hanging, { signal: reading.signal });
  setTimeout(() => reading.abort(), 20);
  await assert.rejects(answer, { name: 'AbortError' });
  await assert.rejects(plimsoll.import_file(llama_config, { signal: reading.signal }), { name: 'AbortError' });
});

test('a file that cannot be read, or shrinks while it is read, is an answer', async () => {
  const failing = { size: 10, name: 'gone.gguf', [Symbol.toStringTag]: 'File', slice() { throw new Error('it has been removed'); } };
  const shrinking = { size: 1e6, name: 'short', [Symbol.toStringTag]: 'File', slice: () => new Blob(['{"model_type"']) };
  for (const [source, words] of [[failing, /gone\.gguf cannot be read \(it has been removed\)/], [shrinking, /./]]) {
    const file = await plimsoll.import_file(source);
    assert.equal(file.ok, false);
    assert.match(file.issues[0].message, words);
    assert.ok(file.issues[0].remedy);
  }
});

const revoked = Proxy.revocable({}, {});
revoked.revoke();
const junk = [
  ['nothing', undefined], ['null', null], ['a number', 7], ['a list', [1, 2]], ['an object', { size: 3 }], ['a revoked proxy', revoked.proxy],
  ['an empty text', ''], ['an empty file', new Blob([])], ['a text', 'hello'], ['a zip archive', new Uint8Array([0x50, 0x4b, 3, 4, 0, 0, 0, 0, 0, 0])],
  ['a magic number alone', 'GGUF'], ['a header of 2^63 bytes', new Uint8Array([255, 255, 255, 255, 255, 255, 255, 127, 123])],
  ['zero bytes', new Uint8Array(100)], ['JSON that is no model', '{"a": 1}'], ['nested brackets', '{"a":'.repeat(100_000)],
];
for (const [what, source] of junk) {
  test(`${what} is answered with an issue`, async () => {
    const file = await plimsoll.import_file(source);
    assert.equal(file.ok, false);
    assert.ok(file.issues.some((issue) => issue.severity === 'error' && issue.message && issue.remedy), JSON.stringify(file));
    for (const nothing of [file.fields, file.query]) assert.equal(nothing ?? null, null);
  });
}

test('the core is asked again until it has enough, and no longer', async () => {
  const asked = [];
  const core = {
    header_bytes_needed(bytes) {
      asked.push(bytes.length);
      return { enough: bytes.length >= 300, bytes: bytes.length + 100 };
    },
  };
  const { bytes, size } = await header_of(core, new Blob([new Uint8Array(1000).fill(1)]));
  assert.deepEqual(asked, [0, 100, 200, 300]);
  assert.equal(bytes.length, 300);
  assert.equal(size, 1000);
  assert.ok(bytes.every((byte) => byte === 1));

  const greedy = { header_bytes_needed: (given) => ({ enough: false, bytes: given.length }) };
  assert.equal((await header_of(greedy, new Blob(['x']))).bytes.length, 0, 'a core that asks for nothing new gets nothing');
});
