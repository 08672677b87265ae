// What a <plimsoll-estimate> draws in its shadow: the answer in a sentence, the bar with the load line, and what the bar is made of. It
// writes what the core says and computes nothing.

import { style_of } from './plimsoll-element-style.mjs';

/** Gives {show(answer, plimsoll)}. Until the first call, and when there is no estimate, the text inside the tag is what is seen. */
export function open_view(element) {
  const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [style_of()];
  const fallback = h('div', { class: 'fallback' }, h('slot'));
  const drawn = h('div', { class: 'drawn', hidden: true });
  root.replaceChildren(fallback, drawn);

  const show = (answer, plimsoll) => {
    const is_inline = element.getAttribute('view') === 'inline';
    const content = answer.ok ? (is_inline ? sentence_of(answer) : card_of(answer)) : null;
    drawn.replaceChildren(...[content, issues_of(answer.issues)].filter(Boolean));
    drawn.hidden = false;
    fallback.hidden = answer.ok;

    function card_of({ scenario, headline, estimate, query }) {
      const link = link_of(element, query);
      return h('figure', { part: 'card', 'aria-labelledby': 'title' },
        h('slot', { name: 'title' }, h('p', { part: 'title', id: 'title' }, title_of(scenario, names_of(plimsoll)))),
        h('p', { part: 'question' }, question_of(query, names_of(plimsoll))),
        h('p', { part: 'headline' }, verdict_of(answer), ` ${headline.rest}`),
        hull_of(estimate),
        legend_of(estimate),
        h('p', { part: 'detail' }, headline.detail),
        h('slot', { name: 'footer' }, link && h('p', { part: 'footer' }, link)));
    }
  };
  return { show };
}

const verdict_of = ({ headline, estimate }) => h('strong', { part: 'verdict', class: estimate.fits ? (estimate.verdict.tight ? 'tight' : 'fits') : 'over' }, headline.verdict);

const sentence_of = (answer) => h('span', { part: 'headline' }, verdict_of(answer), ` ${answer.headline.rest}`);

/** Of the fullest GPU at its peak. */
function hull_of(estimate) {
  const segments = peak_parts_of(estimate).map((part) =>
    with_amounts(h('span', { part: 'segment', 'data-id': part.id, title: `${part.label} ${part.text}` }), { amount: part.bytes }));
  const allowance = h('span', { part: 'segment', class: 'allowance' }); // what the process takes beside what is in use at the peak
  const box = h('div', { part: 'hull', 'aria-hidden': 'true' }, // sentence and list say the same in words
    h('div', { class: 'bar' }, ...segments, allowance, h('span', { part: 'load-line' })),
    h('p', { class: 'usable' }, `usable ${estimate.usable_text}`));
  return with_amounts(box, { usable: estimate.usable_bytes, peak: estimate.peak.bytes, process: estimate.memory.process.expected_bytes });
}

const legend_of = (estimate) => h('ul', { part: 'legend' }, ...peak_parts_of(estimate).map((part) =>
  h('li', {}, h('span', { class: 'swatch', 'data-id': part.id }), `${part.label} `, h('span', { class: 'amount' }, part.text))));

const peak_parts_of = ({ moments, peak }) => moments.find(({ moment }) => moment === peak.moment).parts;

/** Errors and warnings, each with its remedy, for the writer of the page. */
function issues_of(issues) {
  const shown = issues.filter(({ severity }) => severity !== 'note');
  return shown.length > 0 && h('ul', { part: 'issues' }, ...shown.map(({ severity, message, remedy }) => h('li', { class: severity }, `${message} ${remedy}`)));
}

/** To the page with the same question, where the attribute `page` says where that is. */
function link_of(element, query) {
  const page = element.getAttribute('page');
  if (page === null || !URL.canParse(page, document.baseURI)) return null;
  const address = new URL(page, document.baseURI);
  if (!/^https?:$/.test(address.protocol)) return null;
  address.search = query;
  const is_framed = window !== window.parent;
  return h('a', { part: 'link', href: address.href, target: is_framed && '_blank', rel: 'noopener' }, 'Open in Plimsoll');
}

const title_of = (scenario, names) => `${names.presets.get(scenario.model) ?? scenario.model} on ${names.presets.get(scenario.device) ?? scenario.device}`;

/** What the question states beside model and device: "Task: Inference · Batch: 4 sequences". */
function question_of(query, names) {
  const stated = [...new URLSearchParams(query)].filter(([name]) => !['model', 'device', 'config'].includes(name));
  return stated.filter(([name]) => names.fields.has(name)).map(([name, value]) => {
    const field = names.fields.get(name);
    const text = names.presets.get(value) ?? field.choices?.find((choice) => choice.name === value)?.label ?? value;
    return `${field.label[0].toUpperCase()}${field.label.slice(1)}: ${text} ${field.unit ?? ''}`.trim();
  }).join(' · ');
}

let names = null;

/** Labels of presets and fields, read once for all elements. */
function names_of(plimsoll) {
  if (!names) {
    const { models, devices, profiles } = plimsoll.names();
    const presets = [...models, ...devices, ...profiles].map(({ id, name }) => [id, name]);
    names = { presets: new Map(presets), fields: new Map(plimsoll.fields().map((field) => [field.name, field])) };
  }
  return names;
}

/** The style sheet makes widths of amounts. */
function with_amounts(box, amounts) {
  for (const [name, amount] of Object.entries(amounts)) box.style.setProperty(`--${name}`, amount);
  return box;
}

/** Text always goes in as text. Properties and children that are null, undefined or false are left out. */
function h(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== false && child !== ''));
  return made;
}
