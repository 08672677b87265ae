// Types of solve(): the largest or smallest value that fits.

import type { Issue, ValidateAnswer } from './plimsoll.d.ts';

/** What one value comes to. */
export interface SolvedStep {
  value: number | string;
  /** "start": the engine does not start. "cache_pool": its cache has no room for so many sequences. "max_sequences": more than one pass takes. */
  verdict: 'fits' | 'start' | 'device' | 'cache_pool' | 'max_sequences' | 'host' | 'invalid';
  /** What the process needs; absent of invalid values, as all that follows. */
  needs_bytes?: number;
  needs_text?: string;
  usable_bytes?: number;
  usable_text?: string;
  headroom_bytes?: number;
  headroom_text?: string;
  /** Sequences of the context that the engine's cache holds at once; null of engines without a cache of its own size. */
  pool_sequences?: number | null;
  /** Why it is invalid. */
  issues?: Issue[];
}

/** ok where something fits; `query` has the answer in place. */
export interface SolveAnswer extends ValidateAnswer {
  field: string;
  goal: string;
  /** How it was found: by halving a range in which memory rises, or by trying every value. */
  method: 'bisection' | 'exhaustive';
  /** Values that were tried. */
  tried: number;
  answer: SolvedStep | null;
  /** The step after the answer, which does not fit; without an answer, the closest that was tried. */
  next: SolvedStep | null;
}
