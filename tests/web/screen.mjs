// A screen that is not there, for programs that need one.

import { at_end } from './endings.mjs';
import { start } from './processes.mjs';

/** {display, close}: what DISPLAY is to be. */
export async function open_screen(width, height) {
  const options = { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] };
  const { child, ended, end } = start('Xvfb', ['-displayfd', '3', '-screen', '0', `${width}x${height}x24`, '-nolisten', 'tcp'], options,
    'scripts/setup test installs it (package xvfb).');
  at_end(end);
  const number = new Promise((resolve) => { child.stdio[3].once('data', (bytes) => resolve(String(bytes).trim())); });
  const gone = ended.then((status) => { throw new Error(`Xvfb ended with status ${status}`); });
  gone.catch(() => {});
  return { display: `:${await Promise.race([number, gone])}`, close: end };
}
