// The views: every tab, what stands at its end, and what can be searched and pressed in it.

import { question } from '../../page_actions.mjs';
import { box, button, link, list, option, tab } from '../things.mjs';

const tabs = { Timeline: 'timeline', 'Time and cost': 'time', Plan: 'plan', Compare: 'compare', Accuracy: 'accuracy', Sources: 'sources', Fields: 'fields', Breakdown: 'breakdown' };

export const looking = [
  {
    name: 'every tab is opened',
    at: { query: question, view: '' },
    async does(reader) {
      for (const [name, id] of Object.entries(tabs)) {
        await reader.press(tab(name));
        await reader.until(() => reader.state(), (state) => state.tab === id, name);
        await reader.sees(tab(name), ({ selected }) => selected);
      }
    },
  },
  {
    name: 'a part of the time is pressed',
    async does(reader) {
      await reader.press(tab('Time and cost'));
      await reader.press(button('GEMMs,'));
    },
    shows: { tab: 'time', open: 'time.matrices.step' },
  },
  {
    name: 'what a tab shows further down is scrolled to',
    async does(reader) {
      await reader.press(tab('Fields'));
      await reader.see(link('draft_tokens'));
    },
    shows: { tab: 'fields' },
  },
  {
    name: 'the reference of inputs is searched, and leads to one',
    async does(reader) {
      await reader.fill(box('Search all inputs'), 'one replica');
      await reader.gone(link('model'));
      await reader.press(link('batch'));
    },
    sees: (reader) => reader.sees(box('batch'), ({ active }) => active),
  },
  {
    name: 'what was measured is filtered and sorted',
    async does(reader) {
      await reader.press(tab('Accuracy'));
      await reader.until(() => reader.state(), ({ evidence_rows }) => evidence_rows > 0, 'the rows');
      await reader.choose(list('rows in'), option('tokens/s'));
      await reader.fill(box('Find rows'), 'llama');
      await reader.press(button('name'));
    },
    shows: { tab: 'accuracy', unit: 'tokens/s', find: 'llama', order: 'id' },
  },
  {
    name: 'the scenario of a row is opened',
    does: async (reader) => reader.press(button((await reader.names('button')).find((name) => /^[+-][0-9.]+ %/.test(name)))),
    elsewhere: true,
  },
  {
    name: 'a plan is searched, and a way is taken',
    at: { query: question, view: '' },
    async does(reader) {
      await reader.press(tab('Plan'));
      await reader.press(button('Search'));
      await reader.until(() => reader.state(), ({ drawn }) => drawn.includes('plan.row.0') && !drawn.includes('plan.stop'), 'the search is over');
      await reader.press(button((await reader.names('button')).find((name) => /to spare/i.test(name))));
    },
    elsewhere: true,
  },
];
