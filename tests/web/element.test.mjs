// <plimsoll-estimate> in pages of other people: what it shows, what it loads, what it says to scripts, and how it gets along with
// their colours and policies.

import assert from 'node:assert/strict';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { violations_on } from './axe.mjs';
import { launch_browser, load_core, new_page, picture, serve_folder, site, until } from './support.mjs';
import { at_end, before, test } from './testing.mjs';

const module_tag = '<script type="module" src="plimsoll/plimsoll-element.mjs"></script>';
const llama = 'model="llama-3-8b" device="rtx4090" batch="4"';
let folder, server, browser, plimsoll;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plimsoll-element-'));
  at_end(() => rm(folder, { recursive: true, force: true }));
  await symlink(site, join(folder, 'plimsoll'));
  server = await serve_folder(folder, '/docs/');
  browser = await launch_browser();
  plimsoll = await load_core();
});

/** A page with the module and the body given; remembers events, requests and faults. */
async function open(body, { head = '', module = module_tag, ...options } = {}) {
  await writeFile(join(folder, 'page.html'), `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Docs</title><link rel="icon" href="plimsoll/favicon.svg">${head}${module}</head><body><main><h1>Docs</h1>${body}</main></body></html>`);
  const opened = await new_page(browser, { viewport: { width: 900, height: 700 }, ...options });
  const { page } = opened;
  await page.addInitScript(() => {
    globalThis.seen = [];
    for (const name of ['load', 'estimate', 'error']) {
      document.addEventListener(name, ({ target, detail }) => target.localName === 'plimsoll-estimate'
        && globalThis.seen.push([name, target.id, detail?.issues?.map(({ field }) => field) ?? null]), true);
    }
  });
  await page.goto(`${server.url}page.html`);
  return opened;
}

const shown = (page, selector = 'plimsoll-estimate') => page.evaluate((one) => document.querySelector(one).shadowRoot?.querySelector('.drawn').textContent ?? '', selector);
const words_of = ({ headline }) => `${headline.verdict} ${headline.rest}`;
const stands_there = (page, answer, selector) => until(() => shown(page, selector), (text) => text.includes(words_of(answer)), selector);

test('it shows the answer of its attributes, and takes the fallback away', async () => {
  const { page, faults, requests } = await open(`<plimsoll-estimate id="one" ${llama}><p id="fallback">About 20 GB.</p></plimsoll-estimate>`);
  const answer = plimsoll.estimate({ model: 'llama-3-8b', device: 'rtx4090', batch: 4 });
  await stands_there(page, answer);
  const text = await shown(page);
  assert.ok(text.includes('Llama 3 8B on GeForce RTX 4090 24GB'), text);
  assert.ok(text.includes('Batch: 4 sequences'), text);
  for (const { label, text: amount } of answer.estimate.moments[0].parts) assert.ok(text.includes(`${label} ${amount}`), label);
  assert.equal(await page.isVisible('#fallback'), false);
  const { estimate, query } = await page.evaluate(() => ({ estimate: document.getElementById('one').estimate, query: document.getElementById('one').query }));
  assert.deepEqual(estimate, answer.estimate);
  assert.equal(query, answer.query);
  assert.deepEqual(await page.evaluate(() => globalThis.seen), [['estimate', 'one', []], ['load', 'one', null]]);
  assert.deepEqual(requests.filter((url) => !url.startsWith(server.url)), []);
  assert.deepEqual(await violations_on(page), []);
  await picture(page, 'element');
  assert.deepEqual(faults, []);
});

test('ten elements load one module, and ask nothing of other hosts', async () => {
  const batches = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  const { page, faults, requests } = await open(batches.map((batch) => `<plimsoll-estimate id="b${batch}" loading="eager" model="llama-3-8b" device="rtx4090" batch="${batch}">…</plimsoll-estimate>`).join(''));
  for (const batch of batches) await stands_there(page, plimsoll.estimate({ model: 'llama-3-8b', device: 'rtx4090', batch }), `#b${batch}`);
  const files = requests.filter((url) => !url.endsWith('page.html') && !url.endsWith('favicon.ico'));
  assert.equal(new Set(files).size, files.length, 'a file was asked for twice');
  assert.equal(files.filter((url) => url.endsWith('.wasm')).length, 1);
  assert.deepEqual(files.filter((url) => !url.startsWith(`${server.url}plimsoll/`)), []);
  assert.equal(await page.evaluate(() => new Set([...document.querySelectorAll('plimsoll-estimate')].map((one) => one.shadowRoot.adoptedStyleSheets[0])).size), 1);
  assert.deepEqual(faults, []);
});

