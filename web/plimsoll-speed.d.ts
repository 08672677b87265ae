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
