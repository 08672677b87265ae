// The time from a question of an agent to its answer, over standard input and output: a Markdown table of median and slowest.
//
//   node tests/bench/mcp_round_trip.mjs [calls]      after the npm packages are assembled (scripts/test, or assemble_site)

import { join } from 'node:path';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

import { close_file } from '../web/endings.mjs';
import { add_agents_package, install_package } from '../web/package.mjs';

const calls = Number(process.argv[2] ?? 50);
const question = { model: 'llama-3-8b', device: 'rtx4090', context_tokens: 8192, batch: 4 };
const asked = [
  ['estimate', { question }],
  ['explain', { question, part: 'memory.kv_cache' }],
  ['fit', { question, goal: 'largest', field: 'context_tokens' }],
  ['load', { question: { model: 'llama-3-8b', device: 'h100-80-sxm', profile: 'vllm', prompt_tokens: 1024, answer_tokens: 256, concurrency: 32 } }],
  ['cost', { question }],
  ['import', { files: [{ text: 'vllm serve Qwen/Qwen3-8B --max-model-len 32768' }] }],
  ['export', { question, to: 'vllm' }],
  ['catalog', { what: 'models', search: 'qwen3' }],
];

const project = await install_package();
const { at } = await add_agents_package(project);
const start = performance.now();
const client = new Client({ name: 'bench', version: '0' });
await client.connect(new StdioClientTransport({ command: process.execPath, args: [join(at, 'plimsoll-mcp.mjs')] }));
const started = performance.now() - start;

const ms = (time) => `${time.toFixed(1)} ms`;
console.log(`| tool | median of ${calls} | slowest | first |\n|---|--:|--:|--:|`);
console.log(`| start, to the end of the handshake | ${ms(started)} | | |`);
for (const [name, input] of asked) {
  const times = [];
  for (let i = 0; i < calls; ++i) {
    const before = performance.now();
    await client.callTool({ name, arguments: input });
    times.push(performance.now() - before);
  }
  const [first] = times;
  times.sort((one, other) => one - other);
  console.log(`| ${name} | ${ms(times[Math.floor(calls / 2)])} | ${ms(times.at(-1))} | ${ms(first)} |`);
}
await client.close();
await close_file();