test('far below the viewport nothing is loaded until the reader comes near', async () => {
  const { page, requests } = await open(`<div style="height: 6000px">Text</div><plimsoll-estimate ${llama}>About 20 GB.</plimsoll-estimate>`);
  const wasm = () => requests.filter((url) => url.endsWith('.wasm')).length;
  await page.waitForFunction(() => customElements.get('plimsoll-estimate'));
  await page.evaluate(() => new Promise((resume) => requestAnimationFrame(() => requestAnimationFrame(resume))));
  assert.equal(wasm(), 0);
  await page.evaluate(() => scrollTo(0, 6000));
  await stands_there(page, plimsoll.estimate({ model: 'llama-3-8b', device: 'rtx4090', batch: 4 }));
  assert.equal(wasm(), 1);
});

test('another attribute is another estimate; many at once are one', async () => {
  const { page } = await open(`<plimsoll-estimate id="one" ${llama}>…</plimsoll-estimate>`);
  await stands_there(page, plimsoll.estimate({ model: 'llama-3-8b', device: 'rtx4090', batch: 4 }));
  await page.evaluate(() => {
    globalThis.seen.length = 0;
    const one = document.getElementById('one');
    one.setAttribute('device', 'h100-80-sxm');
    one.setAttribute('context-tokens', '4096');
    one.removeAttribute('batch');
  });
  await stands_there(page, plimsoll.estimate({ model: 'llama-3-8b', device: 'h100-80-sxm', context_tokens: 4096 }));
  assert.deepEqual(await page.evaluate(() => globalThis.seen), [['estimate', 'one', []]]);
});

test('a flag may stand without a value, a query is taken, attributes stand above it', async () => {
  const { page } = await open('<plimsoll-estimate query="?model=llama-3-8b&device=rtx4090&batch=9" batch="4" tied-embeddings data-x="1" class="y" v-cloak>…</plimsoll-estimate>');
  await stands_there(page, plimsoll.estimate({ model: 'llama-3-8b', device: 'rtx4090', batch: 4, tied_embeddings: true }));
  assert.deepEqual(await page.evaluate(() => document.querySelector('plimsoll-estimate').answer.issues), []);
});

test('a bad attribute is named with its remedy, and the fallback stays', async () => {
  const { page, faults } = await open('<plimsoll-estimate id="one" model="llama-3-8b" batch="many"><p id="fallback">About 20 GB.</p></plimsoll-estimate><plimsoll-estimate id="two" modle="llama-3-8b">…</plimsoll-estimate>');
  const [issue] = plimsoll.validate('model=llama-3-8b&batch=many').issues;
  const [slip] = plimsoll.validate('modle=llama-3-8b').issues;
  await until(() => shown(page, '#one'), (text) => text.includes(issue.message) && text.includes(issue.remedy), 'the issue');
  await until(() => shown(page, '#two'), (text) => text.includes(slip.message), 'the slip of the pen');
  assert.equal(await page.isVisible('#fallback'), true);
  assert.equal(await page.evaluate(() => document.getElementById('one').estimate), null);
  assert.ok((await page.evaluate(() => globalThis.seen)).some(([name, id, fields]) => name === 'error' && id === 'one' && fields.includes('batch')));
  assert.deepEqual(await violations_on(page), []);
  assert.deepEqual(faults, []);
});

test('from a host of another name that allows it', async () => {
  const { page, faults, requests } = await open('', { module: '' });
  await page.route('https://plimsoll.example/**', (route) => route.fulfill({
    path: join(site, new URL(route.request().url()).pathname), headers: { 'access-control-allow-origin': '*' },
    contentType: route.request().url().endsWith('.wasm') ? 'application/wasm' : 'text/javascript',
  }));
  await page.setContent(`<script type="module" src="https://plimsoll.example/plimsoll-element.mjs"></script><plimsoll-estimate ${llama}>…</plimsoll-estimate>`);
  await stands_there(page, plimsoll.estimate({ model: 'llama-3-8b', device: 'rtx4090', batch: 4 }));
  assert.ok(requests.includes('https://plimsoll.example/plimsoll-core.wasm'));
  assert.deepEqual(faults, []);
});

