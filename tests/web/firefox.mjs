// Debian's Firefox, driven through Marionette, the protocol that it speaks itself: JSON in frames of "LENGTH:[…]" over a socket.
// https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html

import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { until } from './support.mjs';

const preferences = {
  'marionette.port': 0, // any that is free; it is written into the profile
  'app.update.enabled': false, 'browser.shell.checkDefaultBrowser': false, 'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false, 'network.connectivity-service.enabled': false, 'browser.startup.page': 0,
  'toolkit.telemetry.reportingpolicy.firstRun': false, 'webgl.force-enabled': true,
};

const keeps_files_in = (folder) => ({ 'browser.download.folderList': 2, 'browser.download.dir': folder, 'browser.download.always_ask_before_handling_new_types': false });

/**
 * {go, run, act, keys, click, resize, picture, close}: opens an address; runs a function in the page, with arguments as JSON; performs
 * actions as WebDriver names them; types into what has the focus, with a pause of `pause_ms` after each key; presses the mouse at a place
 * of the page; gives the page that size, or the nearest that a window can have. `extra`: preferences. `downloads`: where files come to.
 */
export async function launch_firefox(extra = {}) {
  const profile = await mkdtemp(join(tmpdir(), 'plimsoll-firefox-'));
  const downloads = join(profile, 'downloads');
  const lines = Object.entries({ ...preferences, ...keeps_files_in(downloads), ...extra }).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`);
  await writeFile(join(profile, 'user.js'), lines.join('\n'));
  // on a screen of its own: without one Firefox has no WebGL
  const browser = spawn('xvfb-run', ['-a', '-s', '-screen 0 1440x900x24',
    process.env.FIREFOX ?? 'firefox-esr', '--marionette', '--no-remote', '--profile', profile], { stdio: 'ignore' });
  const exited = new Promise((resolve) => browser.once('exit', resolve));
  browser.once('error', () => {}); // not there: the port never comes
  const port_file = join(profile, 'MarionetteActivePort');
  const port = Number(await until(() => readFile(port_file, 'utf8').catch(() => ''), (text) => text !== '', 'Firefox starts (packages firefox-esr and xvfb)', 60_000));
  const { ask, end } = await talk(port);
  await ask('WebDriver:NewSession', { capabilities: { alwaysMatch: { pageLoadStrategy: 'normal' } } });
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
    async close() {
      await ask('Marionette:Quit', { flags: ['eForceQuit'] }).catch(() => browser.kill());
      end();
      await exited;
      await rm(profile, { recursive: true, force: true, maxRetries: 3 });
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
