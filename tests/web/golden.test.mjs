// The page against the golden answers: text, drawing and core must all say what tests/golden/expected holds, so a formula that
// breaks breaks the page here, not only the numbers it is made from.

import assert from 'node:assert/strict';

import { assert_golden, digest, golden } from './golden.mjs';
import { open_site, state_of } from './page_actions.mjs';
import { until } from './support.mjs';
import { before, test } from './testing.mjs';

const chosen = ['serve_llama_3_8b_rtx4090', 'serve_llama_3_70b_overload', 'finetune_llama_3_8b_h100', 'issues_of_every_kind'];
const scenarios = golden.filter(({ name }) => chosen.includes(name));

let site;
before(async () => { site = await open_site(); });

test('the chosen scenarios exist', () => assert.equal(scenarios.length, chosen.length));

test('digests are FNV-1a of sixty-four bits, and one changed letter is refused', () => {
  const of = (text) => digest(new TextEncoder().encode(text));
  assert.deepEqual(['', 'a', 'foobar'].map(of), ['cbf29ce484222325', 'af63dc4c8601ec8c', '85944171f73967e8']);
  assert.throws(() => assert_golden(chosen[0], '{"ok":true}'), /serve_llama_3_8b_rtx4090/);
});

for (const { name, query } of scenarios) {
  test(`the page shows ${name}`, async () => {
    const { page, faults } = await site.open(query);
    await until(() => page.evaluate(() => globalThis.plimsoll !== undefined), Boolean, 'the page is ready');
    const answer = await page.evaluate((asked) => globalThis.plimsoll.explain_text(asked), query);
    assert_golden(name, answer);
    const expected = JSON.parse(answer);

    const text = await page.evaluate(() => document.getElementById('panel').textContent);
    for (const issue of expected.issues) assert.ok(text.includes(issue.message) && text.includes(issue.remedy), issue.field);
    if (expected.ok) {
      assert.ok(text.includes(expected.headline.detail));
      for (const part of expected.explanation.memory.parts) assert.ok(text.includes(part.exact), `${part.id} as text`);
      const state = await state_of(page);
      assert.equal(state.headline, `${expected.headline.verdict} ${expected.headline.rest}`, 'the drawing');
    }
    assert.deepEqual(faults, []);
  });
}
