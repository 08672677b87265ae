// Plimsoll for JavaScript: how much GPU memory a large language model needs to serve, fine-tune or pre-train.
//
// Amounts of memory are whole numbers of bytes; texts such as "14.9 GiB" come ready made. Names are the same as in the C++
// library, in JSON and in URLs. Nothing throws on bad input: an answer says what is wrong and what to write instead.

import type { ScenarioFields } from './plimsoll-fields.d.ts';
import type { ExportTarget, FileAnswer, ImportAnswer, ImportAnswers, ImportOptions, ModelSource } from './plimsoll-file.d.ts';
import type { Catalog, CatalogNames, Field } from './plimsoll-catalog.d.ts';
import type { CostAnswer, CostOptions, CostQuestion, EstimateOptions, ExplainOptions, PriceRow, RuleOfThumb } from './plimsoll-cost.d.ts';
import type { MemoryNumbers } from './plimsoll-memory.d.ts';
import type { Comparison } from './plimsoll-compare.d.ts';
import type { FitAdvice, PlanAnswer, PlanOptions, PlanQuestion, Sensitivity, ServingPlan, ServingPlanQuestion } from './plimsoll-plan.d.ts';
import type { SolveAnswer } from './plimsoll-solve.d.ts';
import type { LoadAnswer, LoadLimits, Speed } from './plimsoll-speed.d.ts';

export type * from './plimsoll-catalog.d.ts';
export type * from './plimsoll-cost.d.ts';
export type * from './plimsoll-file.d.ts';
export type * from './plimsoll-memory.d.ts';
export type * from './plimsoll-compare.d.ts';
export type * from './plimsoll-plan.d.ts';
export type * from './plimsoll-solve.d.ts';
export type * from './plimsoll-speed.d.ts';
export type { ScenarioFields };

/**
 * A scenario: an object of fields, or the query of a link to the page, with or without its "?". A field that is not given
 * takes the default of its task, or what the model's preset says. `undefined` counts as not given.
 */
export type Input = ScenarioFields | string | URLSearchParams;

/**
 * Loads the estimator once; later calls give the same object. Rejects when its WebAssembly cannot be loaded.
 *
 * With `{only: 'estimates'}` it resolves as soon as questions can be answered, after little more than half of the bytes. What reads files of
 * models and of frameworks and what searches comes with the rest: `plan` and `import_file` wait for it; `solve`, `advise`, `sensitivity`,
 * `load`, `plan_serving`, `catalog`, `import_config` and `export_command` answer with an issue that says so until `complete()` or another load() has resolved,
 * and so do questions about a model that is described, or whose facts are changed, until `ready_for()` has.
 */
export function load(options?: { only?: 'estimates' }): Promise<Plimsoll>;

export interface Plimsoll {
  /** e.g. "0.1.0". */
  readonly version: string;
  /** Resolves when everything is loaded: at once after load() without options. Rejects when it cannot be; the next call tries again. */
  complete(): Promise<void>;
  /**
   * Resolves to true when the question can be answered: what reads a config, of a model that is described or whose facts are changed, is loaded where the
   * question needs it. Until then, such a question gets an issue that says so.
   */
  ready_for(input: Input): Promise<true>;
  /** Whether it can be answered now. */
  is_ready_for(input: Input): boolean;

  /** The memory of one GPU at each moment of a step, and the largest of those moments. */
  estimate(input: Input, options?: EstimateOptions): EstimateAnswer;
  /** The same, and every number as a tree that opens to formula, symbols, source and basis. */
  explain(input: Input, options?: ExplainOptions): ExplainAnswer;
  /** What GPUs cost for a time, in money, energy and carbon: every offer that fits, the cheapest first. */
  cost(question: CostQuestion, options?: CostOptions): CostAnswer;
  /** Only what is wrong with the input. */
  validate(input: Input): ValidateAnswer;

  /**
   * The largest or smallest value of one field that still fits: solve(scenario, 'largest', 'context_tokens'), 'batch', 'rank', 'gpu_layers',
   * 'weight_dtype', 'model' (of the same family); solve(scenario, 'smallest', 'device'), 'tensor_parallel', 'gpus', 'instance' (the cheapest
   * an hour). What the scenario says of the field itself does not matter.
   */
  solve(input: Input, goal: 'largest' | 'smallest', field: string): SolveAnswer;

