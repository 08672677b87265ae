/** How fast a model is served, as the estimate of inference says it. */

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

/** How long requests take, over all of them. */
export interface Waits {
  mean_ns: number;
  p50_ns: number;
  p90_ns: number;
  p99_ns: number;
}

/** Rates are of all replicas, in thousandths; running, waiting and the cache are of one. */
export interface Load {
  /** From a request's arrival to its first token, from one token of its answer to the next, and to the last one. */
  first_token: Waits;
  per_token: Waits;
  whole: Waits;
  requests_per_s_thousandths: number;
  prompt_tokens_per_s_thousandths: number;
  answer_tokens_per_s_thousandths: number;
  running_thousandths: number;
  waiting_thousandths: number;
  cache_permille: number;
  /** Of disaggregation: how long servers that read and replicas that answer are busy, and how long a cache is on its way between them; else 0. */
  prefill_busy_permille: number;
  decode_busy_permille: number;
  transfer_ns: number;
  preemptions: number;
  steps: number;
  simulated_requests: number;
  /** False where kernels of GPUs like it stand for some of its own. */
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

type MeasuredRange = Pick<TimeRange, 'expected_ns' | 'low_ns' | 'high_ns'>;

export type LoadAnswer =
  | { ok: false; issues: import('./plimsoll.d.ts').Issue[]; query: string; load: null }
  | {
      ok: true;
      issues: import('./plimsoll.d.ts').Issue[];
      query: string;
      load: Load;
      /** The means, with how far measured runs were. */
      first_token: MeasuredRange;
      per_token: MeasuredRange;
      /** In closed form, of a load that a number of clients keeps up. */
      steady: { first_token_ns: number; per_token_ns: number } | null;
      gpus: number;
      disaggregation?: { prefill: LoadServers; decode: LoadServers };
      /** Where they are asked for: every division of the same GPUs, the best first. */
      splits?: { prefill_replicas: number; data_parallel: number; within_limits: boolean; load: Load }[];
      /** Money in millionths of a dollar: null without a price. */
      micro_usd_per_million_answer_tokens: number | null;
      micro_usd_per_million_tokens: number | null;
      micro_usd_per_million_prompt_tokens_by_time: number | null;
      micro_usd_per_million_answer_tokens_by_time: number | null;
      milliwatt_hours_per_million_answer_tokens: number | null;
      micro_usd_per_hour_of_api: number | null;
      break_even_requests_per_s_thousandths: number | null;
      /** With limits: of "concurrency" or "request_rate". 0 where even the least breaks them. */
      highest?: { field: string; value: number; load: Load | null };
    };
