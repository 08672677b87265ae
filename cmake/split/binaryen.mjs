// The programs of Binaryen that cut modules and count what runs in them.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const all_output = { encoding: 'utf8', maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'pipe'] };
// What browsers had before they had exceptions in WebAssembly, which the modules use. A second table needs reference types.
const features = ['mutable-globals', 'sign-ext', 'bulk-memory', 'nontrapping-float-to-int', 'multivalue', 'reference-types', 'exception-handling']
  .map((name) => `--enable-${name}`);

/** tool(name, ...options) runs one of those in `folder` and gives what it prints. */
export const tools_in = (folder) => (name, ...options) => execFileSync(join(folder, name), ['--mvp-features', ...features, ...options], all_output);
