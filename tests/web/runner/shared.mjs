// What all files of tests share, each started when the first needs it: the site, a Chromium and a Firefox.

import { at_end } from '../endings.mjs';
import { start_firefox } from '../firefox.mjs';
import { chromium_options, must_exist, serve_own_site } from '../support.mjs';

let site = null, chromium = null, firefox = null;

/** The environment of a file. */
export async function environment_of(path) {
  site ??= serve_own_site();
  chromium ??= launch_chromium();
  const environment = { PAGES_SITE: (await site).url, PAGES_CHROMIUM: await chromium };
  if (!needs_firefox(path)) return environment;
  firefox ??= start_firefox();
  return { ...environment, PAGES_FIREFOX: JSON.stringify(await firefox) };
}

/** By its name; one at a time, since it has one window. */
export const needs_firefox = (path) => path.includes('firefox');

async function launch_chromium() {
  must_exist(chromium_options.executablePath, 'scripts/setup test installs it (package chromium-headless-shell), or set CHROMIUM');
  const { chromium: kind } = await import('playwright-core');
  const server = await kind.launchServer({ ...chromium_options, handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false });
  at_end(() => server.close());
  server.once('close', () => { chromium = null; }); // the next file gets another
  return server.wsEndpoint();
}
