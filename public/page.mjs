// The page: one query, and everything that shows it. The address, the form, the text and the drawing follow the query that
// the core calls canonical; each of them may ask for another one.

import { load } from './plimsoll.mjs';
import { open_address, query_of_page } from './page/address.mjs';
import { start_drawing } from './page/canvas.mjs';
import { by_id } from './page/element.mjs';
import { watch_for_files } from './page/files.mjs';
import { open_embed } from './page/embed.mjs';
import { open_form } from './page/form.mjs';
import { open_headline } from './page/headline.mjs';
import { open_notice } from './page/notice.mjs';
import { keep_for_offline } from './page/offline.mjs';
import { open_panel } from './page/panel.mjs';
import { open_progress } from './page/progress.mjs';
import { with_entry, with_file } from './page/query.mjs';
import { open_reading } from './page/reading.mjs';
import { open_result } from './page/result.mjs';
import { copy_link_with } from './page/share.mjs';
import { open_speaker } from './page/speaker.mjs';
import { open_theme } from './page/theme.mjs';

let app = null; // the drawing, once it runs
open_panel();
const theme = open_theme(by_id('theme'), (dark) => app?.set_dark(dark));
const progress = open_progress();

try {
  await show_page(await load());
} catch (reason) {
  progress.fail(reason);
}

async function show_page(plimsoll) {
  let answer = plimsoll.explain(query_of_page());
  const headline = open_headline();
  for (const view of [headline, progress]) view.show(answer);
  await paint(); // the answer stands on the screen while the rest is being made

  const fields = plimsoll.fields();
  const speaker = open_speaker();
  const notice = open_notice(plimsoll);
  const address = open_address(ask);

  const form = open_form({
    fields,
    catalog: plimsoll.catalog(),
    search: plimsoll.search,
    model_change: plimsoll.model_change,
    on_entry: (field, text) => ask(with_entry(plimsoll, answer.query, field.name, text)),
    on_file: (file) => reading.read(file, file.name),
  });
  const result = open_result({ plimsoll, form });
  const reading = open_reading({
    import_file: plimsoll.import_file,
    notice,
    on_read(file, name) {
      notice.of_file(file, name);
      if (file.ok && file.query) ask(with_file(plimsoll, answer.query, file));
    },
  });
  watch_for_files({ on_source: reading.read, on_fault: notice.of_fault });
  copy_link_with(by_id('copy-link'), address.link, speaker.say);
  open_embed({ query: () => answer.query, words: headline.words, say: speaker.say });

  /** The one way in: whoever asks, everything follows. */
  function ask(query) {
    answer = plimsoll.explain(query);
    address.set(answer.query);
    for (const view of [headline, form, result, progress, speaker]) view.show(answer);
    name_page();
    if (app && app.query() !== answer.query) app.set_query(answer.query);
  }

  /** What tabs, bookmarks and histories show. */
  function name_page() {
    document.title = `${answer.headline?.verdict ?? 'No estimate.'} ${form.about(answer)} · Plimsoll`;
  }

  ask(query_of_page());
  app = await start_drawing({
    query: () => answer.query,
    dark: theme.is_dark,
    on_query: (query) => query !== answer.query && ask(query),
    on_dark: theme.choose,
    on_choose_file: form.choose_file,
    on_step: progress.step,
  });
  // the reader may have changed something while the drawing was loading
  if (app && app.query() !== answer.query) app.set_query(answer.query);
  app?.set_dark(theme.is_dark());
  name_page(); // the app's window has a title too, and in a page that is the page's
  keep_for_offline(by_id('newer')); // after all that is needed now
  globalThis.plimsoll = { ...plimsoll, app }; // for the console, and for tests
}

/** A turn of the event loop, in which the browser may draw. */
function paint() {
  return new Promise((resume) => setTimeout(resume));
}
