// Draws the states of the screen for docs/states.md: each in the light, in the dark and on a phone, beside each other in one picture.
//
//   node scripts/states.mjs            writes docs/states/*.jpg and docs/states.md, from the site in build/site
//   node scripts/states.mjs NAME...    those pictures whose names begin so

import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { at_rest, open_text, paste } from '../tests/web/page_actions.mjs';
import { launch_browser, open_page, repository, serve_site } from '../tests/web/support.mjs';

const folder = join(repository, 'docs/states');
const looks = [
  { viewport: { width: 1440, height: 900 } },
  { viewport: { width: 1440, height: 900 }, dark: true },
  { viewport: { width: 390, height: 844 }, hasTouch: true },
];
const height = 620; // of a picture, in pixels

const fits = '?model=llama-3-8b&device=rtx4090&context_tokens=8192&batch=4';
const engine = '?model=qwen3-32b&device=h100-80-sxm&profile=vllm&tensor_parallel=2&context_tokens=16384&batch=8';
const holds_fewer = '?model=llama-3.1-8b&device=rtx4090&profile=vllm&context_tokens=8192&batch=12';
const perhaps = '?model=llama-3-8b&device=h100-80-sxm&task=finetune';
const over = '?model=qwen3-32b&device=rtx4090&context_tokens=32768';
const adapters = '?model=llama-3.3-70b&device=a6000&task=finetune&method=lora&weight_dtype=nf4&data_parallel=2&sharding=parameters&recompute=full';
const pipeline = '?model=llama-3-70b&device=h100-80-sxm&task=pretrain&profile=megatron&tensor_parallel=8&sequence_parallel=1&pipeline_parallel=4&data_parallel=2&sharding=optimizer&micro_batches=16';
const job = '?model=llama-3-8b&device=h100-80-sxm&task=pretrain&data_parallel=16&micro_batches=16&train_tokens=1T';
const load = '?model=llama-3.1-8b&device=h100-80-sxm&profile=vllm&prompt_tokens=1024&answer_tokens=256&concurrency=32';
const no_webgl = () => { HTMLCanvasElement.prototype.getContext = () => null; };

const press = (name) => async (page) => {
  const rect = await page.evaluate((id) => globalThis.plimsoll.app.state().rects[id], name);
  if (!rect) return; // the screen of a phone need not show it
  await page.mouse.click(rect[0] + rect[2] / 2, rect[1] + rect[3] / 2);
};

/** [name, what one sees, address, {before, act, text: there is no drawing}] */
const states = [
  ['start', 'Nobody has asked for anything: three doors, a line that takes whatever one has', ''],
  ['start-line', 'A line that leaves something open: what is asked back', '', { act: (page) => paste(page, 'QLoRA 70B on 2 × 48 GB') }],
  ['start-nonsense', 'A line that is nothing known', '', { act: (page) => paste(page, 'lorem ipsum dolor') }],
  ['fits', 'It fits', fits],
  ['engine', 'An engine with a budget of its own: does it start, and how many does it hold', engine],
  ['holds-fewer', 'It starts and holds fewer than asked', holds_fewer],
  ['perhaps', 'The likely range crosses the line', perhaps],
  ['over', 'It does not fit: the least change first', over],
  ['adapters', 'Adapters on a quantised model', adapters],
  ['pipeline', 'A cluster: the fullest GPU of each stage', pipeline],
  ['picker', 'A picker is open', fits, { act: press('field.device') }],
  ['timeline', 'Memory over a step', `${pipeline}#tab=timeline`],
  ['time', 'Time of a job', `${job}#tab=time`],
  ['load', 'A server under load', `${load}#tab=time`],
  ['devices', 'Devices and instances that run it, with price and speed', `${engine}#tab=devices`],
  ['plan', 'Plans for a number of GPUs', `${pipeline}#tab=plan&objective=time&gpus=64`],
  ['compare', 'Two questions beside each other', `${fits}#tab=compare&pin1=${encodeURIComponent('model=llama-3-8b&device=rtx3090')}`],
  ['sources', 'Where the numbers come from', `${fits}#tab=sources`],
  ['accuracy', 'What was measured', `${fits}#tab=accuracy`],
  ['fields', 'Every input', `${fits}#tab=fields`],
  ['text', 'The text beside the drawing', fits, { act: open_text }],
  ['command', 'A pasted command that was read, with what was not understood', fits, { act: (page) => paste(page, 'vllm serve Qwen/Qwen3-8B --max-model-len 16384 --no-such-option 4') }],
  ['embed', 'Markup to copy', fits, { act: (page) => page.click('#embed') }],
  ['error', 'An entry that cannot be', '?model=llama-3-8b&batch=many'],
  ['unknown', 'A model that nobody knows', '?model=llama-9-8b&device=rtx4090'],
  ['no-webgl', 'No WebGL 2: the text is the page', fits, { before: no_webgl, text: true }],
];

const chosen = process.argv.slice(2);
const is_chosen = (name) => chosen.length === 0 || chosen.some((begin) => name.startsWith(begin));

await mkdir(folder, { recursive: true });
for (const file of await readdir(folder)) if (!states.some(([name]) => file === `${name}.jpg`)) await rm(join(folder, file));
const server = await serve_site();
const browser = await launch_browser();
try {
  for (const state of states) if (is_chosen(state[0])) await draw(state);
} finally {
  await browser.close();
  await server.close();
}
await writeFile(join(repository, 'docs/states.md'), text_of(states));

async function draw([name, , address, { before, act, text } = {}]) {
  const pictures = [];
  for (const look of looks) {
    const { page, close } = await open_page(browser, `${server.url}${address}`, { ...look, reducedMotion: 'reduce', before });
    await page.waitForFunction((shows) => document.documentElement.dataset.view === shows, text ? 'text' : 'canvas');
    if (!text) await at_rest(page);
    await act?.(page);
    if (!text) await at_rest(page);
    pictures.push(`data:image/png;base64,${(await page.screenshot({ animations: 'disabled' })).toString('base64')}`);
    await close();
  }
  const width = looks.reduce((sum, { viewport }) => sum + Math.ceil((viewport.width / viewport.height) * height) + 8, -8);
  const page = await browser.newPage({ viewport: { width, height } });
  await page.setContent(`<style>body { margin: 0; display: flex; gap: 8px; background: #888 } img { height: ${height}px }</style>${pictures.map((one) => `<img src="${one}">`).join('')}`);
  await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode())));
  await page.screenshot({ path: join(folder, `${name}.jpg`), type: 'jpeg', quality: 72 });
  await page.close();
}

function text_of(all) {
  const rows = all.map(([name, what]) => `## ${what}\n\n![${what}, in the light, in the dark and on a phone](states/${name}.jpg)\n`);
  return `# States of the screen\n\nEach in the light, in the dark and on a phone. Drawn by \`node scripts/states.mjs\`.\n\n${rows.join('\n')}`;
}
