#!/usr/bin/env node
// Speaks HTTP: plimsoll-rest [--port 8017] [--host 127.0.0.1].

import { parseArgs } from 'node:util';

import { create_service } from './rest.mjs';

const options = { port: { type: 'string', default: '8017' }, host: { type: 'string', default: '127.0.0.1' } };

try {
  const { port, host } = parseArgs({ options }).values;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new Error(`--port ${port} is no port: write a number up to 65535, 0 for any that is free.`);
  const service = await create_service();
  service.on('error', ({ message }) => {
    console.error(message);
    process.exitCode = 1;
  });
  service.listen(Number(port), host, () => {
    const { address, port: taken, family } = service.address();
    console.log(`http://${family === 'IPv6' ? `[${address}]` : address}:${taken}/`);
  });
} catch ({ message }) {
  console.error(message);
  process.exitCode = 1;
}
