// The answer in a sentence, above everything else and before it.

import { by_id, h } from './element.mjs';

export function open_headline() {
  let was_shown = false; // an estimate, which then stays below while the question has errors
  const show = (answer) => {
    by_id('headline').replaceChildren(...words_of(answer));
    by_id('detail').textContent = answer.ok ? answer.headline.detail : 'What stands below is the last estimate that could be made.';
    by_id('detail').hidden = !answer.ok && !was_shown;
    was_shown ||= answer.ok;
  };
  return { show, words: () => by_id('headline').textContent };
}

function words_of(answer) {
  if (!answer.ok) return [h('span', { class: 'verdict over' }, 'No estimate.')];
  const { headline, estimate } = answer;
  return [h('span', { class: `verdict ${estimate.fits ? (estimate.verdict.tight ? 'tight' : 'fits') : 'over'}` }, headline.verdict), ` ${headline.rest}`];
}
