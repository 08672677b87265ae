// After the first visit the site works without a network; and what hosts and crawlers are told of it.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { headline, headline_of, question } from './page_actions.mjs';
import { launch_browser, load_core, must_exist, new_page, open_page, repository, serve_folder, serve_own_site, serve_site, site } from './support.mjs';
import { at_end, before, test } from './testing.mjs';

let browser, plimsoll;
before(async () => {
  must_exist(join(site, 'service-worker.js'), 'assemble the site, as scripts/test does');
  browser = await launch_browser();
  plimsoll = await load_core();
});

const kept_files = (page) => page.evaluate(async () => {
  await navigator.serviceWorker.ready;
  const [name, ...others] = await caches.keys();
  return { others, paths: (await (await caches.open(name)).keys()).map(({ url }) => url) };
});

test('without a server the page, its reference and the frame are still there', async () => {
  const server = await serve_own_site();
  const { page, faults } = await open_page(browser, `${server.url}?${question}`, { serviceWorkers: 'allow' });
  const { paths, others } = await kept_files(page);
  assert.deepEqual(others, []);
  assert.ok(['rest', 'files'].every((part) => paths.includes(`${server.url}plimsoll-app-${part}.wasm`)) && paths.every((path) => path.startsWith(server.url)));
  await server.close();
  await page.context().setOffline(true);

  await page.reload();
  await page.waitForFunction(() => document.documentElement.dataset.view === 'canvas');
  assert.equal(await headline_of(page), headline(plimsoll, question));
  await page.goto(`${server.url}?model=llama-3-70b&device=h100-80-sxm`);
  await page.waitForFunction(() => document.documentElement.dataset.view === 'canvas');
  assert.equal(await headline_of(page), headline(plimsoll, 'model=llama-3-70b&device=h100-80-sxm'));
  for (const file of ['fields.html', 'accuracy.html', 'method.html']) {
    await page.goto(`${server.url}${file}`);
    assert.ok((await page.textContent('h1')).length > 3);
  }
  await page.goto(`${server.url}embed.html?${question}`);
  await page.getByText('to spare').first().waitFor();
  assert.deepEqual(faults, []);
});

test('another version is offered, and takes over as a whole when the reader asks for it', async () => {
  const copy = await mkdtemp(join(tmpdir(), 'plimsoll-versions-'));
  at_end(() => rm(copy, { recursive: true }));
  await cp(site, copy, { recursive: true });
  const server = await serve_folder(copy, '/versions/');
  const { page } = await new_page(browser);
  await page.goto(server.url);
  await kept_files(page);
  const second = (await readFile(join(copy, 'fields.html'), 'utf8')).replace('<h1>', '<h1>Second: ');
  await writeFile(join(copy, 'fields.html'), second);
  execFileSync(process.execPath, [join(repository, 'web/site/finish.mjs'), copy]);

  await page.goto(server.url);
  await page.waitForSelector('#newer', { state: 'visible' });
  await page.goto(`${server.url}fields.html`);
  assert.equal(await page.textContent('h1'), 'Fields', 'nobody has asked for the other version');
  await page.goto(`${server.url}?${question}`);
  await page.evaluate(() => { globalThis.is_former = true; });
  await page.click('#newer');
  await page.waitForFunction(() => !globalThis.is_former && document.documentElement.dataset.view === 'canvas');
  assert.equal(await page.isVisible('#newer'), false);
  assert.equal(new URL(page.url()).search, `?${question}`);
  await page.goto(`${server.url}fields.html`);
  assert.equal(await page.textContent('h1'), 'Second: Fields');
  assert.equal(await page.evaluate(async () => (await caches.keys()).length), 1, 'the former version is forgotten');
});