  /** What to change to make a scenario fit, alone or in pairs; where it fits, what would break it first. */
  advise(input: Input): FitAdvice;
  /** What moves the result most: each input a step up or down, and each named uncertainty with its range. */
  sensitivity(input: Input): Sensitivity;
  /** One to nine questions, as in URLs, beside each other: each number's difference from that of the first. */
  compare(queries: Iterable<string>, options?: EstimateOptions): Comparison;
  /**
   * Which way of training is the fastest, cheapest or roomiest: an exact search over degrees, schedules, sharding, micro-batches and
   * recomputation, in steps of a few milliseconds. Rejects only when `options.signal` is aborted.
   */
  plan(question: PlanQuestion | string | URLSearchParams, options?: PlanOptions): Promise<PlanAnswer>;

  /** What users of a server wait for under a stated load, simulated: prompt_tokens, answer_tokens and concurrency or request_rate, or a trace; turns of conversations. */
  load(input: Input, limits?: LoadLimits): LoadAnswer;

  /** Which way of serving: weight and cache formats, GPUs of a replica, replicas and concurrency, every way tried. */
  plan_serving(question: ServingPlanQuestion | string | URLSearchParams, options?: { prices?: string }): ServingPlan;

  /**
   * The scenario as the command line that starts an inference engine, the configuration of a training framework or a launch manifest, with comments that name what it
   * cannot say. A manifest starts the engine of its profile, or the one behind a colon: 'kubernetes:sglang'.
   */
  export_command(input: Input, to: ExportTarget): { ok: boolean; issues: Issue[]; text: string };

  /** estimate() as the very characters that `plimsoll estimate --json` prints. */
  estimate_text(input: Input, options?: EstimateOptions): string;
  /** explain() as the very characters that `plimsoll explain --json` prints, with its readings where they are asked for. */
  explain_text(input: Input, options?: ExplainOptions): string;

  /**
   * The canonical query after a person's change of one input. It takes back what depended on the former choice: another
   * model drops changed facts of the last one, another device its usable memory. Bad text stays in the query, as an issue.
   * Before complete(), a change of a model's facts gives the query as it is written.
   */
  edit_query(query: string, name: string, text: string): string;

  /**
   * How a model whose facts were changed differs from its preset: "1,207,975,936 parameters more than Llama 3 8B"; "" without
   * changes.
   */
  model_change(input: Input): string;

  /** Reads a Hugging Face config.json: the model as fields to give to estimate(). */
  import_config(text: string): ImportAnswer;
  /**
   * Reads a model file, recognised by its content: a config.json, a safetensors file or its index, a GGUF file; or the command line of
   * an inference engine as text, such as "vllm serve …". Of a Blob or
   * File only the header is read, however many gigabytes follow it. Rejects only when `options.signal` is aborted.
   */
  import_file(source: ModelSource, options?: ImportOptions): Promise<FileAnswer>;

  /**
   * The same of several files that make one question: a script with the configuration that it names, a training configuration with that of its
   * launcher, a command line with the config.json of its model. The answers are those to `questions`.
   */
  import_files(sources: Iterable<ModelSource | { source: ModelSource; name?: string }>, answers?: ImportAnswers & Omit<ImportOptions, 'name'>): Promise<FileAnswer>;

  /** The ids that a field can be set to and that a few letters find, best first, as every picker of the program ranks them. */
  search(field: 'model' | 'device' | 'profile' | 'weight_dtype', text: string): string[];
  /** search('model', text). */
  search_models(text: string): string[];

  /** What can be asked for, in the program's order: ids and names of models, devices, profiles and ways to store weights. */
  names(): CatalogNames;
  /** The models, devices, profiles and citations that are built in, each with its source and date. Empty, with an issue, before complete(). */
  catalog(): Catalog;
  /** The prices that are built in, each with its source and date, and a warning where it is old on the day `today` ("YYYY-MM-DD"). */
  prices(options?: { today?: string }): PriceRow[];
  /** One row for each field that a scenario may state. */
  fields(): Field[];

  /** Whether all texts write memory in "gib", of 1024³ bytes, as at first, or in "gb", of 10⁹; false for another name. Numbers and links do not change. */
  set_byte_units(name: 'gib' | 'gb'): boolean;
  /** "14.9 GiB": three significant figures. "" unless `amount` is a whole number of at most 2^53 - 1. */
  format_bytes(amount: number): string;
  /** "16,060,522,496 bytes": every digit, with its unit. "" unless `amount` is a whole number of at most 2^53 - 1. */
  format_exact(amount: number, unit: 'bytes' | 'parameters' | 'FLOP'): string;
  /** An amount in the unit of a component as people read it: "14.9 GiB", "$21.96", "7.78 ms", "41.5 %". "" unless it is a whole number. */
  format_amount(amount: number, unit: string): string;
  /** A range of such amounts: "58.3 to 63.9 GiB". */
  format_amounts(low: number, high: number, unit: string): string;

