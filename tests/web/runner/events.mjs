// A reporter of node:test for run.mjs: each event as a line of JSON, on file descriptor 3.

import { writeSync } from 'node:fs';

/** Yields nothing: what the tests themselves print stays apart. */
export default async function* events(source) {
  for await (const { type, data } of source) {
    const { name, nesting, skip, todo, details } = data;
    const error = details?.error?.cause ?? details?.error;
    const words = error && (error.stack ?? error.message ?? String(error));
    if (/^test:(dequeue|pass|fail)$/.test(type)) writeSync(3, `${JSON.stringify({ type, name, nesting, skip, todo, error: words })}\n`);
  }
}
