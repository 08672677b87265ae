// Scenarios for which two front ends must give the same bytes, as queries: the golden ones, and some that nobody should write.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { repository } from './support.mjs';

const golden = readFileSync(join(repository, 'tests/golden/scenarios.txt'), 'utf8')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => line.slice(line.indexOf(' ') + 1));

export const queries = [
  ...golden,
  '',
  'model=llama-3-8b&device=rtx4090&context_tokens=8192&batch=64',
  'model=no-such-model&device=no-such-device&batch=many&colour=red',
  'model=llama-3-8b&batch=4&batch=5&=&%F0%9F%9A%A2=%zz',
];
