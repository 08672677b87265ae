// What is wrong or does not fit, and the changes that are offered for it.

import { question } from '../../page_actions.mjs';
import { unfold_more } from './asking.mjs';
import { box, button, list, option } from '../things.mjs';

export const mending = [
  {
    name: 'a remedy of a bad entry is pressed',
    at: { query: question, view: '', afresh: true }, // from the end of the page Shift and Tab lead back to the drawing, but not on inside it
    async does(reader) {
      await unfold_more(reader);
      await reader.press(button('More: Parallelism'));
      await reader.fill(box('tensor'), '3');
      await reader.sees(box('tensor'), ({ invalid }) => invalid);
      await reader.press(button('Use tensor: 4'));
    },
    asks: { tensor_parallel: '4' },
  },
  {
    name: 'a model that does not fit is taken, and then the advice',
    at: { query: question, view: '' },
    async does(reader) {
      await reader.choose(list('model'), option('Llama 3 70B'), 'llama-3-70b');
      await reader.until(() => reader.state(), ({ drawn }) => drawn.includes('advice.0'), 'advice');
      await reader.press(button((await reader.names('button')).find((name) => name.includes('fits with'))));
    },
    elsewhere: true,
    sees: (reader) => reader.until(() => reader.page(), ({ headline }) => headline.startsWith('Fits'), 'it fits'),
  },
];
