// What is wrong with an input, in words: as a list, and tied to the control that it is about.

import { h } from './element.mjs';

const titles = { error: 'Error', warning: 'Warning', note: 'Note' };

/** A list of issues; `label_of(field)` gives the text of the link to the field's control, or '' when there is none. */
export function issue_list(issues, label_of = () => '', on_field = () => {}) {
  if (issues.length === 0) return '';
  return h('ul', { class: 'issues' }, ...issues.map((issue) => {
    const label = label_of(issue.field);
    const where = label
      ? h('button', { type: 'button', class: 'plain', click: () => on_field(issue.field) }, `Go to ${label}`)
      : issue.field && h('code', {}, issue.field);
    return h('li', { class: issue.severity },
      h('strong', {}, `${titles[issue.severity] ?? titles.error}.`), ' ',
      issue.message, ' ', h('span', { class: 'remedy' }, issue.remedy), ' ', where);
  }));
}

/** One sentence for a screen reader. */
export function spoken(issues) {
  const errors = issues.filter((issue) => issue.severity === 'error');
  return errors.map((issue) => `${issue.message} ${issue.remedy}`).join(' ');
}