test('when the module cannot be loaded the fallback stays, scripts are told, and a connection mends it', async () => {
  const { page } = await new_page(browser);
  await writeFile(join(folder, 'page.html'), `<!doctype html><title>Docs</title>${module_tag}<plimsoll-estimate ${llama}><p id="fallback">About 20 GB.</p></plimsoll-estimate>`);
  await page.addInitScript(() => {
    globalThis.reasons = [];
    addEventListener('error', ({ detail }) => detail && globalThis.reasons.push(String(detail.reason)), true);
  });
  await page.route('**/plimsoll-core.wasm', (route) => route.abort());
  await page.goto(`${server.url}page.html`);
  await page.waitForFunction(() => globalThis.reasons.length > 0);
  assert.equal(await page.isVisible('#fallback'), true);
  await page.waitForTimeout(500);
  assert.equal(await page.evaluate(() => globalThis.reasons.length), 1, 'it does not try again and again');
  await page.unroute('**/plimsoll-core.wasm');
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await stands_there(page, plimsoll.estimate({ model: 'llama-3-8b', device: 'rtx4090', batch: 4 }));
});

test('slots, parts and a strict policy', async () => {
  const head = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; style-src 'self'; img-src 'self'"><link rel="stylesheet" href="own.css">`;
  await writeFile(join(folder, 'own.css'), 'plimsoll-estimate::part(verdict) { letter-spacing: 3px }');
  const { page, faults } = await open(`<plimsoll-estimate ${llama} page="plimsoll/"><span slot="title">Our server</span></plimsoll-estimate>`, { head });
  await until(() => shown(page), (text) => text.includes('to spare'), 'the estimate');
  assert.equal(await page.getByText('Our server').isVisible(), true);
  assert.equal(await page.getByText('Llama 3 8B on').isVisible(), false);
  const verdict = page.getByText('Fits.', { exact: true });
  assert.equal(await verdict.evaluate((element) => getComputedStyle(element).letterSpacing), '3px');
  const { query } = plimsoll.estimate({ model: 'llama-3-8b', device: 'rtx4090', batch: 4 });
  assert.equal(await page.getByRole('link', { name: 'Open in Plimsoll' }).evaluate((element) => element.href), `${server.url}plimsoll/?${query}`);
  assert.ok(await page.locator('[part=segment]').first().evaluate((element) => element.clientWidth) > 100, 'the bar has widths');
  assert.deepEqual(faults, []);
});

test('a page that is dark, by whatever means, has a dark element', async () => {
  const { page } = await open(`<div class="night"><style>.night { background: #111; color: #ddd; padding: 20px }</style><plimsoll-estimate ${llama}>…</plimsoll-estimate></div>`);
  await until(() => shown(page), (text) => text.includes('to spare'), 'the estimate');
  assert.deepEqual(await violations_on(page), [], 'too little contrast');
  await picture(page, 'element-dark');
});

test('within a sentence', async () => {
  const { page } = await open(`<p>Four at once? <plimsoll-estimate view="inline" ${llama}>Yes.</plimsoll-estimate></p>`);
  const answer = plimsoll.estimate({ model: 'llama-3-8b', device: 'rtx4090', batch: 4 });
  await until(() => shown(page), (text) => text === words_of(answer), 'the words');
  assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector('plimsoll-estimate')).display), 'inline');
});

test('without scripts the text inside the tag is the page', async () => {
  const { page } = await open(`<plimsoll-estimate ${llama}><p id="fallback">About 20 GB.</p></plimsoll-estimate>`, { javaScriptEnabled: false });
  assert.equal(await page.isVisible('#fallback'), true);
});

for (const [name, query, scheme] of [['light', '', 'light'], ['dark by the system', '', 'dark'], ['dark by its address', '#dark', 'light']]) {
  test(`the frame, ${name}`, async () => {
    const { page, faults } = await open(`<iframe src="plimsoll/embed.html?model=llama-3-8b&device=rtx4090&batch=4${query}" title="Llama" width="100%" height="340"></iframe>`, { colorScheme: scheme });
    const frame = page.frameLocator('iframe');
    await frame.getByText('to spare').first().waitFor();
    const answer = plimsoll.estimate({ model: 'llama-3-8b', device: 'rtx4090', batch: 4 });
    assert.equal(await frame.locator('[part=headline]').textContent(), words_of(answer));
    assert.equal(await frame.getByRole('link').getAttribute('target'), '_blank');
    const inside = page.frames()[1];
    assert.equal(await inside.evaluate(() => document.documentElement.scrollHeight <= innerHeight), true, 'the height that the app proposes is enough');
    assert.deepEqual(await violations_on(inside), []);
    const background = await inside.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.equal(background, name === 'light' ? 'rgb(255, 255, 255)' : 'rgb(23, 33, 43)');
    await picture(page, `frame-${name.replaceAll(' ', '-')}`);
    assert.deepEqual(faults, []);
  });
}

test('importing the element where there is no page does nothing', async () => {
  const { PlimsollEstimate } = await import(join(site, 'plimsoll-element.mjs'));
  assert.equal(typeof PlimsollEstimate, 'function');
});
