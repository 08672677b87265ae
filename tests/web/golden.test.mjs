// The page against the golden files: text, drawing and core must all say what tests/golden/expected holds, so a formula that
// breaks breaks the page here, not only the numbers it is made from.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { open_site, state_of } from './page_actions.mjs';
import { repository, until } from './support.mjs';

const folder = join(repository, 'tests/golden');
const chosen = ['serve_llama_3_8b_rtx4090', 'serve_llama_3_70b_overload', 'finetune_llama_3_8b_h100', 'issues_of_every_kind'];
const lines = readFileSync(join(folder, 'scenarios.txt'), 'utf8').split('\n').filter((line) => line.trim() !== '');
const scenarios = lines.map((line) => line.split(' ')).filter(([name]) => chosen.includes(name));

let site;
before(async () => { site = await open_site(); });
after(() => site?.close());

test('the chosen scenarios exist', () => assert.equal(scenarios.length, chosen.length));

for (const [name, query] of scenarios) {
  test(`the page shows ${name}`, async () => {
    const bytes = readFileSync(join(folder, 'expected', `${name}.json`), 'utf8').trimEnd();
    const expected = JSON.parse(bytes);
    const { page, faults, close } = await site.open(query);
    await until(() => page.evaluate(() => globalThis.plimsoll !== undefined), Boolean, 'the page is ready');
    assert.equal(await page.evaluate((asked) => globalThis.plimsoll.explain_text(asked), query), bytes);

    const text = await page.evaluate(() => document.getElementById('panel').textContent);
    for (const issue of expected.issues) assert.ok(text.includes(issue.message) && text.includes(issue.remedy), issue.field);
    if (expected.ok) {
      assert.ok(text.includes(expected.headline.detail));
      for (const part of expected.explanation.memory.parts) assert.ok(text.includes(part.exact), `${part.id} as text`);
      const state = await state_of(page);
      assert.equal(state.headline, `${expected.headline.verdict} ${expected.headline.rest}`, 'the drawing');
    }
    assert.deepEqual(faults, []);
    await close();
  });
}
