// Types of plan(), the search for a way of training, of advise(), what to change to make a scenario fit,
// and of sensitivity().

import type { ScenarioFields } from './plimsoll-fields.d.ts';
import type { Issue } from './plimsoll.d.ts';

/**
 * A training scenario. What it states of degrees, sharding, recomputation and micro-batches holds; what it leaves open is searched.
 * Numbers may have a fraction of three digits, budgets one of six.
 */
export interface PlanQuestion extends ScenarioFields {
  /** One number, or several to compare: "32,64". */
  gpus?: number | string;
  /** Devices, methods ("full,lora,qlora") and optimizers to compare, with commas between them. */
  compare_devices?: string;
  compare_methods?: string;
  compare_optimizers?: string;
  /** Values of precision, and "fp8". */
  compare_precisions?: string;
  objective?: 'time' | 'cost' | 'headroom' | 'gpus' | 'energy' | 'safest';
  /** In dollars, for the whole job. */
  budget?: number | string;
  /** In hours. */
  deadline?: number | string;
  /** Sequences of all replicas in one step. */
  global_batch?: number | string;
  /** How many plans to list; 10 where nothing is said. */
  top?: number | string;
  /** Judge every strategy: slower, and the same plans. */
  exhaustive?: boolean;
  kind?: 'on_demand' | 'spot' | 'committed';
  cloud?: string;
}

export interface PlanProgress {
  /** Combinations of GPUs and degrees that are done. */
  layouts: number;
  of: number;
  /** Strategies. */
  tried: number;
}

export interface PlanOptions {
  /** Prices as JSON, in the form that docs/prices.md describes, in place of those that are built in. */
  prices?: string;
  signal?: AbortSignal;
  /** After each step of a few milliseconds; `partial` gives what was found so far. */
  on_progress?: (progress: PlanProgress, partial: () => PlanAnswer) => void;
}

export interface PlanChoice {
  tensor_parallel: number;
  pipeline_parallel: number;
  context_parallel: number;
  expert_parallel: number;
  /** GPUs that divide each expert; 0: as many as tensor_parallel. */
  expert_tensor_parallel: number;
  data_parallel: number;
  pipeline_schedule: string;
  virtual_stages: number;
  /** Embedding and loss count as layers when layers are divided among stages. */
  ends_count: boolean;
  /** Of uneven ends; 0 where stages divide the layers evenly. */
  first_stage_layers: number;
  last_stage_layers: number;
  /** Of each chunk in the order of the model, joined by commas, where they are written out; otherwise empty. */
  chunk_layers: string;
  batch: number;
  micro_batches: number;
  sharding: string;
  shard_group: number;
  /** GPUs of each group that keeps a second set of weight shards; 0: none. */
  secondary_group: number;
  reshard_after_forward: boolean;
  offload: string;
  recompute: string;
  recompute_layers: number;
  /** Of selective recomputation, joined by commas. */
  recompute_modules: string;
  /** How tokens go to experts on other GPUs; "profile" where no GPUs divide them. */
  dispatch: string;
  /** The exchange with experts runs beside another micro-batch's passes. */
  expert_overlap: boolean;
  /** Tensor-parallel communication runs beside multiplications. */
  communication_overlap: boolean;
}

export interface PlannedWay {
  /** Of strategies in order: the same however the search ran. */
  number: number;
  /** The scenario, for estimate() and links. */
  query: string;
  text: string;
  /** Which of the fleets' setups. */
  setup: number;
  device: string;
  gpus: number;
  choice: PlanChoice;
  /** Of the fullest GPU, by the estimate. */
  needs_bytes: number;
  needs_text: string;
  headroom_bytes: number;
  headroom_text: string;
  /** Chance that memory runs out; of the whole process where it is judged. */
  out_of_memory_millionths: number;
  /** Model FLOPs utilisation; null where times are not known. */
  mfu_thousandths: number | null;
  /** Of the whole process; null where it was not judged. */
  process_bytes: number | null;
  process_text: string | null;
  /** null where the device's rates are not published. */
  step: { ns: number; text: string; low_ns: number; high_ns: number } | null;
  /** Of the question's tokens, with what jobs lose beside their steps. */
  time: { ns: number; text: string } | null;
  cost: { micro_dollars: number; text: string } | null;
  energy: { joules: number; text: string } | null;
}

export interface PlanFleet {
  setup: number;
  query: string;
  device: string;
  gpus: number;
  hourly: { micro_dollars: number; text: string } | null;
  /** Of the row of prices(): null where the price is your own, or nobody asks one. */
  price: string | null;
  cloud: string | null;
  date: string | null;
  source: string | null;
}

