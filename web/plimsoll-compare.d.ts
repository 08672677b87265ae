// What compare() of plimsoll.d.ts answers.

import type { Issue } from './plimsoll.d.ts';

export interface Comparison {
  ok: boolean;
  issues: Issue[];
  questions: ComparedQuestion[];
  /** A number that none of the questions has is left out. */
  rows: ComparedRow[];
}

export interface ComparedQuestion {
  /** Canonical; as it was given where it has errors. */
  query: string;
  /** false: it has errors, and no numbers. */
  ok: boolean;
  model: string;
  device: string;
  /** Where its inputs differ from the first question's: "batch 8"; '' for the first. */
  differs: string;
}

export interface ComparedRow {
  /** "process", "memory.weights", "fact.tokens_per_second" */
  id: string;
  label: string;
  unit: string;
  more_is_better: boolean;
  /** One for each question; null where it has no such number. */
  cells: (ComparedCell | null)[];
}

export interface ComparedCell {
  amount: number;
  text: string;
  /** From the first question's: "+4.00 GiB"; '' where both are equal or the first is not known. */
  difference: string;
  /** The same as a share: "+100.0 %". */
  share: string;
}
