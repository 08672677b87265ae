#!/usr/bin/env node
// Speaks the Model Context Protocol over standard input and output.

import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

import { create_server } from './server.mjs';

const server = await create_server();
await server.connect(new StdioServerTransport());
