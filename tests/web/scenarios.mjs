// Scenarios for which two front ends must give the same bytes, as queries: the golden ones, and some that nobody should write.

import { golden } from './golden.mjs';

export const queries = [
  ...golden.map(({ query }) => query),
  '',
  'model=llama-3-8b&device=rtx4090&context_tokens=8192&batch=64',
  'model=no-such-model&device=no-such-device&batch=many&colour=red',
  'model=llama-3-8b&batch=4&batch=5&=&%F0%9F%9A%A2=%zz',
];
