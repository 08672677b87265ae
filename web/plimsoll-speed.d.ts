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
}

export interface Waits {
  mean_ns: number;
  p50_ns: number;
  p90_ns: number;
  p99_ns: number;
}

/** A simulated server; what is per second is in thousandths. */
export interface LoadNumbers {
  first_token: Waits;
  per_token: Waits;
  /** From arrival to the last token. */
  whole: Waits;
  requests_per_s_thousandths: number;
  prompt_tokens_per_s_thousandths: number;
  answer_tokens_per_s_thousandths: number;
  /** Requests of one replica, on average. */
  running_thousandths: number;
  waiting_thousandths: number;
  cache_permille: number;
  /** Requests that began again because the cache was full. */
  preemptions: number;
  steps: number;
  simulated_requests: number;
  /** false: by kernels that were measured on GPUs like this one. */
  measured_on_its_class: boolean;
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
  /** In closed form, of a stated concurrency. */
  steady: { first_token_ns: number; per_token_ns: number } | null;
  gpus: number;
  /** These need a price of the hardware. */
  micro_usd_per_million_answer_tokens: number | null;
  micro_usd_per_million_tokens: number | null;
  micro_usd_per_million_prompt_tokens_by_time: number | null;
  micro_usd_per_million_answer_tokens_by_time: number | null;
  milliwatt_hours_per_million_answer_tokens: number | null;
  /** These need an API's prices besides. */
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
