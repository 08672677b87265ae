// One file of tests in a process of its own, which ends: by itself, or when its time is over, or when the runner ends.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { repository } from '../support.mjs';

const reporter = fileURLToPath(new URL('events.mjs', import.meta.url));
const running = new Set(); // of {end, at}

/** Ends all files; gives back the names of what was running in them. */
export function end_files() {
  const names = [...running].map(({ at }) => at());
  running.forEach(({ end }) => end());
  return names;
}

/** {path, tests, failures, seconds, output}; a failure is {name, words}. */
export function run_file(path, environment, limit_s) {
  const start = performance.now();
  const child = spawn(process.execPath, [`--test-reporter=${reporter}`, path], {
    cwd: repository, env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    detached: true, // the head of a group, which is ended as a whole
  });
  const now = []; // names of the test that runs and of its part
  const failures = [];
  let tests = 0, output = '';

  createInterface({ input: child.stdio[3] }).on('line', (line) => {
    const { type, name, nesting, skip, todo, error } = JSON.parse(line);
    now.length = Math.min(now.length, nesting);
    if (type === 'test:dequeue') return void (now[nesting] = name);
    ++tests;
    const gap = (skip !== undefined && skip !== false && `skipped: ${skip}`) || (todo !== undefined && todo !== false && `to do: ${todo}`);
    if (type === 'test:fail' || gap) failures.push({ name, words: error ?? gap });
    return undefined;
  });
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => { output += text; });

  const at = () => [path, ...now].join(' > ');
  const end = () => end_group(child.pid);
  const entry = { at, end };
  running.add(entry);
  const timer = setTimeout(() => {
    failures.push({ name: at(), words: `The file has not ended after ${limit_s} s.` });
    end();
  }, limit_s * 1000);

  return new Promise((resolve) => {
    child.once('error', (failure) => resolve({ path, tests, seconds: 0, output, failures: [{ name: path, words: failure.message }] }));
    child.once('close', (status, signal) => {
      clearTimeout(timer);
      running.delete(entry);
      end_group(child.pid); // whatever it has left behind
      if (failures.length === 0 && status !== 0) failures.push({ name: at(), words: `The file ended with ${signal ?? `status ${status}`}.` });
      if (failures.length === 0 && tests === 0) failures.push({ name: path, words: 'The file has no tests.' });
      resolve({ path, tests, failures, output, seconds: (performance.now() - start) / 1000 });
    });
  });
}

function end_group(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (failure) {
    if (failure.code !== 'ESRCH') throw failure; // it has ended already
  }
}
