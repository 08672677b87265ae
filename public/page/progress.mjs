// What is seen before the drawing: the answer as soon as there is one, and what is still being loaded.

import { is_empty_address } from './address.mjs';
import { by_id, h } from './element.mjs';

export function open_progress() {
  by_id('loading-step').hidden = false;
  const bar = by_id('progress'), text = by_id('progress-text');
  let doing = text.textContent, steps = 0;
  const came = { first: 0, answers: 0 };
  const write = (part) => {
    text.textContent = part > 0 ? `${doing}, ${Math.floor(100 * part)} %` : doing;
    bar.value = steps + part;
  };
  /** `count` bytes of what is being loaded have come: "estimator" or "drawing", whose sizes stand in the page. */
  const bytes = (what, count) => {
    const all = Number(bar.dataset[what]);
    if (all > 0) write(Math.min(1, count / all));
  };
  const is_example = is_empty_address();
  if (is_example) for (const id of ['loading-answer', 'loading-detail']) by_id(id).textContent = by_id(id).dataset.example ?? '';
  return {
    show(answer) {
      if (is_example) return; // it stands there already
      by_id('loading-answer').textContent = answer.ok ? `${answer.headline.verdict} ${answer.headline.rest}` : '';
      by_id('loading-detail').textContent = answer.ok ? answer.headline.detail : '';
    },
    bytes,
    /** Unpacked, of the estimator's first file. */
    size_of_first: () => Number(bar.dataset.first),
    /** Of the estimator's "first" file, or of its "answers". */
    bytes_of_estimator(count, file) {
      came[file] = count;
      bytes('estimator', came.first + came.answers);
    },
    step(next) {
      [doing, steps] = [next, steps + 1];
      write(0);
    },
    /** Without the core there is nothing to show: say so, and what can be done. */
    fail(reason) {
      console.error('Plimsoll: the estimator did not load.', reason);
      document.documentElement.dataset.view = 'failed';
      by_id('headline').textContent = 'The estimator could not be loaded.';
      by_id('loading-step').replaceChildren(
        h('p', { role: 'alert' }, h('strong', {}, 'The estimator could not be loaded.'),
          ' It needs a browser with WebAssembly and a connection for the first visit. ',
          h('a', { href: '' }, 'Try again')));
    },
  };
}