export interface PlanAnswer {
  ok: boolean;
  issues: Issue[];
  objective: string;
  /** Sequences of a step. */
  global_batch: number;
  /** That times and costs are told for. */
  tokens: number;
  fleets: PlanFleet[];
  progress: PlanProgress & { done: boolean };
  counts: {
    tried: number;
    held: number;
    /** Plans that fit by their tensors and not with the allocator's segments: left out of `best`. */
    too_tight: number;
    dropped: { id: 'invalid' | 'states' | 'device' | 'untimed' | 'deadline' | 'budget' | 'beaten'; label: string; strategies: number }[];
    /** Of those that cannot run, by the field that is refused first; the most first. */
    refused: { field: string; label: string; strategies: number }[];
  };
  /** Best first. */
  best: PlannedWay[];
  /** Place in `best` of the one that divides the model in the fewest ways, among those as good as the first within what times are known to. */
  simplest: number | null;
  /** Why the first of `best`: by what it was chosen, where its step goes, against the second; "" where none holds. */
  why: string;
  /** Plans that none beats in time, cost and headroom at once; fastest first. */
  front: PlannedWay[];
}

export interface FitChange {
  text: string;
  changes: { text: string; fields: Record<string, string> }[];
  query: string;
  /** The work is another one then: a shorter context, adapters in place of all weights, fewer requests. */
  asks_less: boolean;
  gpus: number;
  /** Time of a token, in thousandths of what it takes now; null where not known. */
  time_permille: number | null;
  /** The same times the GPUs. */
  gpu_time_permille: number | null;
  headroom_bytes: number;
  headroom_text: string;
  saved_bytes: number;
  saved_text: string;
  needs_bytes: number;
  needs_text: string;
}

export interface FitLimit {
  field: string;
  goal: 'largest' | 'smallest';
  now: string;
  /** The last value that fits. */
  last: string;
  /** The one after it; null where nothing breaks. */
  beyond: string | null;
  room_permille: number | null;
  needs_bytes?: number;
  needs_text?: string;
}

export interface FitAdvice {
  ok: boolean;
  issues: Issue[];
  fits: boolean;
  /** Changes and pairs of them. */
  tried: number;
  /** Where it does not fit: what makes it fit, the cheapest in time first. */
  changes: FitChange[];
  /** Where it fits: what would break it, the nearest first. */
  limits: FitLimit[];
  usable_bytes: number;
  usable_text: string;
  needs_bytes: number;
  needs_text: string;
}

export interface Sensitivity {
  ok: boolean;
  issues: Issue[];
  /** The largest change of memory first. */
  inputs: {
    field: string;
    text: string;
    from: string;
    to: string;
    change_bytes: number;
    change_text: string;
    /** Time of a token then, in thousandths of now; null where not known. */
    time_permille: number | null;
  }[];
  /** The widest first. */
  uncertainties: {
    id: string;
    label: string;
    less_bytes: number;
    more_bytes: number;
    less_text: string;
    more_text: string;
    /** Its width, in thousandths of the widths of all. */
    share_permille: number;
    basis: string;
    citation: string;
  }[];
}

/** A serving scenario. What it states of weight_dtype, kv_dtype, tensor_parallel and batch holds; what it leaves open is tried. */
export interface ServingPlanQuestion extends ScenarioFields {
  /** One number, or several to compare: "1,2,4,8". */
  gpus?: number | string;
  compare_devices?: string;
  /** Profiles of engines to compare: "vllm,sglang". */
  compare_engines?: string;
  objective?: 'throughput' | 'cost' | 'latency' | 'headroom' | 'gpus';
  /** Tokens per second that each sequence must get at least. */
  least_rate?: number | string;
  /** Seconds that a prompt may take to its first token at most. */
  most_first_token?: number | string;
  /** Sequences that all replicas must hold at once at least. */
  sequences?: number | string;
  top?: number | string;
  kind?: 'on_demand' | 'spot' | 'committed';
  cloud?: string;
}

export interface ServedWay {
  query: string;
  text: string;
  device: string;
  /** Profile. */
  engine: string;
  gpus: number;
  weight_dtype: string;
  kv_dtype: string;
  tensor_parallel: number;
  pipeline_parallel: number;
  /** GPUs that each keep whole experts; 1: each has a part of every expert. */
  expert_parallel: number;
  /** Replicas divide the experts among them. */
  data_parallel_attention: boolean;
  replicas: number;
  /** Sequences of one replica at once. */
  batch: number;
  needs_bytes: number;
  needs_text: string;
  headroom_bytes: number;
  headroom_text: string;
  /** Of all replicas, and of one sequence, in thousandths of a token per second; null where the engine's speed is not known. */
  rate: { thousandths: number; text: string } | null;
  sequence_rate: { thousandths: number; text: string } | null;
  first_token: { ns: number; text: string } | null;
  per_million_tokens: { micro_dollars: number; text: string } | null;
}

export interface ServingPlan {
  ok: boolean;
  issues: Issue[];
  objective: string;
  /** Combinations of device and engine. */
  progress: { setups: number; of: number; done: boolean };
  counts: {
    tried: number;
    held: number;
    too_slow: number;
    refused: Record<string, number>;
    dropped: { id: string; label: string; ways: number }[];
  };
  best: ServedWay[];
  /** That none beats in tokens per second, price and rate of a sequence at once; fastest first. */
  front: ServedWay[];
}
