// Programs that do not outlive the one that started them.

import { spawn } from 'node:child_process';

const running = new Set();
process.on('exit', () => running.forEach((end) => end()));

/** {child, ended, end}: `ended` resolves when it has; end() makes it. `remedy` is said where the program is not there. */
export function start(program, words, options = {}, remedy = '') {
  const child = spawn(program, words, options);
  const kill = () => child.kill('SIGKILL');
  running.add(kill);
  const ended = new Promise((resolve, reject) => {
    child.once('close', resolve);
    child.once('error', (failure) => reject(new Error(`${program} cannot be started: ${failure.message}. ${remedy}`)));
  }).finally(() => running.delete(kill));
  ended.catch(() => {}); // whoever waits for it is told
  return {
    child,
    ended,
    async end() {
      kill();
      await ended.catch(() => {});
    },
  };
}
