// What is seen before the drawing: the answer as soon as there is one, and what is still being loaded.

import { by_id, h } from './element.mjs';

export function open_progress() {
  by_id('loading-step').hidden = false;
  return {
    show(answer) {
      by_id('loading-answer').textContent = answer.ok ? `${answer.headline.verdict} ${answer.headline.rest}` : '';
      by_id('loading-detail').textContent = answer.ok ? answer.headline.detail : '';
    },
    step(text) {
      by_id('progress-text').textContent = text;
      by_id('progress').value += 1;
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
