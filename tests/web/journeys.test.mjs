// How many actions lead from the empty address to the right answer: a press, a text that is typed, a key, a paste are one each.
//
//   node --test tests/web/journeys.test.mjs     the counts stand behind the names

import assert from 'node:assert/strict';

import { at_rest, open_site, paste, query_of, state_of } from './page_actions.mjs';
import { until } from './support.mjs';
import { before, test } from './testing.mjs';

let site;
before(async () => { site = await open_site(); });

/** Somebody who has just come, and counts. */
async function visitor() {
  const { page, faults } = await site.open('');
  await until(() => page.evaluate(() => Boolean(globalThis.plimsoll?.app)), Boolean, 'the drawing runs');
  let actions = 0;
  const one = (act) => (...what) => { ++actions; return act(...what); };
  return {
    page, faults,
    count: () => actions,
    type: one((text) => page.keyboard.type(text)),
    key: one((name) => page.keyboard.press(name)),
    paste: one((text) => paste(page, text)),
    /** A button of the page, by what stands on it. */
    press: one((name) => page.getByRole('button', { name, exact: false }).first().click()),
    /** What a text left open, in the card that asks it: a door behind the card may have the same words. */
    choose: one((name) => page.locator('#notice').getByRole('button', { name }).first().click()),
    /** Something of the drawing, once it is there. */
    press_drawn: one(async (name) => {
      const { rects } = await until(() => state_of(page), (state) => state.rects[name], `${name} in the drawing`, 60_000);
      await at_rest(page);
      const [x, y, width, height] = (await state_of(page)).rects[name] ?? rects[name];
      await page.mouse.click(x + width / 2, y + height / 2, { delay: 40 });
    }),
    answer: async () => site.plimsoll.explain(query_of(page)),
    asks: (wanted) => until(() => query_of(page), (query) => wanted.every((entry) => query.split('&').includes(entry)), `the question has ${wanted.join(' and ')}`),
  };
}

const journeys = {
  async 'Qwen3 32B on a 24 GB card at 32k, which fits on that card'(someone) {
    await someone.type('Qwen3-32B on a 24 GB card at 32k');
    await someone.key('Enter');
    await someone.choose('GeForce RTX 4090 24GB');
    await someone.asks(['model=qwen3-32b', 'device=rtx4090', 'context_tokens=32768']);
    await someone.press_drawn('advice.0');
    await someone.asks(['device=rtx4090']);
    await until(async () => (await someone.answer()).estimate.fits, Boolean, 'it fits');
    assert.ok(query_of(someone.page).includes('model=qwen3-32b'));
    return 5;
  },
  async 'QLoRA of a 70B on two cards of 48 GB, which has an answer'(someone) {
    await someone.type('QLoRA 70B on 2 × 48 GB');
    await someone.key('Enter');
    await someone.choose('Llama 3.3 70B');
    await someone.choose('RTX A6000');
    await someone.asks(['model=llama-3.3-70b', 'device=a6000', 'method=lora', 'weight_dtype=nf4']);
    await someone.press_drawn('advice.0');
    await until(async () => (await someone.answer()).estimate.fits, Boolean, 'it fits');
    assert.ok(query_of(someone.page).includes('device=a6000'));
    return 6;
  },
  async '64 GPUs to pre-train on, with a file to hand over'(someone) {
    await someone.press('Plan and price a cluster');
    await someone.asks(['task=pretrain', 'model=llama-3-8b']);
    await someone.press_drawn('plan.row.0');
    const saved = someone.page.waitForEvent('download');
    await someone.press_drawn('button.export');
    await someone.press_drawn('export.markdown');
    assert.match((await saved).suggestedFilename(), /\.md$/);
    return 8;
  },
  async 'a command that is pasted'(someone) {
    await someone.paste('vllm serve Qwen/Qwen3-8B --max-model-len 16384 --tensor-parallel-size 2');
    await someone.asks(['model=qwen3-8b', 'profile=vllm', 'context_tokens=16384', 'tensor_parallel=2']);
    return 1;
  },
  async 'an element for a page of documentation'(someone) {
    await someone.type('Qwen3 8B on RTX 4090');
    await someone.key('Enter');
    await someone.asks(['model=qwen3-8b', 'device=rtx4090']);
    await someone.press(/^Embed$/); // widgets of the drawing have the letters in theirs
    await someone.press('Copy element');
    const copied = await until(() => someone.page.evaluate(() => navigator.clipboard.readText()), (text) => text.includes('<plimsoll-estimate'), 'the markup is copied');
    assert.match(copied, /model="qwen3-8b" device="rtx4090"/);
    return 4;
  },
};

for (const [name, walk] of Object.entries(journeys)) {
  test(name, async (context) => {
    const someone = await visitor();
    const most = await walk(someone);
    context.diagnostic(`${someone.count()} actions, at most ${most}`);
    assert.ok(someone.count() <= most, `${someone.count()} actions`);
    assert.deepEqual(someone.faults, []);
  });
}

test('what is nothing known is said, and nothing changes', async () => {
  const someone = await visitor();
  const query = query_of(someone.page);
  await someone.paste('lorem ipsum dolor sit amet');
  await until(() => someone.page.textContent('#notice'), (text) => text.includes('is not understood'), 'the notice says so');
  assert.equal(query_of(someone.page), query);
  await someone.paste('services:\n  web:\n    image: nginx');
  await until(() => someone.page.textContent('#notice'), (text) => text.includes('is not understood'), 'the notice says so');
});

test('a name, an address, a configuration and a link are questions too', async () => {
  for (const [text, entries] of [
    ['Qwen/Qwen3-32B', ['model=qwen3-32b']],
    ['https://huggingface.co/meta-llama/Llama-3.3-70B-Instruct', ['model=llama-3.3-70b']],
    ['llama-server -hf ggml-org/Qwen3-8B-GGUF:Q4_K_M -c 32768', ['profile=llama_cpp']],
    ['base_model: Qwen/Qwen2.5-7B\nload_in_4bit: true\nadapter: qlora\nlora_r: 16\nlora_target_linear: true\nsequence_len: 4096\nmicro_batch_size: 2\ngradient_accumulation_steps: 4\n', ['task=finetune', 'method=lora']],
    ['http://127.0.0.1/app/?model=qwen3-32b&device=rtx4090', ['model=qwen3-32b', 'device=rtx4090']],
  ]) {
    const someone = await visitor();
    await someone.paste(text);
    const choose = someone.page.locator('.notice .choices select');
    await until(async () => query_of(someone.page) || (await choose.count()), Boolean, text);
    if (await choose.count()) await choose.first().selectOption('rtx4090');
    await someone.asks(entries);
  }
});

test('what is asked before is a step back, and the site is not left', async () => {
  const { page } = await site.open('model=llama-3-8b&device=rtx4090');
  await new Promise((wake) => setTimeout(wake, 1800));
  await paste(page, 'Qwen3 8B on RTX 3090');
  await until(() => query_of(page), (query) => query.includes('model=qwen3-8b'), 'another question');
  await page.goBack();
  await until(() => query_of(page), (query) => query.includes('model=llama-3-8b'), 'the former question');
  await page.goForward();
  await until(() => query_of(page), (query) => query.includes('model=qwen3-8b'), 'and forth');
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press('Control+z');
  await until(() => query_of(page), (query) => query.includes('model=llama-3-8b'), 'undone');
  await page.keyboard.press('Control+z'); // nothing is left to undo: the page stays
  await page.keyboard.press('Control+Shift+z');
  await until(() => query_of(page), (query) => query.includes('model=qwen3-8b'), 'done again');
});
