// Types of the presets that are built in and of the rows of the field tables.

import type { Citation, Issue } from './plimsoll.d.ts';
import type { ScenarioFields } from './plimsoll-fields.d.ts';

export interface Catalog {
  models: CatalogModel[];
  devices: CatalogDevice[];
  profiles: CatalogProfile[];
  /** The ways to store weights. */
  weight_formats: CatalogWeightFormat[];
  citations: Citation[];
  /** Only where what tells all this is not loaded yet. */
  issues?: Issue[];
}

export interface CatalogNames {
  models: Pick<CatalogModel, 'id' | 'name' | 'family'>[];
  devices: Pick<CatalogDevice, 'id' | 'name' | 'vendor' | 'class'>[];
  profiles: Pick<CatalogProfile, 'id' | 'name'>[];
  weight_formats: Pick<CatalogWeightFormat, 'id' | 'name' | 'engine'>[];
}

export interface CatalogModel {
  id: string;
  name: string;
  /** Other ids that are understood, such as the one on the Hugging Face hub. */
  aliases: string[];
  family: string;
  /** Counted from the tensors. */
  parameters: number;
  /** Those of them that one token meets. */
  active_parameters: number;
  published_parameters: number;
  /** false: the publisher rounds it. */
  published_is_exact: boolean;
  /** What the published number counts besides ours; empty when the two are equal, or when it is rounded. */
  differences: { what: string; parameters: number }[];
  /** As published, mostly rounded; null where there is none. */
  published_active_parameters: number | null;
  /** "" where there is nothing to remark. */
  note: string;
  source: string;
  date: string;
}

export interface CatalogDevice {
  id: string;
  name: string;
  aliases: string[];
  vendor: string;
  /** e.g. "consumer", "datacenter". */
  class: string;
  /** e.g. "Hopper". */
  arch: string;
  release_year: number;
  /** The number on the box, in the maker's own GB or GiB. */
  label_gb: number;
  usable_bytes: number;
  usable_text: string;
  /** Whether usable_bytes was read on a device or follows a rule. */
  usable_basis: string;
  /** Whether the figures were read in a source or recalled. */
  evidence: string;
  notes: string;
  sources: string[];
  date: string;
}

export interface CatalogWeightFormat {
  id: string;
  /** As its engine writes it. */
  name: string;
  aliases: string[];
  /** The program that stores weights so. */
  engine: string;
  about: string;
}

export interface CatalogProfile {
  id: string;
  name: string;
  about: string;
  /** Which tasks it can run. */
  training: boolean;
  inference: boolean;
}

export type Task = NonNullable<ScenarioFields['task']>;

export interface Field {
  /** The key in objects, JSON and URLs; with "-" for "_" the flag of the command line. */
  name: keyof ScenarioFields;
  topic: 'task' | 'model' | 'hardware' | 'workload' | 'tuning' | 'strategy' | 'parallel' | 'profile' | 'cost';
  /** The heading under which a fact of a model stands, e.g. "Experts"; "" for other fields. */
  group: string;
  kind: 'integer' | 'choice' | 'flag' | 'id' | 'text';
  label: string;
  /** e.g. "tokens"; "" for none. */
  unit: string;
  help: string;
  /** The tasks that it matters for. */
  tasks: Task[];
  /** Folded away in forms until asked for. */
  advanced: boolean;
  /** Digits behind the point that people write: 3 for shares and prices; "min", "max" and defaults have them too. */
  decimals: number;
  /** Integers only, else null. */
  min: number | null;
  max: number | null;
  /** The text of the default by task; null where a preset decides. */
  defaults: Record<Task, string | null>;
  choices: FieldChoice[];
  /** What a set is written with, joined by commas, where no choice names it: "q,v,down". Empty for fields that take one choice. */
  parts: FieldChoice[];
}

export interface FieldChoice {
  name: string;
  label: string;
  help: string;
}
