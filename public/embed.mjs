// The estimate in a frame of another page: embed.html?model=llama-3-8b&device=rtx4090 asks, #dark or #light says how it looks; without
// that, the frame follows the reader's system.

import { question_of } from './page/question.mjs';
import './plimsoll-element.mjs';

const element = document.getElementById('estimate');
const theme = location.hash.slice(1);
if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme;

element.addEventListener('estimate', ({ detail: { headline } }) => {
  document.title = `${headline.verdict} ${headline.rest} · Plimsoll`;
});
element.addEventListener('error', ({ detail: { reason } }) => {
  if (reason) console.error('Plimsoll: the estimator did not load.', reason);
});
element.setAttribute('query', question_of(location.search));
