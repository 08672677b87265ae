// One line that takes anything: a question in words, a name, an address, a command, a configuration, a log. The core reads it; what it leaves
// open is asked back, and what is none of these is said.

import { by_id, h } from './element.mjs';
import { fetch_config, hub_model } from './hub.mjs';
import { issue_list } from './issues.mjs';

const kinds = { command_line: 'command', training_config: 'configuration', log: 'log', question: 'question' };
const asked_back = ['model', 'device']; // what an answer cannot do without; everything else has a default

/**
 * `page`: a promise of what the line works with, once it is there; until then what is asked waits.
 * `query()`: of the question on the screen, "" where nobody has asked yet; `on_query(query)`: another is asked; `notice`: where it is said what became of a
 * text; `options_of(field)`: [{name, label}]; `read_file(text, name)`: for JSON, which may be a model, prices, devices or a result.
 */
export function open_ask(page) {
  const line = by_id('ask-line');
  let plimsoll, query, on_query, notice, options_of, read_file, on_begin;
  let latest = 0; // of several texts at once, the last counts

  async function take(text, what) {
    const turn = ++latest;
    line.setAttribute('aria-busy', 'true');
    ({ plimsoll, query, on_query, notice, options_of, read_file, on_begin } = await page);
    const read = await plimsoll.import_files(text);
    if (turn !== latest) return;
    line.removeAttribute('aria-busy');
    const is_json = /^\s*[[{]/.test(text);
    if (is_json && !(read.kind in kinds)) return void read_file(text, what); // a model, prices, devices, a result
    const at_hub = hub_model(text);
    if (at_hub && !new URLSearchParams(read.query ?? '').has('model')) return offer_to_fetch(at_hub);
    if (!read.ok) return void notice.of_refused_text(what, why_not(read));
    on_begin();
    settle(read, with_the_rest(read));
  }

  /** A model that the catalogue does not have, by its address: nobody is asked before the reader presses. */
  function offer_to_fetch(model) {
    const press = async ({ target }) => {
      const turn = ++latest;
      target.disabled = true;
      const { text, fault, remedy } = await fetch_config(model);
      if (turn !== latest) return;
      if (fault) return notice.of_fault(fault, remedy);
      on_begin();
      read_file(text, `config.json of ${model.name}`);
    };
    notice.of_parts(`${model.name} is not in the catalogue.`, h('p', {}, 'Its config.json says how it is built. huggingface.co learns which model you ask about, and nothing else.'),
      h('button', { type: 'button', click: press }, 'Fetch from huggingface.co'));
  }

  /** What the text says; where it is no whole question, with the device of the question on the screen. */
  function with_the_rest(read) {
    const asked = new URLSearchParams(query()), next = new URLSearchParams(read.query);
    const open = read.questions?.map(({ field }) => field) ?? [];
    for (const name of asked_back) if (!next.has(name) && asked.has(name) && !is_named(read, name)) next.set(name, asked.get(name));
    return { next, open: open.filter((field) => (asked_back.includes(field) || ((field === 'gpus' || read.kind === 'question') && is_named(read, field))) && !next.has(field)) };
  }

  /** A card tells what was read, and asks what is open; each answer is a press, and the last one asks the question. */
  function settle(read, { next, open }) {
    const left = new Set(open);
    const ask_if_whole = () => {
      if (left.size > 0) return;
      notice.clear();
      on_query(next.toString());
      tell(read);
    };
    if (left.size === 0) return ask_if_whole();
    notice.of_questions(title_of(read), issue_list(read.issues), open.map((field) => {
      const { question, choices } = read.questions.find((one) => one.field === field);
      return choices_of(question, choices, options_of(field), (id) => {
        next.set(field, id);
        left.delete(field);
        ask_if_whole();
      });
    }));
  }

  function tell(read) {
    const unread = read.unread?.length > 0 ? [h('p', { class: 'quiet' }, `Not read: ${read.unread.join(', ')}`)] : [];
    const issues = read.issues.filter(({ severity }) => severity !== 'error');
    if (read.kind !== 'question' || issues.length > 0) notice.of_parts(title_of(read), ...unread, issue_list(issues));
  }

  line.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    if (event.key === 'Escape') line.blur();
    if (event.key !== 'Enter' || line.value.trim() === '') return;
    event.preventDefault();
    take(line.value, 'This line');
  });
  // What is pasted into the empty line is asked at once; so are several lines, which a line cannot hold.
  line.addEventListener('paste', (event) => {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (text.trim() === '' || (line.value !== '' && !text.trim().includes('\n'))) return;
    event.preventDefault();
    line.value = text.trim().split('\n', 1)[0];
    take(text, 'The pasted text');
  });
  window.addEventListener('keydown', (event) => {
    const is_call = (event.key === 'k' && (event.ctrlKey || event.metaKey)) && !event.altKey;
    if (!is_call) return;
    event.preventDefault();
    line.focus();
    line.select();
  });
  const focus = () => line.focus({ preventScroll: true });
  return {
    take,
    focus,
    /** A question to change before it is asked: Enter asks it as it is. */
    fill(text) {
      line.value = text;
      focus();
      line.select();
    },
  };
}

/** A name was there, though it stands for several things. */
const is_named = (read, field) => read.questions?.some((one) => one.field === field && one.choices);

const title_of = (read) => {
  const program = read.engine || read.name;
  return read.kind === 'question' ? 'Read as a question.' : `${program ? `${program} ` : ''}${kinds[read.kind] ?? 'text'} is read.`;
};

const why_not = (read) => (read.issues.length > 0 ? read.issues : [{
  severity: 'error', field: '', message: 'Nothing in it is a model, a GPU, a command, a configuration or a log that is known.',
  remedy: 'Write for example “Qwen3 32B on RTX 4090, 32k”, or paste vllm serve … or a config.json.',
}]);

function choices_of(question, choices, options, on_choice) {
  const buttons = (choices ?? []).map((id) => h('button', {
    type: 'button',
    click: (event) => {
      for (const one of event.target.parentElement.children) one.setAttribute('aria-pressed', String(one === event.target));
      on_choice(id);
    },
  }, options.find(({ name }) => name === id)?.label ?? id));
  const select = h('select', { 'aria-label': question, change: () => select.value && on_choice(select.value) },
    h('option', { value: '' }, buttons.length > 0 ? 'Another' : 'Choose'), ...options.map(({ name, label }) => h('option', { value: name }, label)));
  return h('div', { class: 'choices', role: 'group', 'aria-label': question }, h('p', {}, question), h('div', { class: 'buttons' }, ...buttons, ...(options.length > 0 ? [select] : [])));
}
