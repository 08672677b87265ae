// The page: one query, and everything that shows it. The address, the form, the text and the drawing follow the query that
// the core calls canonical; each of them may ask for another one.

import { files_of_page, is_empty_address, open_address, query_of_page, view_of_page } from './page/address.mjs';
import { open_ask } from './page/ask.mjs';
import { start_drawing } from './page/canvas.mjs';
import { by_id } from './page/element.mjs';
import { watch_for_files } from './page/files.mjs';
import { open_embed } from './page/embed.mjs';
import { open_form } from './page/form.mjs';
import { has_given, open_given } from './page/given.mjs';
import { open_headline } from './page/headline.mjs';
import { load_estimator } from './page/module.mjs';
import { begin_again, begin_again_where_it_lacks, lacks } from './page/more.mjs';
import { open_notice } from './page/notice.mjs';
import { keep_for_offline } from './page/offline.mjs';
import { open_panel } from './page/panel.mjs';
import { open_progress } from './page/progress.mjs';
import { with_entry, with_file } from './page/query.mjs';
import { open_reading } from './page/reading.mjs';
import { recent_questions, remember_question } from './page/recent.mjs';
import { open_result } from './page/result.mjs';
import { copy_link_with } from './page/share.mjs';
import { open_speaker } from './page/speaker.mjs';
import { open_start } from './page/start.mjs';
import { open_theme } from './page/theme.mjs';
import { card_named, name_of_renderer } from './page/this_card.mjs';
import { turn, open_turns } from './page/turns.mjs';
import { open_units, units_chosen } from './page/units.mjs';

let app = null; // the drawing, once it runs
let more = { loaded: true, load: async () => {} }; // of its module
open_panel();
const theme = open_theme(by_id('theme'), (dark) => app?.set_dark(dark));
const progress = open_progress();

// What needs no estimator is there before it, and waits for it.
const whole = {};
whole.page = new Promise((resolve) => { whole.is_there = resolve; });
const line = open_ask(whole.page);
let start = is_empty_address() ? open_doors() : null; // while nobody has asked for anything

try {
  const { prices, devices } = files_of_page();
  const first = is_empty_address() || devices ? null : { query: query_of_page(), units: units_chosen() };
  const needs_more = [view_of_page(), prices, devices].some(Boolean) || has_given();
  await show_page(await load_estimator({ size: progress.size_of_first(), on_bytes: progress.bytes_of_estimator, first, needs_more, on_headline: progress.show }));
} catch (reason) {
  if (!lacks(more, reason) || !begin_again()) progress.fail(reason);
}

