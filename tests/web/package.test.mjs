// The npm package in the places where it is meant to work: Node, a page without tools, a worker, and Vite, built and while developing.

import assert from 'node:assert/strict';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { install_package, run } from './package.mjs';
import { launch_browser, load_core, new_page, repository, serve_folder, until } from './support.mjs';
import { at_end, before, test } from './testing.mjs';

const example = join(repository, 'docs/embedding/npm');
const scenario = { model: 'llama-3-8b', device: 'rtx4090', batch: 4 };
let project, browser, promised;

before(async () => {
  project = await install_package();
  browser = await launch_browser();
  const { headline, estimate } = (await load_core()).estimate(scenario);
  promised = `${headline.verdict} ${estimate.peak.text}`;
  await cp(join(example, 'main.mjs'), join(project.folder, 'main.mjs'));
  await cp(join(example, 'vite.config.mjs'), join(project.folder, 'vite.config.mjs'));
  await writeFile(join(project.folder, 'worker.mjs'), `import { load } from 'plimsoll';
const { headline, estimate } = (await load()).estimate(${JSON.stringify(scenario)});
postMessage(headline.verdict + ' ' + estimate.peak.text);`);
  await writeFile(join(project.folder, 'page.mjs'), `import './main.mjs';
const worker = new Worker(new URL('./worker.mjs', import.meta.url), { type: 'module' });
worker.onmessage = ({ data }) => { document.title = data; };`);
  await writeFile(join(project.folder, 'index.html'), `<!doctype html><html lang="en"><title>Project</title><link rel="icon" href="data:,">
<plimsoll-estimate model="llama-3-8b" device="rtx4090" batch="4">…</plimsoll-estimate><script type="module" src="./page.mjs"></script></html>`);
});

test('the tarball has what it lists, and nothing else', async () => {
  const manifest = JSON.parse(await readFile(join(project.folder, 'node_modules/plimsoll/package.json'), 'utf8'));
  assert.deepEqual([...project.files].sort(), [...manifest.files, 'package.json'].sort());
  assert.ok(project.files.includes('LICENSE') && project.files.includes('plimsoll-core.wasm'));
  assert.equal(manifest.dependencies, undefined);
});

test('in Node', async () => {
  const { stdout } = await run(process.execPath, ['main.mjs'], { cwd: project.folder });
  assert.equal(stdout.trim(), promised);
});

test('in a worker of Node', async () => {
  await writeFile(join(project.folder, 'threads.mjs'), `import { Worker } from 'node:worker_threads';
new Worker(new URL('./main.mjs', import.meta.url));`);
  const { stdout } = await run(process.execPath, ['threads.mjs'], { cwd: project.folder });
  assert.equal(stdout.trim(), promised);
});

/** The page at an address: what the module said, what the worker said, what the element shows, and what went wrong. */
async function seen_at(url) {
  const { page, faults } = await new_page(browser);
  const said = [];
  page.on('console', (message) => said.push(message.text()));
  page.on('request', (request) => new URL(request.url()).host !== new URL(url).host && request.url().startsWith('http') && faults.push(request.url()));
  await page.goto(url);
  await until(() => page.title(), (title) => title === promised, 'the worker', 20_000);
  await until(async () => said, (texts) => texts.includes(promised), 'the module');
  await page.getByText('to spare').first().waitFor();
  assert.deepEqual(faults, []);
}

test('in a page without tools, by <script type=module> and an import map', async () => {
  const page = await readFile(join(project.folder, 'index.html'), 'utf8');
  const map = { imports: { plimsoll: './node_modules/plimsoll/plimsoll.mjs', 'plimsoll/element': './node_modules/plimsoll/plimsoll-element.mjs' } };
  await writeFile(join(project.folder, 'plain.html'), page.replace('<title>', `<script type="importmap">${JSON.stringify(map)}</script><title>`));
  const worker = await readFile(join(project.folder, 'worker.mjs'), 'utf8'); // import maps do not reach into workers
  await writeFile(join(project.folder, 'worker.mjs'), worker.replace("'plimsoll'", "'./node_modules/plimsoll/plimsoll.mjs'"));
  at_end(() => writeFile(join(project.folder, 'worker.mjs'), worker));
  const server = await serve_folder(project.folder, '/plain/');
  await seen_at(`${server.url}plain.html`);
});

test('built by Vite, at any sub-path', async () => {
  const { build } = await import('vite');
  await build({ root: project.folder, configFile: join(project.folder, 'vite.config.mjs'), logLevel: 'error' });
  const server = await serve_folder(join(project.folder, 'dist'), '/built/');
  await seen_at(server.url);
});

test("served by Vite's development server", async () => {
  const { createServer } = await import('vite');
  const server = await createServer({ root: project.folder, configFile: join(project.folder, 'vite.config.mjs'), logLevel: 'error', server: { port: 0 } });
  at_end(() => server.close());
  await server.listen();
  await seen_at(`http://localhost:${server.httpServer.address().port}/`);
});
