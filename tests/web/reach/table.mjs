// Does tasks one after the other, and looks whether everything that shows the state agrees after each.

import { test } from 'node:test';

import { headline } from '../page_actions.mjs';
import { tasks } from './tasks.mjs';

/** One test for each task, all on one page. `lacks(task)`: the reason why this hand cannot do it here, or nothing. */
export function all_tasks(plimsoll, make_reader, lacks = () => '') {
  return async (context) => {
    const reader = await make_reader();
    let address = null, lost = true; // lost: nobody knows what the last task left open
    for (const task of tasks) {
      const start = task.at ? canonical(plimsoll, task.at) : address;
      const reason = lacks(task, reader);
      if (reason) {
        await context.test(task.name, { skip: reason });
        address = start;
        continue;
      }
      await context.test(task.name, async () => {
        address = { ...start, ...edited(plimsoll, start, task) };
        if (lost || !is_at(start, await reader.page())) await reader.visit(start.query, start.view);
        lost = true;
        const done = await task.does(reader);
        if (task.elsewhere) address = await elsewhere(reader, start);
        const expected = address;
        await reader.until(() => reader.page(), (page) => is_at(expected, page) && agrees(plimsoll, page), `${expected.query}#${expected.view}`);
        await task.sees?.(reader, done);
        lost = false;
      });
    }
    await reader.machine.close();
  };
}

const canonical = (plimsoll, { query, view }) => ({ query: plimsoll.estimate(query).query, view });

function edited(plimsoll, { query, view }, { asks = {}, shows = {} }) {
  const edit = (text, changes) => {
    const words = new URLSearchParams(text);
    for (const [name, value] of Object.entries(changes)) value === null ? words.delete(name) : words.set(name, value);
    return words.toString();
  };
  return canonical(plimsoll, { query: edit(query, asks), view: edit(view, shows) });
}

async function elsewhere(reader, start) {
  await reader.until(() => reader.page(), (page) => page.query !== start.query, 'another question');
  await reader.rest(); // the view follows
  const { query, view } = await reader.page();
  return { query, view };
}

const sorted = (text) => [...new URLSearchParams(text)].map(([name, value]) => `${name}=${value}`).sort().join('&');
const is_at = (address, page) => page.drawing !== null && page.query === address.query && sorted(page.view) === sorted(address.view);

/** The text and the drawing answer the question of the address. */
const agrees = (plimsoll, { query, headline: text, drawing }) => drawing === query && text === headline(plimsoll, query);
