// The clipboard belongs to the browser, and all files share that: one test at a time has it.

import { createServer } from 'node:net';

import { limited } from './endings.mjs';

/** Does `work` while nobody else has the clipboard, which is empty at first. */
export async function with_clipboard(page, work) {
  const free = await limited('waiting for the clipboard', 50, take);
  try {
    await page.evaluate(() => navigator.clipboard.writeText(''));
    return await work();
  } finally {
    await free();
  }
}

/** Whoever listens at the name has it; the system takes it back from a process that ends. */
async function take() {
  if (!process.env.PAGES_CHROMIUM) return async () => {}; // the browser is this file's own
  for (;;) {
    const holder = createServer();
    const is_mine = await new Promise((resolve) => {
      holder.once('error', () => resolve(false)).listen(`\0plimsoll clipboard of ${process.env.PAGES_CHROMIUM}`, () => resolve(true));
    });
    if (is_mine) return () => new Promise((done) => holder.close(done));
    await new Promise((wake) => setTimeout(wake, 50));
  }
}
