// A report of one scenario is one sheet, whatever it is about, and says what the command line says. What the page itself prints is in
// screens.test.mjs: all of it, opened.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';

import { cli, launch_browser, load_core, must_exist, new_page } from './support.mjs';
import { before, test } from './testing.mjs';

let browser, plimsoll;

before(async () => {
  must_exist(cli, 'build the preset native-release, or set CLI');
  browser = await launch_browser();
  plimsoll = await load_core();
});

const scenarios = [
  'model=llama-3-8b&device=rtx4090&context_tokens=8192&batch=4',
  'model=llama-3-70b&task=finetune&device=h100-80-sxm&tensor_parallel=8',
  'model=deepseek-v3-671b&device=h200-141-sxm&profile=vllm&tensor_parallel=8&pipeline_parallel=2',
  'model=llama-3-8b&task=pretrain&device=h100-80-sxm&data_parallel=8&pipeline_parallel=4&sharding=optimizer',
];

const printed = (...words) => spawnSync(cli, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).stdout;
const sheets_of = (pdf) => pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g).length;

for (const query of scenarios) {
  test(`one sheet: ${query}`, async () => {
    const { page, faults, requests } = await new_page(browser, { viewport: { width: 800, height: 1000 } });
    await page.setContent(printed('report', query));
    const { headline } = plimsoll.estimate(query);
    const text = await page.locator('body').innerText();
    assert.ok(text.includes(headline.verdict) && text.includes(headline.detail));
    assert.equal(sheets_of(await page.pdf({ format: 'A4', printBackground: true, preferCSSPageSize: true })), 1);
    assert.deepEqual([faults, requests ?? []], [[], []]);
  });
}

test('card and badge are pictures that a browser draws', async () => {
  const { page } = await new_page(browser, { viewport: { width: 1000, height: 700 } });
  for (const [command, width, height] of [['card', 960, 540], ['badge', 375, 20]]) {
    const svg = printed(command, scenarios[0]);
    await page.setContent(`<img alt="" src="data:image/svg+xml,${encodeURIComponent(svg)}">`);
    const size = await page.evaluate(async () => { const image = document.images[0]; await image.decode(); return [image.naturalWidth, image.naturalHeight]; });
    assert.deepEqual(size, [width, height]);
  }
});

test('a question with errors has no picture, and says why', () => {
  for (const command of ['badge', 'card', 'report']) {
    const { status, stdout, stderr } = spawnSync(cli, [command, 'model=lama&device=rtx4090'], { encoding: 'utf8' });
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, /Did you mean/);
  }
  assert.match(execFileSync(cli, ['badge', '--model', 'llama-3-8b', '--device', 'rtx4090'], { encoding: 'utf8' }), /^<svg /);
});
