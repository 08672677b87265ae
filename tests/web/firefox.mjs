// Debian's Firefox, driven through Marionette, the protocol that it speaks itself: JSON in frames of "LENGTH:[…]" over a socket.
// https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html
//
// run.mjs starts one for all files and hands it over in PAGES_FIREFOX; a file that runs alone starts its own. It keeps what it saw: each
// file opens an address of its own.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { at_end } from './endings.mjs';
import { answer_file_window } from './firefox_files.mjs';
import { start } from './processes.mjs';
import { open_screen } from './screen.mjs';
import { until } from './support.mjs';

const preferences = {
  'marionette.port': 0, // any that is free; it is written into the profile
  'app.update.enabled': false, 'browser.shell.checkDefaultBrowser': false, 'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false, 'network.connectivity-service.enabled': false, 'browser.startup.page': 0,
  'toolkit.telemetry.reportingpolicy.firstRun': false, 'webgl.force-enabled': true,
  // fingers, a clipboard that may be read without asking, and no motion after a drag
  'dom.w3c_touch_events.enabled': 1, 'dom.events.testing.asyncClipboard': true, 'ui.prefersReducedMotion': 1,
};

const keeps_files_in = (folder) => ({
  'browser.download.folderList': 2, 'browser.download.dir': folder, 'browser.download.always_ask_before_handling_new_types': false,
});

/** {port, downloads, close}: where it listens, and where files come to. */
export async function start_firefox() {
  const profile = await mkdtemp(join(tmpdir(), 'plimsoll-firefox-'));
  at_end(() => rm(profile, { recursive: true, force: true, maxRetries: 3 }));
  const downloads = join(profile, 'downloads');
  const line_of = ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`;
  await writeFile(join(profile, 'user.js'), Object.entries({ ...preferences, ...keeps_files_in(downloads) }).map(line_of).join('\n'));
  const { display } = await open_screen(1440, 900); // without a screen Firefox has no WebGL
  const words = ['--marionette', '--remote-allow-system-access', '--no-remote', '--profile', profile];
  const { ended, end } = start(process.env.FIREFOX ?? 'firefox-esr', words, { stdio: 'ignore', env: { ...process.env, DISPLAY: display } },
    'scripts/setup test installs it (package firefox-esr), or set FIREFOX.');
  at_end(end);
  let over = null;
  ended.then((status) => { over = new Error(`Firefox ended with status ${status}`); }, (failure) => { over = failure; });
  const look = async () => {
    if (over) throw over;
    return readFile(join(profile, 'MarionetteActivePort'), 'utf8').catch(() => '');
  };
  const port = await until(look, (text) => text !== '', 'Firefox starts', 60_000);
  return { port: Number(port), downloads };
}

/**
 * {go, run, act, keys, click, resize, picture, will_choose}: opens an address; runs a function in the page, with arguments as JSON;
 * performs actions as WebDriver names them; types into what has the focus, with a pause of `pause_ms` after each key; presses the mouse at a place
 * of the page; gives the page that size, or the nearest that a window can have; answers the next window that asks for a file.
 */
export async function open_firefox() {
  const { port, downloads } = process.env.PAGES_FIREFOX ? JSON.parse(process.env.PAGES_FIREFOX) : await start_firefox();
  const { ask, end } = await talk(port);
  at_end(end);
  await ask('WebDriver:NewSession', { capabilities: { alwaysMatch: { pageLoadStrategy: 'normal' } } });
  at_end(() => ask('WebDriver:DeleteSession', {}));
  await ask('WebDriver:SetTimeouts', { script: 60_000, pageLoad: 60_000 });

  const act = (...actions) => ask('WebDriver:PerformActions', { actions });
  return {
    downloads,
    act,
    async resize(width, height) {
      const inner = await this.run(() => [innerWidth, innerHeight, outerWidth, outerHeight]);
      await ask('WebDriver:SetWindowRect', { width: width + inner[2] - inner[0], height: height + inner[3] - inner[1] });
    },
    go: (url) => ask('WebDriver:Navigate', { url }),
    async run(what, ...given) {
      const script = `const [given, done] = arguments; (async () => (${what})(...given))().then((value) => done({ value }), (reason) => done({ reason: String(reason) }));`;
      const { value: answer } = await ask('WebDriver:ExecuteAsyncScript', { script, args: [given] });
      if (answer.reason) throw new Error(answer.reason);
      return answer.value;
    },
    keys: (text, pause_ms = 0) => act({
      type: 'key', id: 'keyboard',
      actions: [...text].flatMap((value) => [{ type: 'keyDown', value }, { type: 'pause', duration: pause_ms }, { type: 'keyUp', value }, { type: 'pause', duration: pause_ms }]),
    }),
    click: (x, y) => act({
      type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' },
      actions: [{ type: 'pointerMove', x: Math.round(x), y: Math.round(y) }, { type: 'pause', duration: 80 }, { type: 'pointerDown', button: 0 },
        { type: 'pause', duration: 80 }, { type: 'pointerUp', button: 0 }],
    }),
    picture: async () => Buffer.from((await ask('WebDriver:TakeScreenshot', { full: false })).value, 'base64'),
    /** In the browser's own code, which asks for the file. */
    async will_choose(path) {
      await ask('Marionette:SetContext', { value: 'chrome' });
      await ask('WebDriver:ExecuteScript', { script: `(${answer_file_window})(...arguments)`, args: [path] });
      await ask('Marionette:SetContext', { value: 'content' });
    },
  };
}

async function talk(port) {
  const socket = connect(port, '127.0.0.1');
  const waiting = new Map();
  let received = Buffer.alloc(0);
  let last = 0;

  socket.on('data', (data) => {
    received = Buffer.concat([received, data]);
    for (;;) {
      const colon = received.indexOf(':');
      const length = Number(received.subarray(0, colon));
      if (colon < 0 || received.length < colon + 1 + length) return;
      const message = JSON.parse(received.subarray(colon + 1, colon + 1 + length));
      received = received.subarray(colon + 1 + length);
      if (!Array.isArray(message)) continue; // the greeting
      const [, id, error, result] = message;
      if (error) waiting.get(id)?.reject(new Error(`${error.error}: ${error.message}`));
      else waiting.get(id)?.resolve(result);
      waiting.delete(id);
    }
  });
  const gone = () => waiting.forEach(({ reject }) => reject(new Error('Firefox is gone')));
  socket.on('close', gone);
  socket.on('error', gone);
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));

  const ask = (command, parameters) => new Promise((resolve, reject) => {
    const message = JSON.stringify([0, ++last, command, parameters]);
    waiting.set(last, { resolve, reject });
    socket.write(`${Buffer.byteLength(message)}:${message}`);
  });
  return { ask, end: () => socket.destroy() };
}