test('every file that a page can ask for is kept, with the hash of what was assembled', async () => {
  const worker = await readFile(join(site, 'service-worker.js'), 'utf8');
  const [, list] = worker.match(/const files = (\[.*?\n\]);/s);
  const kept = JSON.parse(list);
  const present = (await readdir(site, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(site.length + 1));
  const asked = present.filter((path) => /\.(html|css|mjs|wasm|svg|webmanifest)$/.test(path));
  assert.deepEqual(asked.filter((path) => !kept.some(([one]) => one === path)), []);
  for (const [path, integrity] of kept) {
    const hash = execFileSync('sha256sum', [join(site, path)], { encoding: 'utf8' }).slice(0, 64);
    assert.equal(integrity, `sha256-${Buffer.from(hash, 'hex').toString('base64')}`, path);
  }
});

test('the manifest names icons that are there', async () => {
  const manifest = JSON.parse(await readFile(join(site, 'plimsoll.webmanifest'), 'utf8'));
  for (const { src, sizes } of manifest.icons) {
    const icon = await readFile(join(site, src));
    if (src.endsWith('.png')) assert.equal(`${icon.readUInt32BE(16)}x${icon.readUInt32BE(20)}`, sizes, src);
  }
  assert.match(await readFile(join(site, 'index.html'), 'utf8'), /rel="manifest" href="plimsoll\.webmanifest"/);
});

test('where the address is known, previews and crawlers get whole addresses', async () => {
  const copy = await mkdtemp(join(tmpdir(), 'plimsoll-site-'));
  at_end(() => rm(copy, { recursive: true }));
  await cp(site, copy, { recursive: true });
  await cp(join(repository, 'public/index.html'), join(copy, 'index.html'));
  execFileSync(process.execPath, [join(repository, 'web/site/finish.mjs'), copy, 'https://example.org/tools/plimsoll']);
  const page = await readFile(join(copy, 'index.html'), 'utf8');
  assert.match(page, /property="og:image" content="https:\/\/example\.org\/tools\/plimsoll\/social\.png"/);
  assert.match(page, /rel="canonical" href="https:\/\/example\.org\/tools\/plimsoll\/"/);
  const addresses = [...(await readFile(join(copy, 'sitemap.xml'), 'utf8')).matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address);
  const top = 'https://example.org/tools/plimsoll/';
  assert.ok(addresses.includes(top) && addresses.includes(`${top}method.html`) && !addresses.includes(`${top}embed.html`));
  for (const address of addresses) must_exist(join(copy, address.slice(top.length) || 'index.html'), 'the sitemap names it');
  assert.match(await readFile(join(copy, 'robots.txt'), 'utf8'), /Sitemap: https:\/\/example\.org\/tools\/plimsoll\/sitemap\.xml/);
});

test('no page may run a script of its markup or ask another host, but for the app, which may ask the hub that its reader presses for', async () => {
  for (const name of (await readdir(site)).filter((file) => file.endsWith('.html'))) {
    const page = await readFile(join(site, name), 'utf8');
    const [, policy] = page.match(/http-equiv="Content-Security-Policy" content="(.*?)"/);
    assert.match(policy, /^default-src 'none';/, name);
    const others = name === 'index.html' ? policy.replace("connect-src 'self' https://huggingface.co;", '') : policy;
    assert.equal(others === policy, name !== 'index.html');
    assert.doesNotMatch(others, /unsafe-inline|'unsafe-eval'|https?:|\*/, name);
    assert.doesNotMatch(page, /<script(?![^>]*\bsrc=)|<[^>]+\son\w+=|<style|<[^>]+\sstyle=/, name);
  }
});

test('without scripts, a worked example whose numbers are those of the core', async () => {
  const server = await serve_site();
  const { page } = await new_page(browser, { javaScriptEnabled: false });
  await page.goto(server.url);
  const text = await page.innerText('main');
  const { explanation, headline: words, estimate } = plimsoll.explain(question);
  for (const { label, exact } of explanation.memory.parts) assert.ok(text.includes(label) && text.includes(exact), label);
  for (const part of [words.verdict, words.rest, words.detail, explanation.memory.exact, estimate.usable_text]) assert.ok(text.includes(part), part);
  for (const id of ['#canvas', '#form', '#embed', '#headline']) assert.equal(await page.isVisible(id), false, id);
});

test('the workflow that publishes runs what is there', async () => {
  const workflow = await readFile(join(repository, '.github/workflows/site.yml'), 'utf8');
  const commands = [...workflow.matchAll(/\bscripts\/[\w.-]+/g)].map(([path]) => path);
  assert.ok(commands.includes('scripts/serve'));
  for (const path of commands) must_exist(join(repository, path), 'the workflow runs it');
  assert.match(await readFile(join(repository, 'scripts/lib/site.sh'), 'utf8'), /PLIMSOLL_SITE_URL/);
});
