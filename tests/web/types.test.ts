// Checked by tsc --strict, never run: what must compile, and, after @ts-expect-error, what must not.

import { load } from 'plimsoll';
import type { Component, EstimateAnswer, Field, Input, Issue, Plimsoll, ScenarioFields } from 'plimsoll';

const plimsoll: Plimsoll = await load();

const fields: ScenarioFields = { model: 'llama-3-8b', device: 'rtx4090', task: 'inference', context_tokens: 8192, batch: 4 };
const inputs: Input[] = [fields, {}, 'model=llama-3-8b&batch=4', new URLSearchParams({ model: 'llama-3-8b' }), { batch: undefined }];
const answers: EstimateAnswer[] = inputs.map((input) => plimsoll.estimate(input));

for (const answer of answers) {
  if (answer.ok) {
    const bytes: number = answer.estimate.peak.bytes;
    const per_token: number | null = answer.estimate.kv_cache_bytes_per_token;
    const text: string = plimsoll.format_bytes(bytes) + answer.headline.verdict + answer.scenario.model + per_token;
    void text;
  } else {
    const nothing: null = answer.estimate;
    const issues: Issue[] = answer.issues;
    void [nothing, issues];
  }
}

const explained = plimsoll.explain(fields);
if (explained.ok) {
  const leaves = (component: Component): string[] => component.parts.flatMap(leaves).concat(component.formula);
  const labels: string[] = explained.explanation.memory.parts.map((part) => part.citation?.text ?? part.label);
  void [leaves(explained.explanation.parameters), labels];
}

const imported = plimsoll.import_config('{}');
if (imported.ok) plimsoll.estimate({ ...imported.fields, device: 'rtx4090' });
const file = await plimsoll.import_file(new Blob(['{}']), { signal: new AbortController().signal, on_progress: ({ bytes, of }) => void [bytes, of] });
if (file.ok && file.query !== null) plimsoll.estimate(file.query);
if (file.ok) void [file.kind === 'gguf', file.by_dtype?.map((row) => row.bytes), file.groups?.map((group) => group.label)];
await Promise.all([plimsoll.import_file('{}'), plimsoll.import_file(new Uint8Array(8)), plimsoll.import_file(new ArrayBuffer(8), { name: 'x' })]);
const ids: string[] = [...plimsoll.search_models('qwen'), ...plimsoll.search('device', 'rtx')];
const reasons: string[] = plimsoll.catalog().models.flatMap((model) => model.differences.map(({ what }) => what));
void [ids, reasons];
const row: Field | undefined = plimsoll.fields().find((field) => field.name === 'batch');
const range: [number | null, number | null] | undefined = row && [row.min, row.max];
const names: string[] = plimsoll.catalog().models.map((model) => model.name);
void [range, names];

const planned = await plimsoll.plan({ model: 'llama-3-70b', task: 'finetune', device: 'h100-80-sxm', gpus: 64, objective: 'cost' },
  { signal: new AbortController().signal, on_progress: ({ layouts, of, tried }, partial) => void [layouts, of, tried, partial().best.length] });
const fastest: string | undefined = planned.best[0]?.time?.text;
const degrees: number[] = planned.front.map(({ choice }) => choice.tensor_parallel * choice.data_parallel);
const advice: string[] = plimsoll.advise(fields).changes.flatMap(({ changes }) => changes.map(({ text }) => text));
void [fastest, degrees, advice, planned.counts.dropped.find(({ id }) => id === 'states')?.strategies];
const waited = plimsoll.load({ ...fields, prompt_tokens: 512, answer_tokens: 64, concurrency: 8 }, { first_token_ms: 500 });
if (waited.ok) void [waited.load.first_token.p90_ns, waited.highest?.value, waited.lines.map(({ label, text }) => label + text)];
const served: number | undefined = plimsoll.plan_serving({ model: 'llama-3-70b', gpus: '4,8', least_rate: 20 }).best[0]?.rate?.thousandths;
void [served, plimsoll.sensitivity(fields).inputs[0]?.change_bytes];
const loaded = plimsoll.load({ model: 'llama-3-8b', device: 'h100-80-sxm', concurrency: 8 }, { first_token_ms: 500 });
if (loaded.ok) void [loaded.load.first_token.p90_ns, loaded.highest?.value];
// @ts-expect-error not an objective
await plimsoll.plan({ objective: 'beauty' });
// @ts-expect-error a typing mistake in a field's name
plimsoll.estimate({ modell: 'llama-3-8b' });
// @ts-expect-error numbers are numbers
plimsoll.estimate({ batch: [4] });
// @ts-expect-error not a task
plimsoll.estimate({ task: 'dreaming' });
// @ts-expect-error not a source
await plimsoll.import_file(7);
// @ts-expect-error a scenario is needed
plimsoll.estimate();
// @ts-expect-error the answer may have no estimate
plimsoll.estimate(fields).estimate.peak;
// @ts-expect-error the object is frozen
plimsoll.version = '2.0.0';

import { PlimsollEstimate } from 'plimsoll/element';
import type { PlimsollEstimateEvents } from 'plimsoll/element';

const element: PlimsollEstimate = document.createElement('plimsoll-estimate');
const shown: number | undefined = element.estimate?.peak.bytes;
const words = ({ detail }: PlimsollEstimateEvents['estimate']): string => detail.headline?.verdict ?? '';
// @ts-expect-error the answer is the element's to set
element.query = '';
void [shown, words];
