// The examples of examples/: the widget in a browser, as anywidget calls it, and what the others ask about.

import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { launch_browser, load_core, new_page, repository, serve_folder, site, until } from './support.mjs';
import { at_end, before, test } from './testing.mjs';

const examples = join(repository, 'examples');
let plimsoll;

before(async () => { plimsoll = await load_core(); });

test('the widget shows the answer of its fields, and follows them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plimsoll-widget-'));
  at_end(() => rm(folder, { recursive: true, force: true }));
  await symlink(site, join(folder, 'plimsoll'));
  await cp(join(examples, 'anywidget/plimsoll_widget.mjs'), join(folder, 'widget.mjs'));
  await writeFile(join(folder, 'page.html'), `<!doctype html><html lang="en"><title>Notebook</title><link rel="icon" href="data:,"><div id="cell"></div><script type="module">
import widget from './widget.mjs';
const values = { source: new URL('plimsoll/plimsoll-element.mjs', location).href, fields: { model: 'llama-3-8b', device: 'rtx4090', batch: 4 } };
const listeners = new Set();
globalThis.change = (fields) => { values.fields = fields; listeners.forEach((listener) => listener()); };
globalThis.leave = await widget.render({ el: document.querySelector('#cell'), model: { get: (name) => values[name], on: (_, listener) => listeners.add(listener), off: (_, listener) => listeners.delete(listener) } });
globalThis.listening = () => listeners.size;</script></html>`);
  const server = await serve_folder(folder, '/');
  at_end(() => server.close());
  const { page } = await new_page(await launch_browser());
  await page.goto(`${server.url}page.html`);
  const shows = (fields) => {
    const { headline } = plimsoll.estimate(fields);
    return until(() => page.evaluate(() => document.querySelector('plimsoll-estimate')?.shadowRoot?.querySelector('.drawn')?.textContent ?? ''), (text) => text.includes(`${headline.verdict} ${headline.rest}`), 'the answer', 20_000);
  };
  await shows({ model: 'llama-3-8b', device: 'rtx4090', batch: 4 });
  await page.evaluate(() => globalThis.change({ model: 'llama-3-8b', device: 'rtx4090', context_tokens: 16384 }));
  await shows({ model: 'llama-3-8b', device: 'rtx4090', context_tokens: 16384 });
  await page.evaluate(() => globalThis.leave());
  assert.equal(await page.evaluate(() => globalThis.listening()), 0);
});

test('what the others ask about has an answer', async () => {
  const asked = async (path, pattern) => [...(await readFile(join(examples, path), 'utf8')).matchAll(pattern)].map((found) => found[1]);
  const of_components = (text) => Object.fromEntries([...text.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name.replaceAll('-', '_'), value]));
  const questions = [
    ...(await asked('docusaurus/Estimate.jsx', /<Estimate ([^>]*)\/>/g)).map(of_components),
    ...(await asked('astro/Estimate.astro', /<Estimate ([^>]*)\/>/g)).map(of_components),
    ...(await asked('mintlify/estimate.mdx', /embed\.html\?([^"]*)"/g)),
  ];
  assert.equal(questions.length, 3);
  for (const question of questions) assert.equal(plimsoll.estimate(question).ok, true, JSON.stringify(question));
});

test('the notebook is one, and its cells are whole', async () => {
  const notebook = JSON.parse(await readFile(join(examples, 'jupyter/plimsoll.ipynb'), 'utf8'));
  assert.equal(notebook.nbformat, 4);
  assert.ok(notebook.cells.every(({ id, source, cell_type }) => id && Array.isArray(source) && ['code', 'markdown'].includes(cell_type)));
});