async function show_page({ plimsoll, module, parts, why_none }) {
  if (parts) more = parts.more;
  const notice = open_notice(plimsoll);
  const units = open_units(by_id('units'), plimsoll.set_byte_units, () => (app ? app.write_anew() : show(plimsoll.explain(asked, given.options()))));
  const given = open_given({ plimsoll, notice, on_change: use_given, on_query: (query) => ask(query) });
  await given.fetch_files(files_of_page());
  if (!plimsoll.is_ready_for(query_of_page())) await plimsoll.ready_for(query_of_page());
  let answer = plimsoll.explain(query_of_page(), given.options());
  let wanted = ''; // of several that are asked while one waits, the last
  let asked = answer.query; // canonical: what is shown may still be on its way there
  const headline = open_headline();
  for (const view of [headline, progress]) view.show(answer);
  await turn(); // the answer stands on the screen while the rest is being made

  const fields = plimsoll.fields();
  const speaker = open_speaker();
  const in_turns = open_turns(by_id('panel'));
  const address = open_address({ on_query: ask, on_view: look_at });
  begin_again_where_it_lacks(more, address, () => app?.asked() ?? (wanted || asked));

  const form = open_form({
    fields,
    catalog: plimsoll.names(),
    search: (field, text) => [...own_devices(field, text), ...plimsoll.search(field, text)],
    model_change: plimsoll.model_change,
    on_entry: (field, text) => ask(with_entry(plimsoll, asked, field.name, text)),
    on_file: (file) => read(file, file.name),
  });
  form.set_devices(given.devices());
  const result = open_result({
    plimsoll, form, given: given.options, view: address.view, on_query: ask,
    set_view: show_view, on_lack: notice.of_lack,
  });
  const reading = open_reading({
    import_file: plimsoll.import_file,
    notice,
    on_read(file, name) {
      notice.of_file(file, name);
      if (file.ok && file.query) ask(with_file(plimsoll, asked, file));
    },
  });
  watch_for_files({ on_source: read, on_text: line.take, on_fault: notice.of_fault });
  start?.name_card(card_named(name_of_renderer(), form.options_of('device')));
  copy_link_with(by_id('copy-link'), address.link, speaker.say);
  open_embed({ query: () => asked, words: headline.words, say: speaker.say });

  function leave_start() {
    start?.close();
    start = null;
  }
  function show_view(text) {
    address.set_view(text);
    app?.set_view(text);
  }

  /** The one way in: whoever asks, everything follows. A question waits for what questions unlike most need, and for what reads configs where a model is described. */
  function ask(query) {
    wanted = query;
    if (more.loaded && plimsoll.is_ready_for(query)) return ask_now(query);
    return plimsoll.ready_for(query).then(() => {
      if (query !== wanted) return;
      const view = address.view();
      ask_now(query);
      look_at(view); // which belongs to the question that has just come
    }, (reason) => notice.of_lack('this question needs', reason));
  }
  function ask_now(query) {
    if (!app) return show(plimsoll.explain(query, given.options()));
    app.set_query(query);
    follow(app.query());
  }

  /** The address is there at once; what the question comes to may take the drawing a while, and is then shown everywhere. */
  function follow(query) {
    if (query !== asked) leave_start();
    asked = query;
    address.set(query);
  }

  function say(next) {
    answer = next;
    follow(answer.query);
    for (const view of [headline, progress, speaker]) view.show(answer);
    name_page();
  }
  const rest_of = (next) => [() => form.show(next), ...result.steps_of(next)];
  function show(next) {
    say(next);
    in_turns(rest_of(next));
  }

  let is_due = false;
  /** In a turn of its own: the drawing is at work when it tells of an answer. */
  function show_drawn() {
    if (is_due) return;
    is_due = true;
    setTimeout(() => {
      is_due = false;
      const next = JSON.parse(app.explained());
      if (next.query === asked) show(next); // else the next answer is on its way
    });
  }

  /** The reader went back or forth. */
  function look_at(view) {
    app?.set_view(view);
    result.show_pins();
  }

  /** Prices, devices and results first: what is none of these may be a model. */
  async function read(source, name) {
    await more.load().catch(() => {}); // readers bring it along, too, and say why they cannot be had
    if (!(await given.take_source(source, name))) await reading.read(source, name);
  }

  /** Other prices or devices are in use. */
  function use_given(kind) {
    address.forget_file(kind);
    form.set_devices(given.devices());
    if (app) tell_app(kind);
    ask(asked);
  }
  function tell_app(kind) {
    const { name, text } = given.in_use(kind);
    app.set_given(kind, name, text);
  }

  function own_devices(field, text) {
    if (field !== 'device') return [];
    const wanted = text.trim().toLowerCase();
    return given.devices().filter(({ id, name }) => `${id} ${name}`.toLowerCase().includes(wanted)).map(({ id }) => id);
  }

  /** What tabs, bookmarks and histories show. */
  function name_page() {
    if (answer.ok && !start) remember_question(asked, form.about(answer));
    document.title = `${answer.headline?.verdict ?? 'No estimate.'} ${form.about(answer)} · Plimsoll`;
  }

  say(answer);
  for (const step of rest_of(answer)) step();
  whole.is_there({
    plimsoll, notice, show_view,
    query: () => (start ? '' : asked),
    options_of: form.options_of,
    on_begin: leave_start,
    on_query: ask,
    read_file: read,
  });
  app = await start_drawing({
    module,
    why_none,
    parts,
    query: () => asked,
    dark: theme.is_dark,
    view: view_of_page,
    on_query: follow,
    on_answer: () => app && show_drawn(),
    on_dark: theme.choose,
    on_units: units.choose,
    on_view(view) {
      address.set_view(view);
      result.show_pins();
    },
    on_given: (kind, name, text) => (text ? given.take(text, name) : given.remove(kind)),
    on_choose_file: form.choose_file,
    on_step: progress.step,
    on_bytes: progress.bytes,
  });
  if (app) for (const kind of given.kinds()) tell_app(kind);
  // the reader may have changed something while the drawing was loading
  if (app && app.query() !== asked) app.set_query(asked);
  app?.set_dark(theme.is_dark());
  name_page(); // the app's window has a title too, and in a page that is the page's
  keep_for_offline(by_id('newer')); // after all that is needed now
  globalThis.plimsoll = { ...plimsoll, app, more }; // for the console, and for tests
}

/** Three doors, for who has just come. */
function open_doors() {
  line.focus();
  return open_start({
    recent: recent_questions(),
    on_query: (query) => whole.page.then(({ on_query }) => on_query(query)),
    on_line: line.fill,
    on_ask(text, view) {
      line.take(text, 'This line').then(() => view && whole.page.then(({ show_view }) => show_view(view)));
    },
  });
}
