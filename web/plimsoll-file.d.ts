// Types of import_file(): what it takes, and what a model file says; of import_config(); and of export_command(): what it writes.

import type { Issue } from './plimsoll.d.ts';
import type { ScenarioFields } from './plimsoll-fields.d.ts';

/** Text is that of a config.json or of an index; bytes are those of any of the files, from their beginning. */
export type ModelSource = Blob | ArrayBuffer | ArrayBufferView | string;

export interface ImportOptions {
  /** Tells which shard of how many a file is; a File has its own. */
  name?: string;
  /** Ends a slow read; the promise then rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Called while a Blob is read, with the bytes read so far and those wanted; a header may turn out to be longer. */
  on_progress?(progress: { bytes: number; of: number }): void;
}

/** What people know and files leave open. */
export interface ImportAnswers {
  /** In all. */
  gpus?: number;
  /** An id of the catalogue. */
  device?: string;
  /** The tokenizer's vocabulary: a number of tokens, or "gpt2", "llama3" and others by name. */
  vocab?: string | number;
  context_tokens?: number;
  /** Which of `commands`, from 1 on. */
  command?: number;
  /** Variables of the shell that a script does not set, by name. */
  set?: Record<string, string | number>;
}

export type FileKind = 'config' | 'safetensors' | 'safetensors_index' | 'gguf' | 'command_line' | 'training_config' | 'log' | 'question' | 'unknown';
export type FileAnswer = ReadFile | RefusedFile;

/** What a model file says. What a kind of file does not tell is null, empty or absent. */
export interface ReadFile {
  ok: true;
  kind: Exclude<FileKind, 'unknown'>;
  /** Notes say what is not counted; fields are paths in the file. */
  issues: Issue[];
  /** Of the language model. */
  parameters: number | null;
  /** Those that one token meets; absent of a command line. */
  active_parameters?: number | null;
  /** Of the file's weights. */
  bytes?: number;
  /** Of the file's weights, most bytes first. */
  by_dtype?: { dtype: string; tensors: number; elements: number; bytes: number }[];
  /** Layers that are alike, or what stands outside layers. */
  groups?: FileGroup[];
  /** e.g. "Q4_K_M". */
  file_type?: string;
  architecture?: string;
  /** Of a command line: the inference engine that it starts, e.g. "vLLM". */
  engine?: string;
  /** Of a training configuration: the id and name of its format, and where its keys are documented. */
  format?: string;
  name?: string;
  source?: string;
  /** Of a training configuration: what it does not say and its program takes by itself, as sentences. */
  assumed?: string[];
  /** Options that became fields or say what happens anyway, and those without an effect on memory. */
  read?: number;
  harmless?: number;
  /** Options as typed that may matter and are not in the estimate. */
  unread?: string[];
  /** Of a command line or a training configuration: what must be told before it can be answered, by the field that answers it; `choices` are ids that it may be. */
  questions?: { field: string; question: string; answer: 'input' | 'gpus' | 'command' | 'set' | 'file'; choices?: string[] }[];
  /** Of a script that starts several programs. */
  commands?: { line: number; program: string; purpose: string; text: string }[];
  /** Of a log: what was measured, by the names of docs/evidence.md. */
  measured?: { counter: string; value: number; unit: string; rank?: number; step?: number }[];
  /** The model as fields to give to estimate(), and as a query; null when the file does not hold all of one. */
  fields: ScenarioFields | null;
  query: string | null;
}

export interface FileGroup {
  id: string;
  label: string;
  /** 0 outside layers. */
  layers: number;
  parameters: number;
  bytes?: number;
}

export interface RefusedFile {
  ok: false;
  kind: FileKind;
  issues: Issue[];
  fields: null;
  parameters: null;
  query: null;
}

type Manifest = 'kubernetes' | 'leaderworkerset' | 'kserve' | 'llm_d' | 'dynamo' | 'ray_serve' | 'compose' | 'modelfile' | 'slurm' | 'skypilot' | 'dstack';

/** What export_command() writes. */
export type ExportTarget =
  | 'vllm' | 'sglang' | 'llama_cpp' | 'tensorrt_llm'
  | 'deepspeed' | 'accelerate' | 'trainer' | 'axolotl' | 'llama_factory' | 'ms_swift' | 'trl' | 'torchtune' | 'torchtitan' | 'megatron' | 'nemo'
  | Manifest | `${Manifest}:${'vllm' | 'sglang' | 'llama_cpp' | 'tensorrt_llm'}`;

export type ImportAnswer = ImportedConfig | RefusedConfig;

export interface ImportedConfig {
  ok: true;
  /** Notes say what is not counted; fields are paths in the file. */
  issues: Issue[];
  /** model=custom, and what differs from that preset. */
  fields: ScenarioFields;
  /** The exact count. */
  parameters: number;
  /** `fields` as a query. */
  query: string;
}

export interface RefusedConfig {
  ok: false;
  issues: Issue[];
  fields: null;
  parameters: null;
  query: null;
}
