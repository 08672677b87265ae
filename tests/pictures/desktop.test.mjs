// The desktop window as its users see it, on a screen that is not there, against approved pictures.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { open_screen } from '../web/screen.mjs';
import { must_exist, repository } from '../web/support.mjs';
import { check } from './compare.mjs';
import { desktop_states } from './states.mjs';
import { at_end, before, test } from '../web/testing.mjs';

const run = promisify(execFile);
const desktop = resolve(repository, process.env.DESKTOP ?? 'build/native-release/imgui_app/plimsoll-desktop');

let folder, display;
before(async () => {
  must_exist(desktop, 'build the preset native-release');
  folder = await mkdtemp(join(tmpdir(), 'plimsoll-'));
  at_end(() => rm(folder, { recursive: true }));
  ({ display } = await open_screen(2100, 1700));
});

for (const { name, query, view, size, ratio, light, factor } of desktop_states) {
  test(name, async () => {
    const picture = join(folder, `${name}.png`);
    const options = ['--size', size.join('x'), '--screenshot', picture, ...(view ? ['--view', view] : []), ...(light ? ['--light'] : []), ...(ratio ? ['--scale', String(ratio)] : [])];
    // drawn without a graphics card, so that every machine draws alike
    await run(desktop, [query, ...options], { env: { ...process.env, DISPLAY: display, LIBGL_ALWAYS_SOFTWARE: '1' }, timeout: 50_000, killSignal: 'SIGKILL' });
    await check(name, await readFile(picture), factor);
  });
}
