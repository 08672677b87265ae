// Time and cost as text: the parts of a step, rates, the whole job, dated prices, energy. It writes what the core says and computes
// nothing.

import { h } from './element.mjs';

const most_offers = 8;
const of_time = ['fact.step_time', 'fact.decode_step', 'fact.prefill', 'fact.tokens_per_second', 'fact.mfu', 'fact.hfu', 'fact.gpu_hours', 'fact.job_time', 'fact.chinchilla_tokens'];

export const is_of_time = (fact) => of_time.includes(fact.id);

/** `tree(component)`: one that opens to its formula; `given()`: the files in use; `on_field(name)`: to its control. */
export function open_work({ plimsoll, tree, given, on_field }) {
  const range = ({ low, high, unit }) => (low === high ? '' : plimsoll.format_amounts(low, high, unit));

  const time_of = ({ estimate, explanation, scenario }) => {
    const facts = explanation.facts.filter(is_of_time);
    const whole = facts.find(({ id }) => id === 'fact.step_time' || id === 'fact.decode_step');
    if (!whole) {
      return [h('p', { class: 'quiet' }, scenario.task === 'inference'
        ? 'How fast this engine is on this device is not known: nobody measured it, or the rates of the device are not published.'
        : 'The rates of this device are not published, so that the time of a step is not told.')];
    }
    return [
      h('p', {}, `${whole.label}: `, h('strong', {}, whole.text), range(whole) && `, likely ${range(whole)}`, '.'),
      bar_of(whole), parts_of(whole), estimate.speed && speed_of(estimate.speed),
      h('ul', { class: 'tree' }, ...facts.map((fact) => h('li', {}, tree(fact)))),
    ];
  };

  const bar_of = (whole) => h('div', { class: 'time-bar', 'aria-hidden': 'true' }, ...whole.parts.map((part) => {
    const segment = h('span', { class: 'segment', 'data-part': part.id, title: `${part.label}: ${part.text}` });
    segment.style.setProperty('--amount', part.amount);
    return segment;
  }));

  const parts_of = (whole) => table('What a step spends its time on: the parts add up', ['Part', 'Expected', 'Likely'],
    whole.parts.map((part) => [[h('span', { class: 'swatch', 'data-part': part.id, 'aria-hidden': 'true' }), part.label], part.text, range(part)]));

  const speed_of = (speed) => {
    const rate = (label, { text, low_thousandths, high_thousandths }) => [[label], text, plimsoll.format_amounts(low_thousandths, high_thousandths, 'thousandths of tokens/s')];
    const first = speed.first_token;
    return table('How fast it serves', ['Serving', 'Expected', 'Likely'], [
      rate('Tokens of one sequence', speed.tokens_per_s_of_a_sequence),
      rate('Tokens of all sequences', speed.tokens_per_s),
      ...(first ? [[['First token of a prompt of the whole context'], first.text, plimsoll.format_amounts(first.low_ns, first.high_ns, 'ns')]] : []),
      ...(speed.prompt_tokens_per_s ? [rate('Tokens of a prompt that are read', speed.prompt_tokens_per_s)] : []),
      [['Batch from which on multiplying decides'], speed.crossover_batch === null ? 'none' : plimsoll.format_amount(speed.crossover_batch, ''), ''],
    ]);
  };

  const money_of = (answer) => {
    const cost = plimsoll.cost(answer.query, given());
    const [way] = cost.ways;
    if (!cost.ok || !way) return [h('p', { class: 'quiet' }, ...reason_of(answer, cost))];
    return [
      cost.options.length > 0 && offers_of(cost),
      cost.options_found > most_offers && h('p', { class: 'quiet' }, `Dearer ones are left out: ${plimsoll.format_amount(cost.options_found, '')} offers fit in all.`),
      ...cost.issues.map(({ message, remedy }) => h('p', { class: 'price-warning' }, `${message} ${remedy}`)),
      h('ul', { class: 'tree' }, ...[way.power, way.energy, way.emissions, way.own?.hourly, way.own?.electricity].filter((one) => one && one.amount > 0).map((one) => h('li', {}, tree(one)))),
    ].filter(Boolean);
  };

  /** Why there is no price, with the way to what would give one. */
  const reason_of = ({ scenario }, cost) => {
    const field = { pretrain: 'train_tokens', finetune: 'dataset_tokens' }[scenario.task];
    const why = cost.issues.find(({ severity }) => severity === 'error');
    const link = field && h('button', { type: 'button', class: 'plain', click: () => on_field(field) }, 'say how many tokens it trains on');
    if (field && Number(scenario[field] ?? 0) === 0) return ['For GPU-hours, time and prices of a job, ', link, '.'];
    return [why ? `${why.message} ${why.remedy}` : 'Nothing is priced.'];
  };

  const offers_of = (cost) => {
    const serves = cost.options[0].per_million_tokens !== null;
    const amount = (option) => (serves ? option.per_million_tokens : option.total);
    return h('table', { class: 'moments offers' },
      h('caption', { class: 'visually-hidden' }, 'Offers that fit, the cheapest first'),
      h('thead', {}, h('tr', {}, ...['Offer', serves ? 'A million tokens' : 'In all', 'An hour'].map((title) => h('th', { scope: 'col' }, title)))),
      h('tbody', {},
        ...cost.ways.filter(({ own }) => own).map(({ own }) => offer_row('At your own price', own.hourly.text, serves ? own.per_million_tokens : own.total, [])),
        ...cost.options.slice(0, most_offers).map((option, index) => offer_row(
          `${index === 0 ? 'Cheapest: ' : ''}${option.price.cloud}, ${option.instances > 1 ? `${plimsoll.format_amount(option.instances, '')} × ` : ''}${option.price.instance}${option.price.region && `, ${option.price.region}`}`,
          option.hourly.text, amount(option),
          [h('span', { class: 'row-about' }, `${option.price.dated ? option.price.date : `undated, read ${option.price.date}`}, ${option.price.source}`),
            option.price.warning && h('span', { class: 'row-about price-warning' }, option.price.warning)], index === 0))));
  };

  const offer_row = (title, hourly, amount, about, is_first = false) => h('tr', { class: is_first && 'peak' },
    h('th', { scope: 'row' }, title, ...about),
    h('td', { class: 'amount' }, amount?.text ?? '', amount && amount.low_text !== amount.high_text && h('span', { class: 'row-about' }, `${amount.low_text} to ${amount.high_text}`)),
    h('td', { class: 'amount' }, hourly));

  return { time_of, money_of };
}

/** Rows of [children of the heading, amount, range]. */
function table(caption, titles, rows) {
  return h('table', { class: 'moments' },
    h('caption', { class: 'visually-hidden' }, caption),
    h('thead', {}, h('tr', {}, ...titles.map((title) => h('th', { scope: 'col' }, title)))),
    h('tbody', {}, ...rows.map(([heading, amount, likely]) => h('tr', {},
      h('th', { scope: 'row' }, ...heading), h('td', { class: 'amount' }, amount), h('td', { class: 'amount' }, likely)))));
}
