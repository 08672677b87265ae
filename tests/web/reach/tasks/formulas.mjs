// A number, wherever it stands, opens its formula; from there to its source, to the input that it comes from, and to other frameworks.

import assert from 'node:assert/strict';

import { question } from '../../page_actions.mjs';
import { box, button, in_bar, in_tree, in_treemap, link, radio, tab } from '../things.mjs';

const opens = (component) => async (reader) => {
  await reader.until(() => reader.state(), ({ selected, drawn }) => selected === component && drawn.includes('card'), `the formula of ${component}`);
};

export const formulas = [
  {
    name: 'a formula is opened from the bar',
    at: { query: question, view: '' },
    does: (reader) => reader.press(in_bar('KV cache')),
    shows: { open: 'memory.kv_cache' },
    sees: opens('memory.kv_cache'),
  },
  {
    name: 'a symbol of the formula leads to its input',
    does: (reader) => reader.press(button('sequences')),
    sees: (reader) => reader.sees(box('batch'), (seen) => seen?.active),
  },
  {
    name: 'a formula is opened from the treemap',
    does: (reader) => reader.press(in_treemap('MLP')),
    shows: { open: 'memory.weights.mlp' },
    sees: opens('memory.weights.mlp'),
  },
  {
    name: 'the source of a formula is opened',
    does: (reader) => reader.press(link('open source')),
    sees: (reader) => reader.until(() => reader.page(), ({ opened }) => opened.startsWith('https://'), 'its address'),
  },
  {
    name: 'a formula is opened from the tree, and its parts are unfolded',
    does: (reader) => reader.press(in_tree('Weights')),
    shows: { open: null },
    async sees(reader) {
      await opens('memory.weights')(reader);
      await reader.sees(in_tree('Weights'), ({ expanded, selected }) => expanded && selected);
      await reader.see(in_tree('MLP'));
    },
  },
  {
    name: 'the tree is sorted by size, and put in order again',
    async does(reader) {
      const names = async () => (await reader.names('treeitem')).map((name) => name.split(':')[0]);
      await reader.press(button('largest first'));
      await reader.sees(button('in order'));
      const sorted = await names();
      await reader.press(button('in order'));
      await reader.sees(button('largest first'));
      return [sorted, await names()];
    },
    sees(reader, [sorted, in_order]) {
      const parts = ['Token embedding', 'Attention', 'MLP'];
      const order = (names) => names.filter((name) => parts.includes(name)).slice(0, parts.length);
      assert.deepEqual([order(sorted), order(in_order)], [['MLP', 'Attention', 'Token embedding'], parts]);
    },
  },
  {
    name: 'a number is followed into another framework',
    does: (reader) => reader.press(button('llama.cpp, 14.0 GiB')),
    asks: { profile: 'llama_cpp' },
    sees: (reader) => reader.sees(in_tree('Weights'), ({ name }) => name.startsWith('Weights: 14.0 GiB')),
  },
  {
    name: 'a formula is opened from the timeline, of the moment that is pressed',
    async does(reader) {
      await reader.press(tab('Timeline'));
      await reader.press(radio('decode'));
    },
    shows: { tab: 'timeline', moment: 'decode' },
    async sees(reader) {
      await reader.sees(radio('decode'), ({ checked }) => checked);
      await reader.until(() => reader.state(), ({ drawn }) => drawn.includes('card'), 'the card');
    },
  },
  {
    name: 'and back to the peak',
    does: (reader) => reader.press(link('show the peak')),
    shows: { moment: null },
  },
];