  /** What a JSON text is that is no model: prices or devices of your own (docs/prices.md), or a result that was exported before. */
  given_file(text: string, options?: EstimateOptions): GivenFile;
  /** An answer as a file: {name, type, text}; text is "" for an answer with errors. given_file() takes "json" back; "html" is a report on one sheet of A4. */
  result_file(input: Input, format: 'json' | 'csv' | 'markdown' | 'svg' | 'html', options?: EstimateOptions): ResultFile;
}

export interface GivenFile {
  /** "other": perhaps a model file. */
  kind: 'prices' | 'devices' | 'result' | 'other';
  /** It can be used; a file with errors is refused as a whole. */
  ok: boolean;
  issues: Issue[];
  /** "2 prices of 2026-05 to 2026-11-01". */
  summary: string;
  /** Of a result: the question that it answers. */
  query: string | null;
  devices: { id: string; name: string; vendor: string; class: string }[];
}

export interface ResultFile {
  /** "plimsoll-llama-3-8b-rtx4090-inference.csv" */
  name: string;
  /** "text/csv" */
  type: string;
  text: string;
}

export interface Issue {
  /** Only an error prevents the estimate. */
  severity: 'note' | 'warning' | 'error';
  /** The name of the field, a path such as "text_config.hidden_size" in an imported file, or "" for the whole input. */
  field: string;
  /** What is wrong, with the value that was given. */
  message: string;
  /** What to write instead. */
  remedy: string;
}

export interface ValidateAnswer {
  ok: boolean;
  issues: Issue[];
  /** The shortest query that gives the same answer, without "?". Entries that have issues are kept in it. */
  query: string;
}

export type EstimateAnswer = (ValidateAnswer & Answered) | (ValidateAnswer & Unanswered);
export type ExplainAnswer =
  | (ValidateAnswer & Answered & { explanation: Explanation; rules: RuleOfThumb[] })
  | (ValidateAnswer & Unanswered & { explanation: null; rules: RuleOfThumb[] });

export interface Answered {
  ok: true;
  scenario: Scenario;
  /** Fields of the scenario that have no effect beside the others, as a pipeline's schedule with one stage. */
  idle: (keyof ScenarioFields)[];
  headline: Headline;
  estimate: Estimate;
}

export interface Unanswered {
  ok: false;
  scenario: Scenario | null;
  idle: (keyof ScenarioFields)[];
  headline: null;
  estimate: null;
}

/** Every field that matters for the task, with the value that was used. */
export type Scenario = ScenarioFields & Required<Pick<ScenarioFields, 'task' | 'model' | 'device' | 'profile'>>;

/** The answer in words. */
export interface Headline {
  /** "Fits.", "Probably fits.", "Probably does not fit.", "Does not fit."; of engines "Holds 4 of 7.", "Does not start." */
  verdict: string;
  /** e.g. "3.4 GiB to spare on the fullest GPU." */
  rest: string;
  /** Which moment decides, and how sure the amount is. */
  detail: string;
}

/** What is in the way, by one function for every question. */
export interface Verdict {
  /** "start": the engine does not start. "cache_pool": its cache holds fewer sequences. "max_sequences": a pass takes fewer. */
  id: 'fits' | 'start' | 'cache_pool' | 'max_sequences' | 'device' | 'host';
  holds: boolean;
  /** Whether what is likely ends on the other side of what the device has. */
  tight: boolean;
  /** Inference, as the next two; null for training. */
  starts: boolean | null;
  sequences_asked: number | null;
  sequences_held: number | null;
  /** What the process of one GPU takes once an engine has taken its whole cache; null where none does. */
  fills_bytes: number | null;
  fills_text: string | null;
  /** Single changes after which an engine holds what is asked, as it is told of them. */
  remedies: { field: string; value: string; flag: string | null }[];
}

