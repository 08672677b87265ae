// The last step of the site. Writes into the folder that holds all its files:
//   node finish.mjs FOLDER [ADDRESS]
// the modules of each page in one, since a browser far from the host waits for every file; service-worker.js with the list of what is kept for use without a network; the worked example into index.html, for readers without
// scripts, and what is seen there before the estimator; and, where the ADDRESS of the published site is known, sitemap.xml, robots.txt and the addresses that previews of links want whole.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { example } from '../../public/page/question.mjs';
import { text } from '../reference/shell.mjs';
import { worked_example } from '../reference/worked_example.mjs';

const folder = resolve(process.argv[2]);
const address = process.argv[3] ? new URL(process.argv[3]).href.replace(/\/?$/, '/') : '';

const here = (name) => join(folder, name);

await bundle_pages();
await write_index();
if (address) await write_for_crawlers();
await write_service_worker();

/** What makes an estimator stays a file of its own: a page fetches one of two, and others import the core by its name. */
async function bundle_pages() {
  const pages = ['page.mjs', 'embed.mjs', 'page/models_table.mjs'], sheets = ['style.css'];
  const options = ['--bundle', '--format=esm', '--target=es2022', '--minify', '--charset=utf8', '--log-level=warning',
    '--external:./plimsoll-app.mjs', '--external:./plimsoll-core.mjs', '--outdir=.', '--outbase=.', '--out-extension:.js=.mjs', '--allow-overwrite'];
  const { status, error } = spawnSync('esbuild', [...[...pages, ...sheets].map((path) => `./${path}`), ...options], { cwd: folder, stdio: 'inherit' });
  if (error) throw new Error(`The page was not put together: esbuild does not start (${error.message}); scripts/setup build installs it.`);
  if (status !== 0) throw new Error('The page was not put together; esbuild said why.');
  for (const path of await all_files())
    if (path.startsWith('page/') && !pages.includes(path)) await rm(here(path));
}

async function write_index() {
  const { load } = await import(pathToFileURL(here('plimsoll.mjs')));
  const plimsoll = await load();
  let page = (await readFile(here('index.html'), 'utf8')).replace('<!-- worked example -->', () => worked_example(plimsoll));
  for (const [id, attribute, value] of [...first_answer(plimsoll), ...await sizes()]) {
    const place = new RegExp(`(id="${id}"[^>]* data-${attribute}=")[^"]*(")`);
    if (!place.test(page)) throw new Error(`index.html has no data-${attribute} at ${id}.`);
    page = page.replace(place, (all, before, after) => before + text(value) + after);
  }
  if (address) {
    page = page.replace('<meta property="og:image" content="social.png">', `<link rel="canonical" href="${address}">
<meta property="og:url" content="${address}">
<meta property="og:image" content="${address}social.png">`);
  }
  await writeFile(here('index.html'), page);
}

/** Of the question that the page shows to who has asked for nothing. */
function first_answer(plimsoll) {
  const { scenario, headline } = plimsoll.explain(example);
  const { models, devices } = plimsoll.catalog();
  const name = (rows, id) => rows.find((row) => row.id === id).name;
  return [
    ['loading-answer', 'example', `${headline.verdict} ${headline.rest}`],
    ['loading-detail', 'example', `An example: ${name(models, scenario.model)}, ${name(devices, scenario.device)}. ${headline.detail}`],
  ];
}

/** How much will have come, unpacked, when all has. */
async function sizes() {
  const size = async (what, ...files) => ['progress', what, String((await Promise.all(files.map((file) => stat(here(file))))).reduce((sum, file) => sum + file.size, 0))];
  return Promise.all([size('first', 'plimsoll-app.wasm'), size('estimator', 'plimsoll-app.wasm', 'plimsoll-app-answers.wasm'), size('drawing', 'plimsoll-app-drawing.wasm')]);
}

async function write_for_crawlers() {
  const pages = ['', ...(await all_files()).filter((path) => /^[^/]+\.html$/.test(path) && !['index.html', 'embed.html'].includes(path))];
  const rows = pages.map((path) => `  <url><loc>${address}${path}</loc></url>`);
  await writeFile(here('sitemap.xml'), `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${rows.join('\n')}
</urlset>
`);
  await writeFile(here('robots.txt'), `User-agent: *\nAllow: /\nSitemap: ${address}sitemap.xml\n`);
}

async function write_service_worker() {
  const no_page_asks = /\.d\.ts$|\.txt$|\.xml$|^social\.png$|^service-worker\.js$/;
  const paths = (await all_files()).filter((path) => !no_page_asks.test(path));
  const rows = await Promise.all(paths.map(async (path) => [path, `sha256-${hash_of(await readFile(here(path))).digest('base64')}`]));
  const template = await readFile(fileURLToPath(new URL('service-worker.js', import.meta.url)), 'utf8');
  const version = hash_of(template + JSON.stringify(rows)).digest('hex').slice(0, 16);
  await writeFile(here('service-worker.js'), template.replace("const version = '';", `const version = '${version}';`)
    .replace('const files = [];', `const files = ${JSON.stringify(rows, null, 1)};`));
}

async function all_files() {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)));
  return paths.map((path) => path.split(sep).join('/')).sort();
}

function hash_of(data) {
  return createHash('sha256').update(data);
}
