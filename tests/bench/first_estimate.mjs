// How long somebody who has just come waits for the first estimate as text, and for the drawing of it.
//
//   node tests/bench/first_estimate.mjs [RUNS]     after scripts/test or scripts/serve have made build/site; medians of so many runs each, 5 by itself
//
// The files come compressed with Brotli, as web hosts send them, over HTTP/1.1. Cold: nothing is in the browser's cache; warm: all is, and the host is
// asked whether it has changed. Networks are those of Chromium's tools; a processor four times as slow stands for a phone.

import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

import { launch_browser, must_exist, site } from '../web/support.mjs';

const question = 'model=llama-3-8b&device=rtx4090&task=inference&batch=4';
const patience_ms = 120_000;
const networks = {
  local: null,
  '1.6 Mbit/s': { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 },
  'Fast 3G': { offline: false, latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375 },
};
const asked = [ // milliseconds; 0: nothing is asked
  { name: 'cold', query: question, network: 'local', slow: 1, asked: 800 },
  { name: 'warm', query: question, network: 'local', slow: 1, warm: true, asked: 300 },
  { name: 'cold, processor / 4', query: question, network: 'local', slow: 4, asked: 1500 },
  { name: 'cold, Fast 3G', query: question, network: 'Fast 3G', slow: 1, asked: 3500 },
  { name: 'cold, 1.6 Mbit/s, processor / 4', query: question, network: '1.6 Mbit/s', slow: 4, asked: 2500 },
  { name: 'cold, empty address', query: '', network: 'local', slow: 1, asked: 0 },
  { name: 'cold, empty address, Fast 3G', query: '', network: 'Fast 3G', slow: 1, asked: 0 },
];

const types = { '.css': 'text/css', '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.mjs': 'text/javascript', '.json': 'application/json', '.png': 'image/png', '.svg': 'image/svg+xml', '.wasm': 'application/wasm', '.webmanifest': 'application/manifest+json' };

/** Files are compressed once. */
async function serve_compressed(root) {
  const kept = new Map();
  const file = async (path) => {
    if (!kept.has(path)) kept.set(path, brotliCompressSync(await readFile(path), { params: { [constants.BROTLI_PARAM_QUALITY]: path.endsWith('.wasm') ? 11 : 9, [constants.BROTLI_PARAM_LGWIN]: 22 } }));
    return kept.get(path);
  };
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const path = join(root, pathname === '/' ? 'index.html' : pathname);
    try {
      const bytes = await file(path), etag = `"${bytes.length}-${path.length}"`;
      const headers = { 'cache-control': 'no-cache', etag, 'content-type': types[extname(path)] ?? 'application/octet-stream' };
      if (request.headers['if-none-match'] === etag) return void response.writeHead(304, headers).end();
      response.writeHead(200, { ...headers, 'content-encoding': 'br', 'content-length': bytes.length }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((ready) => server.listen(0, 'localhost', ready));
  return { url: `http://localhost:${server.address().port}/`, close: () => server.close(), file };
}

/** [milliseconds to the first estimate as text, to the drawing] since the navigation began. */
async function visit(browser, url, { network, slow, warm }) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, serviceWorkers: 'block' });
  const page = await context.newPage();
  await page.addInitScript(() => {
    const seen = globalThis.first_seen = {};
    const look = () => {
      const text = document.getElementById('loading-answer')?.textContent || document.getElementById('headline')?.textContent || '';
      if (!seen.text && /GiB|sequence/.test(text)) seen.text = performance.now();
      if (!seen.drawing && document.documentElement?.dataset.view === 'canvas') seen.drawing = performance.now();
      if (!seen.drawing) setTimeout(look, 5);
    };
    look();
  });
  const seen = async () => {
    await page.goto(url, { waitUntil: 'commit' });
    await page.waitForFunction(() => globalThis.first_seen?.drawing, null, { timeout: patience_ms });
    return page.evaluate(() => globalThis.first_seen);
  };
  if (warm) await seen();
  const client = await context.newCDPSession(page);
  if (networks[network]) await client.send('Network.enable').then(() => client.send('Network.emulateNetworkConditions', networks[network]));
  if (slow > 1) await client.send('Emulation.setCPUThrottlingRate', { rate: slow });
  const { text, drawing } = await seen();
  await context.close();
  return [text, drawing];
}

const median = (numbers) => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;

must_exist(join(site, 'index.html'), 'assemble the site, as scripts/test does');
const runs = Number(process.argv[2] ?? 5);
const server = await serve_compressed(site);
const browser = await launch_browser();
await visit(browser, `${server.url}?${question}`, { network: 'local', slow: 1 }); // compresses the files
console.log('| visit | estimate as text | drawing | asked |\n|---|---:|---:|---:|');
for (const one of asked) {
  const times = [];
  for (let run = 0; run < runs; ++run) times.push(await visit(browser, `${server.url}${one.query && `?${one.query}`}`, one));
  console.log(`| ${one.name} | ${seconds(median(times.map(([text]) => text)))} | ${seconds(median(times.map(([, drawing]) => drawing)))} | ${one.asked ? seconds(one.asked) : ''} |`);
}
await browser.close();
server.close();
process.exit(0);
