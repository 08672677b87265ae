// The page with its drawing, the element and the frame in Debian's Firefox, and what is left without a network.

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { open_firefox } from './firefox.mjs';
import { headline, question } from './page_actions.mjs';
import { load_core, repository, serve_own_site, until } from './support.mjs';
import { before, test } from './testing.mjs';

// keys as WebDriver names them
const [Enter, Escape] = ['\uE007', '\uE00C'];

let firefox, server, plimsoll;
before(async () => {
  server = await serve_own_site();
  plimsoll = await load_core();
  firefox = await open_firefox();
});

const is_ready = () => firefox.run(() => document.documentElement.dataset.view);
const headline_here = () => firefox.run(() => document.getElementById('headline').textContent);
const opened = () => until(is_ready, (view) => view === 'canvas', 'the drawing', 30_000);

async function keep_picture(name) {
  const folder = join(repository, 'build/artefacts');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `firefox-${name}.png`), await firefox.picture());
}

test('a link opens the result, and the form changes it by keyboard', async () => {
  await firefox.go(`${server.url}?${question}`);
  await opened();
  assert.equal(await headline_here(), headline(plimsoll, question));
  assert.equal(await firefox.run(() => globalThis.plimsoll.app.state().ok), true);
  await keep_picture('page');
  await firefox.run(() => {
    document.getElementById('toggle-panel').click();
    document.getElementById('question').open = true;
    document.getElementById('field-batch').focus();
    document.getElementById('field-batch').select();
  });
  await firefox.keys('2');
  await until(headline_here, (text) => text === headline(plimsoll, question.replace('batch=4', 'batch=2')), 'the headline');
  await until(() => firefox.run(() => location.search), (search) => search.includes('batch=2'), 'the address');
});

test('another model is found by typing, and markup to copy is offered', async () => {
  await firefox.go(`${server.url}?${question}`);
  await opened();
  await firefox.run(() => {
    document.getElementById('toggle-panel').click();
    document.getElementById('question').open = true;
    document.getElementById('field-model').focus();
  });
  await firefox.keys('qwen2.5-7b');
  await firefox.keys(Enter);
  const changed = question.replace('llama-3-8b', plimsoll.search_models('qwen2.5-7b')[0]);
  await until(headline_here, (text) => text === headline(plimsoll, changed), 'the headline');
  await firefox.run(() => document.getElementById('embed').focus());
  await firefox.keys(Enter);
  const frame = await until(() => firefox.run(() => document.getElementById('embed-dialog').open && document.getElementById('embed-frame').value), Boolean, 'the dialog');
  assert.ok(frame.includes(`${server.url}embed.html?model=qwen2.5-7b`), frame);
  await firefox.keys(Escape);
  assert.equal(await firefox.run(() => document.getElementById('embed-dialog').open), false);
});

test('the element and the frame show the numbers', async () => {
  const words = headline(plimsoll, 'model=llama-3-8b&device=rtx4090&batch=4');
  const here = () => firefox.run(() => document.querySelector('plimsoll-estimate')?.shadowRoot?.querySelector('[part=headline]')?.textContent ?? '');
  await firefox.go(`${server.url}embedding.html`);
  await firefox.run(() => document.querySelector('plimsoll-estimate').scrollIntoView());
  await until(here, (text) => text === words, 'the element');
  await keep_picture('element');
  await firefox.go(`${server.url}embed.html?${question}`);
  await until(here, (text) => text === words, 'the frame');
});

test('without a server the page is still there', async () => {
  await firefox.go(`${server.url}?${question}`);
  await opened();
  await firefox.run(async () => { await navigator.serviceWorker.ready; });
  await server.close();
  await firefox.go(`${server.url}?model=llama-3-70b&device=h100-80-sxm`);
  await opened();
  assert.equal(await headline_here(), headline(plimsoll, 'model=llama-3-70b&device=h100-80-sxm'));
});
