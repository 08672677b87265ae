// What the tests of the site share: where things are, and a browser.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

export const repository = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../..');
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
  must_exist(join(site, 'index.html'), 'build the preset wasm-release and assemble the site, as scripts/test does');
  const { serve } = await import('../../scripts/static_server.mjs');
  return serve({ root: site, base: '/some/sub-path/' });
}

export async function launch_browser(extra_flags = []) {
  const { chromium } = await import('playwright-core');
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--enable-unsafe-swiftshader', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync', ...extra_flags],
  });
}

/** A page that remembers what went wrong on it and which other hosts it asked. */
export async function open_page(browser, url, { dark = false, before, before_argument, ...options } = {}) {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 }, colorScheme: dark ? 'dark' : 'light',
    permissions: ['clipboard-read', 'clipboard-write'], serviceWorkers: 'block', ...options, // one test is about those
  });
  const page = await context.newPage();
  const faults = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(url).origin) faults.push(`asked ${request.url()}`);
  });
  page.on('response', (response) => response.status() >= 400 && faults.push(`${response.status()} ${response.url()}`));
  if (before) await page.addInitScript(before, before_argument);
  await page.goto(url);
  await page.waitForFunction(() => document.documentElement.dataset.view !== 'loading');
  return { page, faults, close: () => context.close() };
}

export async function picture(page, name, options = {}) {
  await mkdir(artefacts, { recursive: true });
  return page.screenshot({ path: join(artefacts, `${name}.png`), ...options });
}

/** Asks until `holds` accepts what `look` sees; fails with the last sight. */
export async function until(look, holds, what, patience_ms = 8000) {
  const start = Date.now();
  for (;;) {
    const seen = await look();
    if (holds(seen)) return seen;
    if (Date.now() - start > patience_ms) assert.fail(`${what}: ${JSON.stringify(seen)}`);
    await new Promise((wake) => setTimeout(wake, 40));
  }
}
