// Does tasks one after the other, and looks whether everything that shows the state agrees after each.

import assert from 'node:assert/strict';

import { headline } from '../page_actions.mjs';
import { subtest } from '../testing.mjs';
import { tasks } from './tasks.mjs';

const address_written_ms = 400; // public/page/address.mjs waits less before it writes a change into the address
const most_failures = 3; // then something is wrong with all of them, and patience with the rest is in vain

/** One test for each task, all on one page: of the series that `chosen` keeps by their number, each of which begins at an address of its own. */
export async function do_all(context, reader, chosen = () => true) {
  let address = null, lost = true; // lost: nobody knows what the last task left open
  let failures = 0;
  let series = -1;
  for (const task of tasks) {
    if (task.at) ++series;
    if (!chosen(task, series)) continue;
    const start = task.at ? canonical(reader, task.at) : address;
    address = edited(reader, start, task);
    await subtest(context, task.name, async () => {
      assert.ok(failures < most_failures, `not tried: ${failures} tasks before it failed`);
      ++failures;
      if (lost || task.at?.afresh) await reader.visit(start.query, start.view);
      else if (!is_at(start, await reader.page())) await reader.recall(start.query, start.view);
      lost = true;
      await (task.uses_clipboard ? reader.machine.with_clipboard(do_and_look) : do_and_look());
      lost = false;
      --failures;
    });

    async function do_and_look() {
      const done = await task.does(reader);
      if (task.elsewhere) address = await elsewhere(reader, start);
      await reader.until(() => reader.page(), (page) => is_at(address, page) && agrees(reader, page), `${address.query}#${address.view}`);
      await task.sees?.(reader, done);
    }
  }
}

const canonical = ({ plimsoll }, { query, view }) => ({ query: plimsoll.estimate(query).query, view });

function edited(reader, { query, view }, { asks = {}, shows = {} }) {
  const edit = (text, changes) => {
    const words = new URLSearchParams(text);
    for (const [name, value] of Object.entries(changes)) value === null ? words.delete(name) : words.set(name, value);
    return words.toString();
  };
  return canonical(reader, { query: edit(query, asks), view: edit(view, shows) });
}

async function elsewhere(reader, start) {
  await reader.until(() => reader.page(), (page) => page.query !== start.query, 'another question');
  let before = '';
  return reader.until(async () => {
    await reader.rest();
    await new Promise((wake) => setTimeout(wake, address_written_ms)); // the view follows
    const { query, view } = await reader.page();
    const settled = `${query}#${view}` === before;
    before = `${query}#${view}`;
    return settled && { query, view };
  }, Boolean, 'a view that stays');
}

const sorted = (text) => [...new URLSearchParams(text)].map(([name, value]) => `${name}=${value}`).sort().join('&');
const is_at = (address, page) => page.drawing !== null && page.query === address.query && sorted(page.view) === sorted(address.view);

/** The text and the drawing answer the question of the address. */
const agrees = ({ plimsoll }, { query, headline: text, drawing }) => drawing === query && text === headline(plimsoll, query);
