// Questions beside each other.

import { question } from '../../page_actions.mjs';
import { box, button, radio, tab } from '../things.mjs';

export const comparing = [
  {
    name: 'a question is pinned',
    at: { query: question, view: '' },
    async does(reader) {
      await reader.press(tab('Compare'));
      await reader.press(button('Pin this question'));
    },
    shows: { tab: 'compare', pin1: question },
    sees: (reader) => reader.gone(button('Pin this question')),
  },
  {
    name: 'a change is compared with it',
    does: (reader) => reader.fill(box('batch'), '3'),
    asks: { batch: '3' },
    sees: (reader) => reader.until(() => reader.state(), ({ drawn }) => drawn.includes('compare.memory.kv_cache'), 'the differences'),
  },
  {
    name: 'the pinned question is opened again',
    does: (reader) => reader.press(button('open')),
    asks: { batch: '4' },
  },
  {
    name: 'the pin is removed',
    does: (reader) => reader.press(button('remove')),
    shows: { pin1: null },
    sees: (reader) => reader.sees(button('Pin this question')),
  },
  {
    name: 'a stage of a pipeline is looked at',
    at: { query: 'model=llama-3-8b&device=h100-80-sxm&task=pretrain&tensor_parallel=2&pipeline_parallel=4', view: '' },
    does: (reader) => reader.press(radio('Pipeline rank 2')),
    shows: { rank: '2' },
  },
];
