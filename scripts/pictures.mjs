// Draws the pictures that cannot be drawn by hand, from the site in build/site: the screenshots of the README, the picture that previews
// of links show, and the icons.
//
//   node scripts/pictures.mjs        writes docs/*.png, public/social.png and public/icon-*.png
//
// Needs build/native-release too, whose Python package draws its card.

import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { at_rest } from '../tests/web/page_actions.mjs';
import { launch_browser, open_page, repository, serve_site } from '../tests/web/support.mjs';

const mark = await readFile(join(repository, 'public/favicon.svg'), 'utf8');
const server = await serve_site();
const browser = await launch_browser();
try {
  await take_screenshot('screenshot.png', '?model=llama-3-8b&device=rtx4090&task=inference&context_tokens=8192&batch=4');
  await take_screenshot('training.png', '?task=pretrain&model=llama-3-70b&profile=megatron&tensor_parallel=8&sequence_parallel=1&pipeline_parallel=4&data_parallel=2&sharding=optimizer&context_tokens=8192&micro_batches=16');
  await take_screenshot('plan.png', '?task=finetune&model=llama-3-70b&context_tokens=8192&profile=megatron#tab=plan&objective=time&gpus=64', 1400);
  await draw_python_card('python-card.png');
  await draw('social.png', { width: 1200, height: 630 }, social_picture());
  for (const size of [192, 512]) await draw(`icon-${size}.png`, { width: size, height: size }, icon());
} finally {
  await browser.close();
  await server.close();
}

/** `link` is what stands behind the site's address. */
async function take_screenshot(name, link, height = 900) {
  const { page, close } = await open_page(browser, `${server.url}${link}`);
  await page.setViewportSize({ width: 1440, height });
  await page.waitForFunction(() => document.documentElement.dataset.view === 'canvas');
  await at_rest(page);
  await page.screenshot({ path: join(repository, 'docs', name) });
  await close();
}

/** What a notebook shows of an answer. */
async function draw_python_card(name) {
  const ask = 'import plimsoll; print(plimsoll.estimate("llama-3-8b", device="rtx4090", context_tokens=8192, batch=4)._repr_html_())';
  const card = execFileSync('python3', ['-c', ask], { encoding: 'utf8', env: { ...process.env, PYTHONPATH: join(repository, 'build/native-release/python') } });
  const page = await browser.newPage({ viewport: { width: 760, height: 480 } });
  await page.setContent(`<!doctype html><meta charset="utf-8"><main style="padding: 8px">${card}</main>`);
  await page.locator('main').screenshot({ path: join(repository, 'docs', name) });
  await page.close();
}

/** The page is shown at the site's own address, so that it may load the element. */
async function draw(name, viewport, body) {
  const page = await browser.newPage({ viewport, colorScheme: 'dark' });
  await page.route('**/picture.html', (route) => route.fulfill({ contentType: 'text/html', body: `<!doctype html><meta charset="utf-8">${body}` }));
  await page.goto(`${server.url}picture.html`);
  await page.waitForFunction(() => [...document.querySelectorAll('plimsoll-estimate')].every((one) => one.estimate));
  await writeFile(join(repository, 'public', name), await page.screenshot());
  await page.close();
}

function social_picture() {
  return `<style>
  body { margin: 0; padding: 52px 72px; background: #10171e; color: #e8eef2; font: 30px/1.4 Roboto, sans-serif; }
  h1 { display: flex; align-items: center; gap: 24px; margin: 0 0 6px; font-size: 64px; }
  h1 svg { width: 84px; }
  p { margin: 0 0 34px; color: #93a4b3; }
  plimsoll-estimate { zoom: 1.6; }
</style>
<h1>${mark}Plimsoll</h1>
<p>The GPU memory that a language model needs, every byte explained.</p>
<plimsoll-estimate loading="eager" model="llama-3-8b" device="rtx4090" batch="4"></plimsoll-estimate>
<script type="module" src="plimsoll-element.mjs"></script>`;
}

/** With a margin, because phones cut icons into shapes of their own. */
function icon() {
  return `<style>body { margin: 0; display: grid; place-content: center; height: 100vh; background: #10171e } svg { width: 68vw }</style>${mark}`;
}
