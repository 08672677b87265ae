// What the site weighs: each file raw and as a server sends it, compressed with Brotli.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

const compressed = /\.(html|css|mjs|js|wasm|svg|json|txt)$/;

// The core module: what a page that computes without the app needs.
const core = new Set(['plimsoll.mjs', 'plimsoll-input.mjs', 'plimsoll-core.mjs', 'plimsoll-core.wasm']);
// In the site, but not loaded by the page of the app: read by people, compilers and other pages.
const not_loaded = /(\.d\.ts|\.md|\.txt|LICENSE|NOTICE|package\.json)$|^(fields|embed|404)\.html$/;

/** [{ name, raw, brotli, is_core, is_loaded }], or null where the site has not been assembled. */
export function site_files(site) {
  if (!existsSync(join(site, 'index.html'))) return null;
  return readdirSync(site, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(site.length + 1).replaceAll('\\', '/'))
    .sort()
    .map((name) => file_size(site, name));
}

function file_size(site, name) {
  const bytes = readFileSync(join(site, name));
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } };
  const brotli = compressed.test(name) ? brotliCompressSync(bytes, options).length : bytes.length;
  return { name, raw: bytes.length, brotli, is_core: core.has(name), is_loaded: !not_loaded.test(name) };
}

export function total(files) {
  return files.reduce((sum, file) => ({ raw: sum.raw + file.raw, brotli: sum.brotli + file.brotli }), { raw: 0, brotli: 0 });
}