/** Amounts above 2^53, which no device holds, lose their last digits in JavaScript's numbers; the texts keep them. */
export interface Estimate {
  /** Whether it runs and holds all that is asked: verdict.holds. */
  fits: boolean;
  verdict: Verdict;
  /** Of the whole model. */
  parameters: number;
  /** Of them, those that one token meets. */
  active_parameters: number;
  /** That one GPU holds. */
  parameters_per_gpu: number;
  /** GPUs that the strategy needs; at least 1. */
  gpus: number;
  /** Inference: on one GPU, over all layers, for one token far from any window's end; null for training. */
  kv_cache_bytes_per_token: number | null;
  /** The same for one token beyond the context, of the layers whose windows are not full by then. */
  kv_cache_growth_bytes_per_token: number | null;
  /** Training: weights, gradients and optimizer states together; null for inference. */
  states_bytes_per_parameter: number | null;
  /** What an engine that takes its cache at the start has for it on each GPU; null for others and in training. */
  cache_pool: CachePool | null;
  /** In the host's memory. Training: what was offloaded, for one GPU; serving: what the GPUs do not hold. */
  host_bytes: number;
  /** On drives. Training: of what was offloaded, for one GPU; serving: of caches, null where none are there. */
  nvme_bytes: number | null;
  /** What a process can allocate on the device: less than the label says. */
  usable_bytes: number;
  usable_text: string;
  /** Whether usable_bytes was read on a device or follows a rule. */
  usable_basis: string;
  /** usable_bytes less the expected process; negative when it does not fit. */
  headroom_bytes: number;
  headroom_text: string;
  /** The largest of the moments. */
  peak: MomentAmount;
  /** In the order in which a step passes them. */
  moments: (MomentAmount & { about: string; parts: PartAmount[] })[];
  /** Pipeline rank that needs the most: moments and memory are its. */
  rank: number;
  /** Of every pipeline rank, its fullest moment. */
  ranks: { rank: number; peak_bytes: number; text: string; moment: string; label: string }[];
  memory: MemoryNumbers;
  /** Inference: how fast; null for training, and where nobody has said how fast the engine is on such a device. */
  speed: Speed | null;
}

/** An amount with the range of what is uncertain in it. */
export interface AmountRange {
  bytes: number;
  low_bytes: number;
  high_bytes: number;
  text: string;
  range_text: string;
}

/** The budget that an inference engine computes for its cache. */
export interface CachePool extends AmountRange {
  /** Activations of the engine's profile run. */
  passes: AmountRange;
  /** Whole pages; null where layers keep different numbers of tokens. */
  blocks: number | null;
  /** Of all sequences together; null where layers keep different numbers of tokens. */
  tokens: number | null;
  /** Of the scenario's whole context, at once. */
  sequences: number;
}

export interface MomentAmount {
  /** Stable id, e.g. "prefill". */
  moment: string;
  label: string;
  bytes: number;
  /** With every uncertain constant at its low end. */
  low_bytes: number;
  high_bytes: number;
  /** `bytes` as people read it, e.g. "14.9 GiB". */
  text: string;
  /** From low_bytes to high_bytes, e.g. "14.2 to 15.6 GiB"; one amount where both ends read the same. */
  range_text: string;
}

export interface PartAmount {
  /** Stable id, e.g. "memory.kv_cache". */
  id: string;
  label: string;
  bytes: number;
  text: string;
}

export interface Explanation {
  /** One GPU at the peak moment. */
  memory: Component;
  /** The whole model. */
  parameters: Component;
  /** Numbers that people ask for, such as the KV cache of one token. */
  facts: Component[];
}

/** One number. Where it has parts, amount, low and high are the sums of theirs. */
export interface Component {
  /** Stable id, e.g. "memory.activations.mlp". */
  id: string;
  label: string;
  unit: string;
  amount: number;
  low: number;
  high: number;
  /** The amount as people read it, e.g. "14.9 GiB". */
  text: string;
  /** Every digit, with the unit, e.g. "16,060,522,496 bytes". */
  exact: string;
  /** "" where the component is the sum of its parts. */
  formula: string;
  /** The names in the formula, with their values. */
  symbols: FormulaSymbol[];
  citation: Citation | null;
  /** How sure it is. Of a sum: the least certain of its parts. */
  basis: 'counted' | 'published' | 'measured' | 'assumed';
  parts: Component[];
}

export interface FormulaSymbol {
  name: string;
  value: number;
  /** The value as people read it, without its unit. */
  text: string;
  unit: string;
  meaning: string;
  /** The field it comes from, or "". */
  field: string;
}

export interface Citation {
  id: string;
  /** Authors, title, year, with a locator. */
  text: string;
  /** "" where there is none. */
  url: string;
}
