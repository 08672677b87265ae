// What GPUs cost for a time. Money is in whole micro-dollars, energy in joules, carbon in grams; texts come ready made.

import type { ScenarioFields } from './plimsoll-fields.d.ts';
import type { Component, Issue } from './plimsoll.d.ts';

export interface EstimateOptions {
  /** Devices of your own as JSON, in the form that docs/prices.md describes: they replace those of their ids, or join them. */
  devices?: string;
}

export interface ExplainOptions extends EstimateOptions {
  /** Also `readings`: what sources read of such a run besides its peak, of the first, the fullest and the last pipeline rank. Each costs a replay of the allocator. */
  readings?: boolean;
}

export interface CostOptions extends EstimateOptions {
  /** Prices as JSON, in the form that docs/prices.md describes, in place of those that are built in. */
  prices?: string;
  /** "YYYY-MM-DD": prices more than 90 days older come with a warning. Left out: today, in UTC. */
  today?: string;
}

type Billing = Pick<
  ScenarioFields,
  | 'price_per_gpu_hour' | 'discount' | 'purchase_price' | 'depreciation_years' | 'busy' | 'electricity_price'
  | 'pue' | 'idle_power' | 'mean_power' | 'grid_intensity'
>;

/**
 * Numbers may have a fraction of three digits, budgets one of six. A question that names a model is about its scenario: its GPUs and its
 * time are those of the training job, or of an hour of serving; without a device, of every device that holds it.
 */
export interface CostQuestion extends Billing, Omit<ScenarioFields, keyof Billing> {
  device?: string;
  gpus?: number | string;
  /** On the clock. */
  hours?: number | string;
  /** Or of all GPUs together. */
  gpu_hours?: number | string;
  /** More ways of doing it: "h100-80-sxm:64:100,a100-80-sxm:64:210", each device:gpus:hours. */
  ways?: string;
  /** GPUs that must stand in one instance. Left out: as many as the usual node has, 8 at most. */
  node_gpus?: number | string;
  task?: ScenarioFields['task'];
  tokens_per_second?: number | string;
  cloud?: string;
  region?: string;
  kind?: 'on_demand' | 'spot' | 'committed' | 'historical';
  /** In dollars. */
  budget?: number | string;
  today?: string;
}

export interface Money {
  micro_dollars: number;
  text: string;
}
export interface MoneyRange extends Money {
  low_micro_dollars: number;
  high_micro_dollars: number;
  low_text: string;
  high_text: string;
}

export interface CostAnswer {
  ok: boolean;
  issues: Issue[];
  today: string | null;
  /** Energy, carbon and your own price for each way that was asked about. */
  ways: CostWay[];
  options_found: number;
  /** Offers that fit, cheapest first; at most 20. */
  options: CostOption[];
  cheapest: CostOption | null;
  /** Of those within the budget, where one was given. */
  fastest: CostOption | null;
}

export interface CostWay {
  device: string;
  gpus: number;
  seconds: number;
  gpu_seconds: number;
  power: Component;
  energy: Component;
  /** null unless grid_intensity was given. */
  emissions: Component | null;
  /** At price_per_gpu_hour, or with GPUs bought at purchase_price; null without either. */
  own: { hourly: Component; electricity: Component | null; total: MoneyRange; per_million_tokens: MoneyRange | null } | null;
}

export interface CostOption {
  price: Price;
  /** Place in CostAnswer.ways. */
  way: number;
  /** Billed, and whole. */
  instances: number;
  seconds: number;
  hourly: Money;
  total: MoneyRange;
  per_million_tokens: MoneyRange | null;
}

export interface Price {
  id: string;
  cloud: string;
  region: string;
  instance: string;
  gpu: string;
  /** Of one instance. */
  gpus: number;
  /** A single host, as on a marketplace: several of them share no network. */
  alone: boolean;
  kind: 'on_demand' | 'spot' | 'committed' | 'historical';
  /** Of one instance. */
  hourly: Money;
  date: string;
  /** false: the source gives no date, and `date` is when it was read. */
  dated: boolean;
  source: string;
  evidence: string;
  note: string;
  /** About its age; "" while it is young. */
  warning: string;
}

/** A price that is built in. */
export interface PriceRow extends Omit<Price, 'hourly'> {
  micro_dollars_per_hour: number;
  text: string;
  /** Of historical prices, from when on. */
  since: string;
}

/** A rule of thumb beside the estimate's own number. */
export interface RuleOfThumb {
  rule: Component;
  /** What of the estimate it stands for. */
  against: string;
  /** That, in the rule's unit. */
  estimate: number;
  estimate_text: string;
  /** The rule's number for 1000 of the estimate's; 0 where that is 0. */
  permille: number;
  leaves_out: string;
}
