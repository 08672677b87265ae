// A card over the drawing that says what became of a config.json.

import { by_id, h } from './element.mjs';
import { issue_list } from './issues.mjs';

export function open_notice(plimsoll) {
  const notice = by_id('notice');
  const clear = () => notice.replaceChildren();
  const card = (kind, title, ...body) => notice.replaceChildren(h('div', { class: `card ${kind}` },
    h('p', { class: 'card-title' }, title), ...body,
    h('button', { type: 'button', class: 'plain', click: clear }, 'Dismiss')));

  /** `config`: an answer of import_config(); `name`: of the file, or what the text was. */
  const of_config = (config, name) => {
    const list = issue_list(config.issues);
    if (!config.ok) card('failed', `${name} is not a config that can be counted. The estimate is unchanged.`, list);
    else card('read', `${name} is read: ${plimsoll.format_exact(config.parameters, 'parameters')}.`, list);
  };
  const of_fault = (message, remedy) => card('failed', `${message} ${remedy}`);
  return { of_config, of_fault, clear };
}
