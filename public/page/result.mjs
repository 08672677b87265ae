// The result as text: issues, bar, breakdown, moments. It writes what the core says and computes nothing.

import { open_compare } from './compare.mjs';
import { by_id, h } from './element.mjs';
import { issue_list } from './issues.mjs';
import { keep_buttons } from './keep.mjs';
import { open_trees } from './tree.mjs';
import { is_of_time, open_work } from './work.mjs';

const NUMBERS = ['requested', 'allocated', 'reserved', 'process'];

/** `plimsoll`: the core; `form`: for the way from an issue or a symbol to its control; `given()`: the reader's own files; on_lack(what, reason)
    hears what could not be loaded; the rest as for open_compare(). */
export function open_result({ plimsoll, form, given, view, set_view, on_query, on_lack }) {
  const tree = open_trees({ exact: plimsoll.format_exact, label_of: form.label_of, on_field: form.focus });
  const work = open_work({ plimsoll, tree, given, on_field: form.focus });
  const compare = open_compare({ plimsoll, view, set_view, given, on_query });
  const beside = section('Beside other questions', compare.element); // the same under every answer
  const result = by_id('result');
  let query = '';

  /** What shows an answer: functions that are called in turn, each of a few milliseconds. All that was there stays until the last. */
  const steps_of = (answer) => {
    const say = () => {
      by_id('issues').replaceChildren(issue_list(answer.issues, form.label_of, form.focus));
      result.classList.toggle('stale', !answer.ok);
    };
    if (!answer.ok) return [say];
    const made = [];
    const sections = sections_of(answer).map((make) => () => made.push(...make()));
    return [say, ...sections, () => {
      query = answer.query;
      compare.show(answer);
      result.replaceChildren(...made, keep_buttons({ plimsoll, query: () => query, given, on_lack }));
    }];
  };

  const sections_of = (answer) => {
    const { estimate, explanation, scenario } = answer;
    return [
      () => [section(estimate.ranks.length > 1 ? 'The fullest GPU at its peak' : 'One GPU at its peak', bar_of(estimate), h('ul', { class: 'tree' }, h('li', {}, tree(explanation.memory, true))))],
      () => [
        section('Memory of one process', numbers_of(estimate)),
        ...(estimate.memory.uncertainties.length > 0
          ? [section('Why the process may take less or more', uncertainties_of(estimate.memory.uncertainties))] : []),
        ...(estimate.ranks.length > 1 ? [section('Pipeline ranks', ranks_of(estimate))] : []),
        section('Moments of a step', moments_of(estimate)),
      ],
      () => [section('Time', ...work.time_of(answer))],
      () => [section(scenario.task === 'inference' ? 'Price and energy of an hour of serving' : 'Price and energy of the job', ...work.money_of(answer))],
      () => [
        beside,
        section('Also worth knowing', h('ul', { class: 'tree' },
          ...[explanation.parameters, ...explanation.facts.filter((fact) => !is_of_time(fact))].map((component) => h('li', {}, tree(component))))),
      ],
    ];
  };

  const moments_of = (estimate) => h('table', { class: 'moments' },
    h('caption', { class: 'visually-hidden' }, 'Memory of one GPU at each moment'),
    h('thead', {}, h('tr', {}, ...['Moment', 'Memory', 'Likely'].map((title) => h('th', { scope: 'col' }, title)))),
    h('tbody', {}, ...estimate.moments.map((moment) => h('tr', { class: moment.moment === estimate.peak.moment && 'peak' },
      h('th', { scope: 'row' }, moment.label, moment.moment === estimate.peak.moment && ' (peak)'),
      h('td', { class: 'amount', title: plimsoll.format_exact(moment.bytes, 'bytes') }, moment.text),
      h('td', { class: 'amount' }, moment.range_text)))));

  const numbers_of = ({ memory, usable_text }) => h('table', { class: 'moments' },
    h('caption', { class: 'visually-hidden' }, 'What one GPU holds, from tensors to the whole process'),
    h('thead', {}, h('tr', {}, ...['What is counted', 'Expected', 'Likely'].map((title) => h('th', { scope: 'col' }, title)))),
    h('tbody', {},
      ...NUMBERS.map((name) => h('tr', { class: name === 'process' && 'peak' },
        h('th', { scope: 'row' }, memory[name].label, h('span', { class: 'row-about' }, memory[name].about)),
        h('td', { class: 'amount', title: plimsoll.format_exact(memory[name].expected_bytes, 'bytes') }, memory[name].text),
        h('td', { class: 'amount' }, memory[name].range_text))),
      h('tr', {}, h('th', { scope: 'row' }, 'Usable on the device'), h('td', { class: 'amount' }, usable_text), h('td'))));

  const uncertainties_of = (uncertainties) => h('table', { class: 'moments uncertainties' },
    h('caption', { class: 'visually-hidden' }, 'What each uncertainty takes from the process or adds to it, the widest first'),
    h('thead', {}, h('tr', {}, ...['Reason', 'Less', 'More', 'Basis'].map((title) => h('th', { scope: 'col' }, title)))),
    h('tbody', {}, ...uncertainties.map(({ label, less_text, more_text, basis }) => h('tr', {},
      h('th', { scope: 'row' }, label),
      h('td', { class: 'amount' }, less_text),
      h('td', { class: 'amount' }, more_text),
      h('td', { class: 'basis' }, basis)))));

  const ranks_of = (estimate) => h('table', { class: 'moments' },
    h('caption', { class: 'visually-hidden' }, 'Peak of each pipeline rank'),
    h('thead', {}, h('tr', {}, ...['Rank', 'Peak', 'Moment'].map((title) => h('th', { scope: 'col' }, title)))),
    h('tbody', {}, ...estimate.ranks.map(({ rank, peak_bytes, text, label }) => h('tr', { class: rank === estimate.rank && 'peak' },
      h('th', { scope: 'row' }, `Rank ${rank}`, rank === estimate.rank && ' (fullest)'),
      h('td', { class: 'amount', title: plimsoll.format_exact(peak_bytes, 'bytes') }, text),
      h('td', { class: 'basis' }, label)))));

  const bar_of = (estimate) => {
    const { parts } = estimate.moments.find(({ moment }) => moment === estimate.peak.moment);
    const segments = parts.map((part) =>
      with_amounts(h('span', { class: 'segment', 'data-part': part.id, title: part.label }), { amount: part.bytes }));
    // what the process takes beside what is in use at the peak
    const allowance = h('span', { class: 'segment allowance', title: `Process: ${estimate.memory.process.text}` });
    const box = h('div', { class: 'hull-box', 'aria-hidden': 'true' }, // the tree below says the same in words
      h('div', { class: 'hull' }, ...segments, allowance, h('span', { class: 'load-line' })),
      h('p', { class: 'hull-label' }, `usable ${estimate.usable_text}`));
    return with_amounts(box, { usable: estimate.usable_bytes, peak: estimate.peak.bytes, process: estimate.memory.process.expected_bytes });
  };

  return { steps_of, show_pins: compare.redraw };
}

/** The style sheet makes widths of amounts. */
function with_amounts(element, amounts) {
  for (const [name, amount] of Object.entries(amounts)) element.style.setProperty(`--${name}`, amount);
  return element;
}

function section(title, ...children) {
  return h('section', {}, h('h3', {}, title), ...children);
}
