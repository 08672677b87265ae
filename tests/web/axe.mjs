// The rules of WCAG 2.1 A and AA that a program can check, with axe-core.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const source = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Each violation as one line: rule, element, reason. Evaluated by the test's own tool, which the page's policy does not bind. */
export async function violations_on(page) {
  await page.evaluate(source);
  return page.evaluate(async () => {
    const { violations } = await globalThis.axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] });
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 120)}: ${node.failureSummary}`));
  });
}
