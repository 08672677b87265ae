// The examples of the page on embedding, built by the real generators: the element and the frame show the numbers of the core.

import assert from 'node:assert/strict';
import { cp, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';

import { violations_on } from './axe.mjs';
import { install_package, run } from './package.mjs';
import { launch_browser, load_core, must_exist, picture, repository, site, until } from './support.mjs';
import { at_end as after, before, test } from './testing.mjs';

const examples = join(repository, 'docs/embedding');
let project, browser, plimsoll;

before(async () => {
  must_exist(join(site, 'embed.html'), 'assemble the site, as scripts/test does');
  project = await install_package();
  browser = await launch_browser();
  plimsoll = await load_core();
});
after(async () => {
  await browser?.close();
  await project?.remove();
});

/** A copy of an example, with the site's files where its page says they are. */
async function prepare(name, files_at) {
  const folder = join(project.folder, name);
  await cp(join(examples, name), folder, { recursive: true });
  await mkdir(join(folder, files_at), { recursive: true });
  await cp(site, join(folder, files_at, 'plimsoll'), { recursive: true });
  return folder;
}

/** Scripts of a generator's own theme have faults of their own, such as MkDocs' of Debian 13, whose menu asks for a modal that is not there. */
const is_of_theme = (at, site_url) => at.startsWith(site_url) && /\.js([?:#]|$)/.test(at.slice(site_url.length)) && !at.includes('/plimsoll/');

/** Opens the built site below a path; element and frame must show the answer, without faults. */
async function shows_numbers(name, folder, base) {
  const { serve } = await import('../../scripts/static_server.mjs');
  const server = await serve({ root: folder, base });
  const context = await browser.newContext({ viewport: { width: 1100, height: 1100 } });
  const page = await context.newPage();
  const faults = [];
  const fault = (text, at) => is_of_theme(at, server.url) || faults.push(`${text} at ${at}`);
  page.on('pageerror', (error) => fault(error.message, /https?:[^\s)]+/.exec(error.stack ?? '')?.[0] ?? ''));
  page.on('console', (message) => message.type() === 'error' && !message.text().includes('404') && fault(message.text(), message.location().url));
  page.on('request', (request) => request.url().startsWith('http') && !request.url().startsWith(server.url) && !request.url().endsWith('/favicon.ico')
    && faults.push(`asked ${request.url()}`));
  try {
    await page.goto(server.url);
    const { headline, estimate } = plimsoll.estimate({ model: 'llama-3-8b', device: 'rtx4090', batch: 4 });
    const words = `${headline.verdict} ${headline.rest}`;
    const element = page.locator('plimsoll-estimate:not([view])');
    await until(async () => await element.locator('[part=headline]').count() && element.locator('[part=headline]').textContent(), (text) => text === words, 'the element', 15_000);
    assert.ok((await element.locator('[part=legend]').textContent()).includes(`Weights ${estimate.moments[0].parts[0].text}`));
    await page.locator('iframe').scrollIntoViewIfNeeded();
    const inside = page.frameLocator('iframe').locator('[part=headline]');
    await inside.waitFor();
    assert.equal(await inside.textContent(), words);
    await picture(page, `docs-${name}`);
    assert.deepEqual((await violations_on(page)).filter((one) => one.includes('plimsoll')), []);
    assert.deepEqual(faults, []);
    return await page.locator('plimsoll-estimate[view=inline]').allTextContents();
  } finally {
    await context.close();
    await server.close();
  }
}

test('MkDocs', async () => {
  const folder = await prepare('mkdocs', 'docs');
  await run('mkdocs', ['build', '--quiet', '--site-dir', 'built'], { cwd: folder });
  await shows_numbers('mkdocs', join(folder, 'built'), '/mkdocs/');
});

test('Sphinx', async () => {
  const folder = await prepare('sphinx', '_static');
  await run('sphinx-build', ['-q', '-W', '-b', 'html', '.', 'built'], { cwd: folder });
  await shows_numbers('sphinx', join(folder, 'built'), '/sphinx/');
});

test('VitePress', async () => {
  const folder = await prepare('vitepress', 'public');
  await symlink(join(repository, 'node_modules/vitepress'), join(project.folder, 'node_modules/vitepress'));
  await run(process.execPath, [join(repository, 'node_modules/vitepress/bin/vitepress.js'), 'build', '--outDir', 'built'], { cwd: folder });
  await shows_numbers('vitepress', join(folder, 'built'), '/');
});
