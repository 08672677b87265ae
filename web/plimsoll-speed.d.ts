/** How fast a model is served: as the estimate of inference says it, and as load() simulates it. */

import type { Issue } from './plimsoll.d.ts';

export interface TimeRange {
  /** Nanoseconds; low is the fastest. */
  expected_ns: number;
  low_ns: number;
  high_ns: number;
  /** "7.78 ms" */
  text: string;
}

export interface TokenRate {
  /** Thousandths of a token per second; high is the fastest. */
  expected_thousandths: number;
  low_thousandths: number;
  high_thousandths: number;
  /** "129 tokens/s" */
  text: string;
}

export interface Speed {
  /** One token for each sequence of the batch, the whole context in front of it. */
  decode_step: TimeRange;
  /** Thousandths of tokens that a sequence gets of one step: 1000 where nothing is drafted. */
  tokens_per_step: { expected_thousandths: number; low_thousandths: number; high_thousandths: number };
  /** The same step at the data sheet's rates: no engine is faster. */
  roofline_ns: number;
  /** What decides a step: reading weights and cache, or multiplying. */
  bound_by: 'memory' | 'work';
  tokens_per_s_of_a_sequence: TokenRate;
  /** All sequences of all replicas together. */
  tokens_per_s: TokenRate;
  /** Sequences from which on multiplying decides; null where reading always does, or the device's rate is not published. */
  crossover_batch: number | null;
  /** A prompt of the whole context, alone, up to its first token; null where the rate of the device's matrix units is not published. */
  first_token: TimeRange | null;
  prompt_tokens_per_s: TokenRate | null;
}

/** On the 90th percentile of waits, in milliseconds; without one, no highest load is looked for. */
export interface LoadLimits {
  first_token_ms?: number;
  per_token_ms?: number;
  /** Of disaggregation: every way of dividing the same GPUs, the best first. */
  splits?: boolean;
}

/** How long requests take, over all of them. */
export interface Waits {
  mean_ns: number;
  p50_ns: number;
  p90_ns: number;
  p99_ns: number;
}

/** A simulated server. Rates are of all replicas; what is per second is in thousandths; running, waiting and the cache are of one replica. */
export interface LoadNumbers {
  /** From a request's arrival to its first token, from one token of its answer to the next, and to the last one. */
  first_token: Waits;
  per_token: Waits;
  whole: Waits;
  requests_per_s_thousandths: number;
  prompt_tokens_per_s_thousandths: number;
  answer_tokens_per_s_thousandths: number;
  /** Tokens of prompts that a cache had of them when they came. */
  found_prompt_tokens_per_s_thousandths: number;
  running_thousandths: number;
  waiting_thousandths: number;
  cache_permille: number;
  /** Of disaggregation: how long servers that read and replicas that answer are busy, and how long a cache is on its way between them; else 0. */
  prefill_busy_permille: number;
  decode_busy_permille: number;
  transfer_ns: number;
  /** Requests that began again because the cache was full. */
  preemptions: number;
  steps: number;
  simulated_requests: number;
  /** False where the device's rates, and what the engine reaches of them, stand for kernels that nobody has measured. */
  by_measured_kernels: boolean;
  /** false: by kernels that were measured on GPUs like this one. */
  measured_on_its_class: boolean;
}

/** Servers of one kind, where prompts and answers have GPUs of their own. */
export interface LoadServers {
  servers: number;
  gpus_each: number;
  /** Of one GPU, with the cache that the engine takes. */
  memory_bytes: number;
  memory_text: string;
}

export type LoadAnswer = SimulatedLoad | RefusedLoad;

export interface SimulatedLoad {
  ok: true;
  issues: Issue[];
  query: string;
  load: LoadNumbers;
  /** The means, with how far measured runs were. */
  first_token: Omit<TimeRange, 'text'>;
  per_token: Omit<TimeRange, 'text'>;
  /** In closed form; null of traces, bursts, disaggregation, rates that are not answered as they come, and conversations of which some may lose their place in the cache. */
  steady: { first_token_ns: number; per_token_ns: number } | null;
  gpus: number;
  disaggregation?: { prefill: LoadServers; decode: LoadServers };
  /** Where they are asked for: every division of the same GPUs, the best first. */
  splits?: { prefill_replicas: number; data_parallel: number; within_limits: boolean; load: LoadNumbers }[];
  /** What the GPUs cost, at your own price or the lowest of a cloud, whose row that is. */
  micro_usd_per_hour: number | null;
  price: { id: string; date: string } | null;
  /** These need a price of the hardware. */
  micro_usd_per_million_answer_tokens: number | null;
  micro_usd_per_million_tokens: number | null;
  micro_usd_per_million_prompt_tokens_by_time: number | null;
  micro_usd_per_million_answer_tokens_by_time: number | null;
  milliwatt_hours_per_million_answer_tokens: number | null;
  /** These need an API's prices besides: yours, or the lowest of an API that has the model, whose row that is. */
  api_price: { id: string; date: string } | null;
  micro_usd_per_hour_of_api: number | null;
  break_even_requests_per_s_thousandths: number | null;
  /** Within the limits, where there are any; load null where even the least breaks them. */
  highest?: { field: 'concurrency' | 'request_rate'; value: number; load: LoadNumbers | null };
  /** The same in words; label "" goes on with the line before. */
  lines: { label: string; text: string }[];
}

export interface RefusedLoad {
  ok: false;
  /** What the load lacks, among others. */
  issues: Issue[];
  query: string;
  load: null;
}
