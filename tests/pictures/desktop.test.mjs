// The desktop window as its users see it, on a screen that is not there, against approved pictures.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';

import { must_exist, repository } from '../web/support.mjs';
import { check } from './compare.mjs';
import { desktop_states } from './states.mjs';

const run = promisify(execFile);
const desktop = resolve(repository, process.env.DESKTOP ?? 'build/native-release/imgui_app/plimsoll-desktop');

let folder;
before(async () => {
  must_exist(desktop, 'build the preset native-release');
  folder = await mkdtemp(join(tmpdir(), 'plimsoll-'));
});
after(() => rm(folder, { recursive: true }));

for (const { name, query, view, size, ratio, light, factor } of desktop_states) {
  test(name, async () => {
    const picture = join(folder, `${name}.png`);
    const options = ['--size', size.join('x'), '--screenshot', picture, ...(view ? ['--view', view] : []), ...(light ? ['--light'] : []), ...(ratio ? ['--scale', String(ratio)] : [])];
    // drawn without a graphics card, so that every machine draws alike
    await run('xvfb-run', ['-a', '-s', '-screen 0 2100x1700x24', desktop, query, ...options],
      { env: { ...process.env, LIBGL_ALWAYS_SOFTWARE: '1' }, timeout: 120_000 });
    await check(name, await readFile(picture), factor);
  });
}
