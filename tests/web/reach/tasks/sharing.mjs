// What leaves the page and comes back to it: links, files, markup; and how the page itself looks.

import assert from 'node:assert/strict';

import { llama_config } from '../../llama_config.mjs';
import { question } from '../../page_actions.mjs';
import { box, button, element, link, menuitem } from '../things.mjs';

const formats = {
  'PNG of this window': ({ name, bytes }) => name.endsWith('.png') && bytes.subarray(1, 4).toString() === 'PNG',
  'SVG picture': ({ name, bytes }) => name.endsWith('.svg') && bytes.includes('<svg'),
  CSV: ({ name, bytes }) => name.endsWith('.csv') && bytes.includes('memory.kv_cache'),
  'Markdown table': ({ name, bytes }) => name.endsWith('.md') && bytes.includes('| KV cache'),
  JSON: ({ name, bytes }) => name.endsWith('.json') && JSON.parse(bytes).query === question,
};

export const sharing = [
  {
    name: 'the result is exported in every format',
    at: { query: question, view: '' },
    async does(reader) {
      const files = {};
      for (const format of Object.keys(formats)) {
        await reader.press(button('Export'));
        await reader.press(menuitem(format));
        files[format] = await reader.until(() => reader.machine.kept(), Boolean, format);
      }
      return files;
    },
    sees(reader, files) {
      for (const [format, holds] of Object.entries(formats)) assert.ok(holds(files[format]), `${format}: ${files[format].name}`);
    },
  },
  {
    name: 'an exported result is chosen as a file, and asks its question again',
    at: { query: 'model=llama-3-8b&device=h100-80-sxm&task=inference', view: '' },
    async does(reader) {
      await reader.machine.will_choose('kept.json', reader.plimsoll.result_file(question, 'json').text);
      await reader.press(link('read a model file'));
      await reader.press(button('Choose a file'));
    },
    asks: Object.fromEntries(new URLSearchParams(question)),
  },
  {
    name: 'a pasted config.json is imported',
    uses_clipboard: true,
    at: { query: question, view: '' },
    async does(reader) {
      await reader.press(link('read a model file'));
      await reader.paste(box('A config.json'), llama_config);
      await reader.press(button('Import'));
      await reader.find(button('Done'));
      await reader.rest(); // the dialog has the size of what it says
      await reader.press(button('Done'));
    },
    elsewhere: true,
    sees: (reader) => reader.gone(button('Done')),
  },
  {
    name: 'the link is copied, on a phone shared',
    uses_clipboard: true,
    at: { query: question, view: 'tab=sources' },
    does: async (reader) => reader.press(await reader.look(button('Share')) ? button('Share') : button('Copy link')),
    sees: (reader) => reader.has_link(),
  },
  {
    name: 'it is made dark, and light again',
    async does(reader) {
      await reader.press(button('Dark'));
      await reader.is_dark(true);
      await reader.press(button('Light'));
    },
    sees: (reader) => reader.is_dark(false),
  },
  {
    name: 'the result is read as text beside the drawing',
    at: { query: question, view: '', afresh: true }, // the link that skips the drawing is the first stop of a page
    does: (reader) => reader.press(reader.hand.skips ? element('#skip') : element('#toggle-panel')),
    sees: (reader) => reader.until(() => reader.page(), ({ panel }) => panel === 'open', 'the text'),
  },
  {
    name: 'the text is put away',
    does: (reader) => reader.press(element('#close-panel')),
    sees: (reader) => reader.until(() => reader.page(), ({ panel }) => panel === 'closed', 'the drawing alone'),
  },
  {
    name: 'markup to embed is copied',
    uses_clipboard: true,
    async does(reader) {
      await reader.press(element('#embed'));
      await reader.press(element('#copy-embed-frame'));
    },
    sees: (reader) => reader.has_copied('embed.html?'),
  },
  {
    name: 'and its dialog is closed',
    does: (reader) => reader.press(element('.embed-close')),
    sees: (reader) => reader.gone(element('#copy-embed-frame')),
  },
];
