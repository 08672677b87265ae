// What the site weighs: each file raw and as a server sends it, compressed with Brotli.

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const compressed = /\.(html|css|mjs|js|wasm|svg|json|ttf|webmanifest)$/;

// What a page of documentation needs for an estimate; plimsoll.mjs imports the other hand-written ones.
const core = /^plimsoll(-core|-api|-parts|-file|-input|-plan)?\.(mjs|wasm)$/;
const rest = /^plimsoll-core-rest\.wasm$/;
const files = /^plimsoll-(core|app)-files\.wasm$/;
const app = /^plimsoll-app\.wasm$/;
const answers = /^plimsoll-app(-answers\.wasm|\.mjs)$/;
const drawing = /^plimsoll-app-drawing\.wasm$/;
const more = /^plimsoll-app-more\.wasm$/;
const tabs = /^plimsoll-app-rest\.wasm$/;

/**
 * What index.html names, and what its scripts load later: what answers, what draws and the worker that keeps the page. More of both comes when somebody does
 * something or a question needs it, other tabs when one is opened, and readers when a file is read.
 */
export function loaded_names(site) {
  const markup = readFileSync(join(site, 'index.html'), 'utf8');
  const named = [...markup.matchAll(/<(?:link rel="(?:icon|manifest|stylesheet|modulepreload|preload)"|script type="module"|img) (?:href|src)="([^"]+)"/g)];
  return new Set(['index.html', ...named.map(([, name]) => name), 'plimsoll-app.mjs', 'plimsoll-app-answers.wasm', 'plimsoll-app-drawing.wasm', 'service-worker.js']);
}

/** [{ id, files: [{ name, raw, gzip, brotli }], raw, gzip, brotli }] of the groups in budgets.mjs, or null where there is no site. */
export function group_sizes(site, fonts_folder) {
  if (!existsSync(join(site, 'index.html'))) return null;
  const loaded = [...loaded_names(site)].sort().map((name) => file_size(site, name));
  const fonts = existsSync(fonts_folder) ? readdirSync(fonts_folder).filter((name) => name.endsWith('.ttf')).sort().map((name) => file_size(fonts_folder, name)) : [];
  const there = (pattern) => readdirSync(site).filter((name) => pattern.test(name)).sort().map((name) => file_size(site, name));
  const is_module = (name) => app.test(name) || answers.test(name) || drawing.test(name);
  return [
    group('core', there(core)),
    group('rest', there(rest)),
    group('files', there(files)),
    group('app', there(app)),
    group('answers', there(answers)),
    group('drawing', there(drawing)),
    group('more', there(more)),
    group('tabs', there(tabs)),
    group('fonts', fonts),
    group('page', loaded.filter(({ name }) => !is_module(name))),
    group('loaded', loaded),
  ];
}

function group(id, files) {
  const sum = (key) => files.reduce((total, file) => total + file[key], 0);
  return { id, files, raw: sum('raw'), gzip: sum('gzip'), brotli: sum('brotli') };
}

const weighed = new Map(); // a file of several groups is compressed once, which takes seconds

function file_size(folder, name) {
  const path = join(folder, name);
  if (!weighed.has(path)) weighed.set(path, weigh(path, name));
  return weighed.get(path);
}

function weigh(path, name) {
  const bytes = readFileSync(path);
  if (!compressed.test(name)) return { name, raw: bytes.length, gzip: bytes.length, brotli: bytes.length };
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return { name, raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length, brotli: brotliCompressSync(bytes, { params }).length };
}
