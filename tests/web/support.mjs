// What the tests of the site share: where things are, a server and a browser. run.mjs starts those once for all files and hands their
// addresses over in PAGES_SITE and PAGES_CHROMIUM; a file that runs alone starts its own.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { at_end } from './endings.mjs';

export const repository = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
export const site = resolve(repository, process.env.SITE ?? 'build/site');
export const cli = resolve(repository, process.env.CLI ?? 'build/native-release/cli/plimsoll');
const artefacts = join(repository, 'build/artefacts');

export function must_exist(path, remedy) {
  assert.ok(existsSync(path), `${path} is missing: ${remedy}`);
}

export async function load_core() {
  must_exist(join(site, 'plimsoll.mjs'), 'build the preset wasm-release and assemble the site, as scripts/test does');
  const { load } = await import(pathToFileURL(join(site, 'plimsoll.mjs')));
  return load();
}

/** The site under a sub-path, as on a project's page at a host of many. */
export async function serve_site() {
  return process.env.PAGES_SITE ? { url: process.env.PAGES_SITE, close: async () => {} } : serve_own_site();
}

/** The same at an address that nobody else has: for a test that ends the server, or whose browser keeps what it saw. */
export async function serve_own_site() {
  must_exist(join(site, 'index.html'), 'build the preset wasm-release and assemble the site, as scripts/test does');
  return serve_folder(site, '/some/sub-path/');
}

export async function serve_folder(root, base) {
  const { serve } = await import('../../scripts/static_server.mjs');
  const server = await serve({ root, base });
  at_end(server.close);
  return server;
}

/** How Chromium is started: Debian's build without windows, which loads a page with two thirds of the work. */
export const chromium_options = {
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
  args: ['--no-sandbox', '--enable-unsafe-swiftshader', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync'],
};

export async function launch_browser() {
  must_exist(chromium_options.executablePath, 'scripts/setup test installs it (package chromium-headless-shell), or set CHROMIUM');
  const { chromium } = await import('playwright-core');
  const browser = await (process.env.PAGES_CHROMIUM ? chromium.connect(process.env.PAGES_CHROMIUM) : chromium.launch(chromium_options));
  at_end(() => browser.close());
  return browser;
}

/** A page of nobody else, which remembers what went wrong on it and what it asked for. Closed when the test ends, or by close(). */
export async function new_page(browser, options = {}) {
  const context = await browser.newContext(options);
  const close = () => context.close();
  at_end(close);
  const page = await context.newPage();
  const faults = [], requests = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('request', (request) => requests.push(request.url()));
  return { page, faults, requests, close };
}

/**
 * A page of the site that is there; no other host may be asked, and no file may be missing. What comes with the first sign of a reader is there, too, but where
 * `is_untouched`.
 */
export async function open_page(browser, url, { dark = false, before, before_argument, is_untouched = false, ...options } = {}) {
  const opened = await new_page(browser, {
    viewport: { width: 1440, height: 900 }, colorScheme: dark ? 'dark' : 'light',
    permissions: ['clipboard-read', 'clipboard-write'], serviceWorkers: 'block', ...options, // one test is about those
  });
  const { page, faults } = opened;
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(url).origin) faults.push(`asked ${request.url()}`);
  });
  page.on('response', (response) => response.status() >= 400 && faults.push(`${response.status()} ${response.url()}`));
  if (before) await page.addInitScript(before, before_argument);
  await page.goto(url);
  await page.waitForFunction(() => document.documentElement.dataset.view !== 'loading');
  if (!is_untouched) {
    await page.waitForFunction(() => !document.getElementById('canvas') || document.documentElement.dataset.view === 'failed' || globalThis.plimsoll);
    await page.evaluate(() => globalThis.plimsoll?.more?.load());
  }
  return opened;
}

export async function picture(page, name, options = {}) {
  await mkdir(artefacts, { recursive: true });
  return page.screenshot({ path: join(artefacts, `${name}.png`), ...options });
}

/** Asks until `holds` accepts what `look` sees; fails with the last sight. */
export async function until(look, holds, what, patience_ms = 20_000) {
  const start = Date.now();
  for (;;) {
    const seen = await look();
    if (holds(seen)) return seen;
    if (Date.now() - start > patience_ms) assert.fail(`${what}: ${JSON.stringify(seen)}`);
    await new Promise((wake) => setTimeout(wake, 40));
  }
}
