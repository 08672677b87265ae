// A card over the drawing: what became of a model file, while it is being read and after.

import { by_id, h } from './element.mjs';
import { contents_of } from './file_contents.mjs';
import { issue_list } from './issues.mjs';

export function open_notice(plimsoll) {
  const notice = by_id('notice');
  const clear = () => notice.replaceChildren();
  const card = (kind, title, ...body) => notice.replaceChildren(h('div', { class: `card ${kind}` },
    h('p', { class: 'card-title' }, title), ...body,
    h('button', { type: 'button', class: 'plain', click: clear }, 'Dismiss')));

  /** `file`: an answer of import_file(); `name`: of the file, or what the text was. */
  const of_file = (file, name) => {
    const list = issue_list(file.issues);
    if (!file.ok) card('failed', `${name} is not a model file that can be counted. The estimate is unchanged.`, list);
    else card('read', title_of(file, name), list, contents_of(plimsoll, file));
  };

  const title_of = (file, name) => {
    const count = file.parameters > 0 ? `: ${plimsoll.format_exact(file.parameters, 'parameters')}` : '';
    return `${name} is read${count}.${file.query ? '' : ' The estimate is unchanged: to ask about this model, read its config.json.'}`;
  };

  /** Gives a function that shows how far the reading is: {bytes, of}, or null when nothing has come yet. */
  const of_progress = (name, cancel) => {
    const bar = h('progress', { 'aria-label': 'Bytes of the header' });
    const amount = h('span');
    notice.replaceChildren(h('div', { class: 'card read' },
      h('p', { class: 'card-title' }, `Reading the header of ${name}`), bar,
      h('p', { class: 'quiet' }, amount, ' Only the header is read, here in your browser.'),
      h('button', { type: 'button', class: 'plain', click: cancel }, 'Cancel')));
    return (progress) => {
      if (!progress) return;
      bar.max = progress.of;
      bar.value = progress.bytes;
      amount.textContent = `${plimsoll.format_bytes(progress.bytes)} so far.`;
    };
  };

  const of_fault = (message, remedy) => card('failed', `${message} ${remedy}`);
  /** A part of the module that cannot be had: `what` it does. */
  const of_lack = (what, reason) => of_fault(`What ${what} could not be loaded (${reason.message}).`, 'Try again once there is a connection.');
  /** A file with prices or devices that cannot be used. */
  const of_refused = (name, issues) => card('failed', `${name} cannot be used. The estimate is unchanged.`, issue_list(issues));
  const of_word = (text) => card('read', text);
  /** A text that is nothing known, and why. */
  const of_refused_text = (what, issues) => card('failed', `${what} is not understood. The estimate is unchanged.`, issue_list(issues));
  const of_parts = (title, ...parts) => card('read', title, ...parts);
  /** What a text leaves open. */
  const of_questions = (title, list, questions) => {
    card('read', title, ...questions, list);
    notice.querySelector('.choices button, .choices select')?.focus();
  };
  return { of_file, of_progress, of_fault, of_lack, of_refused, of_word, of_refused_text, of_parts, of_questions, clear };
}
