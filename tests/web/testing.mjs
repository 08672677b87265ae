// Tests that end, in place of those of node:test: each has a time limit, and so has what comes before them and what closes after them.

import { after, test as node_test } from 'node:test';

import { at_end, close_file, closing, limited } from './endings.mjs';

export { at_end };

const before_limit_s = 120, test_limit_s = 120, ending_limit_s = 5;

let set_up = () => {};
let readiness = null;

/** Done once, before the first test that runs. If it fails, every test does and says why. */
export function before(work) { set_up = work; }

async function be_ready() {
  await new Promise((resume) => setImmediate(resume)); // the file has been read to its end
  readiness ??= limited('what comes before the tests', before_limit_s, async () => set_up());
  return readiness;
}

export function test(name, work, { limit_s = test_limit_s } = {}) {
  node_test(name, async (context) => {
    await be_ready();
    await closing(() => limited(name, limit_s, async () => work(context)));
  });
}

/** A part of a test, which closes what it opens when it ends itself. */
export const subtest = (context, name, work, limit_s = test_limit_s) => context.test(name, () => limited(name, limit_s, work));

/** A filter that keeps one of `every` entries, from the entry `first` on, and all of them where the whole is asked for: scripts/test --whole. */
export const sample = (every, first = 0) => (_, i) => Boolean(process.env.PLIMSOLL_WHOLE) || i % every === first;

after(async () => {
  const failures = await close_file();
  setTimeout(say_what_is_open, ending_limit_s * 1000).unref();
  if (failures.length > 0) throw failures[0];
});

/** A file that has nothing left to do and does not end would hold up whoever waits for it. */
function say_what_is_open() {
  console.error(`All tests have ended, and these are still open: ${process.getActiveResourcesInfo().join(', ')}`);
  process.exit(1);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
