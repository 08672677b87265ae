// The search for a plan, in steps between which a page can draw and answer.

import { cost_request, scenario_request } from './plimsoll-input.mjs';

const no_plan = {
  ok: false, issues: [], objective: 'time', global_batch: 0, tokens: 0, fleets: [], progress: { layouts: 0, of: 0, tried: 0, done: false },
  counts: { tried: 0, held: 0, too_tight: 0, dropped: [], refused: [] }, best: [], front: [],
};

// A frame of 60 per second has 16 ms, of which the page needs some itself. The last step that is begun takes a millisecond or some.
const slice_ms = 5;
const at_once = 500; // strategies

/** The answer to a question. Rejects only when `signal` is aborted. */
export async function search_plans(core, question, { prices = '', signal, on_progress } = {}) {
  signal?.throwIfAborted();
  const { issues, text, is_json } = scenario_request(cost_request(question));
  if (issues) return { ...no_plan, issues };
  const encode = (words) => new TextEncoder().encode(words);
  const search = new core.PlanSearch(encode(text), is_json, encode(String(prices)));
  try {
    for (;;) {
      const end = performance.now() + slice_ms;
      let more;
      do more = search.advance(at_once); while (more && performance.now() < end);
      if (!more) return JSON.parse(search.answer());
      on_progress?.(JSON.parse(search.progress()), () => JSON.parse(search.answer()));
      await pause();
      signal?.throwIfAborted();
    }
  } finally {
    search.delete();
  }
}

/** Lets the page draw. Timers wait at least 4 ms after some; messages do not. */
function pause() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
