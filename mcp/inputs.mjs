// What the tools take.

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';

import { z } from 'zod';

const value = z.union([z.string(), z.number(), z.boolean()]);

export const question = z
  .union([z.string(), z.record(z.string(), value)])
  .describe(
    'The scenario: an object of fields such as {"model": "llama-3-8b", "device": "rtx4090", "task": "inference", "context_tokens": 8192, "batch": 4}, or the ' +
      'query of a link, "model=llama-3-8b&device=rtx4090". Models and devices are understood as people write them: "Qwen/Qwen3-32B-AWQ", "4xH100". What is ' +
      'left out takes its default. The catalog tool with what="fields" lists every field with its unit and meaning.',
  );

export const file = z
  .object({
    text: z.string().optional().describe('The text itself: a config.json, a command line such as "vllm serve …", a manifest, a training configuration, a log'),
    path: z.string().optional().describe('Or where the file lies on this machine; of weights only the header is read'),
    name: z.string().optional().describe('How other files refer to it'),
  })
  .describe('One file, by its text or its path');

/** What a Blob is asked for, of a file that stays on its disk. Node has openAsBlob() from version 20, and Debian 12 has 18. */
class FileOnDisk {
  #path;
  constructor(path, size) {
    this.#path = path;
    this.size = size;
  }
  get [Symbol.toStringTag]() { return 'Blob'; }
  slice(start, end) { return { stream: () => Readable.toWeb(createReadStream(this.#path, { start, end: end - 1 })) }; }
}

/** As import_files() takes it. Rejects where there is no such file. */
export async function source_of({ text, path, name }) {
  if ((text === undefined) === (path === undefined)) throw new Error('A file is given by its text or by its path, one of the two.');
  if (path === undefined) return { source: text, name };
  try {
    const found = await stat(path);
    if (found.isFile()) return { source: new FileOnDisk(path, found.size), name: name ?? basename(path) };
  } catch {
    // what is not there is answered as what is no file
  }
  throw new Error(`The file ${path} cannot be read.`);
}

export { value, z };
