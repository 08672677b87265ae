// A static file server for the assembled site: scripts/serve runs it, the page tests import it.
//
//   const { url, close } = await serve({ root: 'build/site', port: 0, base: '/any/sub-path/' });
//
// It does what any plain web host does and nothing more: no special headers, so that what works here works there.

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ts': 'text/plain; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm', // or the browser does not compile it while it arrives
  '.webmanifest': 'application/manifest+json',
};

// The file for a request's path; null where it lies outside the root or is not there.
async function locate(root, base, pathname) {
  if (!pathname.startsWith(base)) return null;
  let path = join(root, decodeURIComponent(pathname.slice(base.length)));
  if (path !== root && !path.startsWith(root + sep)) return null;
  if (pathname.endsWith('/')) path = join(path, 'index.html');
  const info = await stat(path).catch(() => null);
  return info?.isFile() ? { path, info } : null;
}

async function answer(root, base, request, response) {
  const { pathname } = new URL(request.url, 'http://localhost');
  const file = await locate(root, base, pathname);
  if (!file) {
    response.writeHead(404, { 'content-type': TYPES['.txt'] }).end(`There is no ${pathname} here.\n`);
    return;
  }
  // The browser asks again each time, and an unchanged file is not sent twice.
  const etag = `"${file.info.size.toString(36)}-${file.info.mtimeMs.toString(36)}"`;
  const headers = { 'cache-control': 'no-cache', etag };
  if (request.headers['if-none-match'] === etag) {
    response.writeHead(304, headers).end();
    return;
  }
  headers['content-type'] = TYPES[extname(file.path)] ?? 'application/octet-stream';
  headers['content-length'] = file.info.size;
  response.writeHead(200, headers);
  if (request.method === 'HEAD') response.end();
  else createReadStream(file.path).pipe(response);
}

export function serve({ root, port = 0, base = '/' }) {
  const top = resolve(root);
  const server = createServer((request, response) => {
    answer(top, base, request, response).catch(() => response.writeHead(400).end());
  });
  return new Promise((ready, failed) => {
    server.once('error', failed);
    server.listen(port, 'localhost', () => {
      const close = () => {
        server.closeAllConnections();
        return new Promise((done) => server.close(done));
      };
      ready({ url: `http://localhost:${server.address().port}${base}`, close });
    });
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [root, port] = process.argv.slice(2);
  try {
    const { url } = await serve({ root, port: Number(port) });
    console.log(`\nPlimsoll is at ${url} (Ctrl+C ends it)`);
  } catch (error) {
    if (error.code !== 'EADDRINUSE') throw error;
    console.error(`error: port ${port} is in use. End the program that uses it, or take another: scripts/serve ${Number(port) + 1}`);
    process.exitCode = 1;
  }
}
