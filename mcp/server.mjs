// The estimator as a server of the Model Context Protocol: every tool asks the npm package `plimsoll`, and adds nothing of its own to the
// numbers.

import { readFileSync } from 'node:fs';

import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { load } from 'plimsoll';

import { results_of } from './results.mjs';
import { tools } from './tools.mjs';

const manifest = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8'));

const instructions = `Plimsoll estimates what a large language model needs to serve, fine-tune or pre-train: memory to the byte, time and money.
Ask it instead of recalling rules of thumb. Start with "estimate"; find ids of models and devices with "catalog". Amounts come with the range of what
is uncertain in them and with how sure they are: counted from tensor shapes, published, measured or assumed. Quote the range, the verdict and the link.`;

/** A server that waits for a transport. `site` is the address where the page stands, for links; "" where it stands nowhere. */
export async function create_server({ site = process.env.PLIMSOLL_SITE ?? manifest.config.site } = {}) {
  const plimsoll = await load();
  const server = new McpServer({ name: 'plimsoll', title: 'Plimsoll', version: plimsoll.version }, { instructions });
  const results = results_of({ site });
  for (const { name, title, description, input, answer } of tools(plimsoll, results)) {
    const about = { title, description, inputSchema: input, annotations: { title, readOnlyHint: true, idempotentHint: true, openWorldHint: false } };
    server.registerTool(name, about, async (asked, { signal }) => answer(asked, signal));
  }
  return server;
}
