// Keeps the files of the site, so that it works without a network after the first visit. The list is written when the site is
// assembled (finish.mjs). All files of a version come together or not at all; another version takes over when the reader
// asks for it or the last page of the former one is closed, so that no page is made of files of two.

const version = '';
const files = []; // [[path, integrity]]

const prefix = `plimsoll ${registration.scope} `; // other sites may stand at other paths of the same host
const kept = new Set(files.map(([path]) => path));

addEventListener('install', (event) => event.waitUntil(keep()));
addEventListener('activate', (event) => event.waitUntil(forget_former()));
addEventListener('message', ({ data }) => data === 'take over' && skipWaiting());
addEventListener('fetch', (event) => {
  const path = path_of(new URL(event.request.url));
  if (event.request.method === 'GET' && kept.has(path)) event.respondWith(answer(event.request, path));
});

async function keep() {
  const cache = await caches.open(prefix + version);
  await Promise.all(files.map(async ([path, integrity]) => {
    const response = await fetch(new Request(path, { integrity, cache: 'no-cache' })); // refused while a site is half replaced
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    await cache.put(path, new Response(response.body, { headers: response.headers })); // some hosts redirect to prettier addresses
  }));
}

async function forget_former() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(prefix) && name !== prefix + version).map((name) => caches.delete(name)));
}

async function answer(request, path) {
  const cache = await caches.open(prefix + version);
  return (await cache.match(path)) ?? fetch(request);
}

/** Relative to the site, whose query is the page's business; '' for what lies elsewhere. */
function path_of(url) {
  const top = new URL(registration.scope);
  if (url.origin !== top.origin || !url.pathname.startsWith(top.pathname)) return '';
  return url.pathname.slice(top.pathname.length) || 'index.html';
}
