// The question: inputs that are chosen, typed, put back and unfolded.

import { question } from '../../page_actions.mjs';
import { box, button, list, option, radio } from '../things.mjs';

const more_inputs = button('More inputs');

/** A phone's screen folds more of them. */
export async function unfold_more(reader) {
  if (await reader.look(more_inputs)) await reader.press(more_inputs);
}

export const asking = [
  {
    name: 'a device is searched in its list, and taken',
    at: { query: question, view: '' },
    does: (reader) => reader.choose(list('device'), option('H100 SXM'), 'h100 sxm'),
    asks: { device: 'h100-80-sxm' },
  },
  {
    name: 'a number is typed',
    does: (reader) => reader.fill(box('batch'), '8'),
    asks: { batch: '8' },
    sees: (reader) => reader.sees(box('batch'), ({ value }) => value === '8'),
  },
  {
    name: 'an input is put back',
    does: (reader) => reader.press(button('Reset batch')),
    asks: { batch: null },
    sees: (reader) => reader.gone(button('Reset batch')),
  },
  {
    name: 'folded inputs are unfolded',
    async does(reader) {
      await reader.press(button('More: Workload'));
      await unfold_more(reader);
      await reader.press(button('More: Parallelism')); // what divides one GPU by nothing
    },
    async sees(reader) {
      for (const name of ['prefill pass', 'tensor']) await reader.see(box(name));
    },
  },
  {
    name: 'a row of a list is taken without a search',
    does: (reader) => reader.choose(list('KV cache'), option('FP8')),
    asks: { kv_dtype: 'fp8' },
  },
  {
    name: 'another task is chosen, and the first again',
    async does(reader) {
      await reader.press(radio('Fine-tune'));
      await reader.sees(radio('Fine-tune'), (seen) => seen?.checked);
      await reader.press(radio('Serve'));
    },
    sees: (reader) => reader.sees(radio('Serve'), (seen) => seen?.checked),
  },
];
