// The functions of a compiled module as functions over plain objects. plimsoll.mjs gives them to those who load the package; types and
// documentation: plimsoll.d.ts.

import { header_of } from './plimsoll-file.mjs';
import { search_plans } from './plimsoll-plan.mjs';
import { config_request, cost_request, issue, scenario_request } from './plimsoll-input.mjs';

// What an answer looks like when the core could not even be asked.
const no_answer = { ok: false, issues: [], query: '' };
const no_estimate = { ...no_answer, scenario: null, idle: [], headline: null, estimate: null };
const no_solution = { ...no_answer, method: 'exhaustive', tried: 0, answer: null, next: null };
const no_advice = { ok: false, issues: [], fits: false, tried: 0, changes: [], limits: [], usable_bytes: 0, usable_text: '', needs_bytes: 0, needs_text: '' };
const no_load = { ...no_answer, load: null };
const no_serving_plan = { ok: false, issues: [], objective: 'throughput', progress: { setups: 0, of: 0, done: true }, counts: { tried: 0, held: 0, too_slow: 0, refused: {}, dropped: [] }, best: [], front: [] };
const no_explanation = { ...no_estimate, explanation: null, rules: [] };
const no_cost = { ok: false, issues: [], today: null, ways: [], options_found: 0, options: [], cheapest: null, fastest: null };
const no_import = { ok: false, issues: [], fields: null, parameters: null, query: null };
const no_file = { ...no_import, kind: 'unknown' };
const no_command = { ok: false, issues: [], text: '' };
const no_catalog = { models: [], devices: [], profiles: [], weight_formats: [], citations: [] };
const no_comparison = { ok: false, issues: [], questions: [], rows: [] };
const no_sensitivity = { ok: false, issues: [], inputs: [], uncertainties: [] };

const not_there = issue('', 'This part of the estimator is not loaded yet.', 'Await complete() first; load() without options does.');

/**
 * The estimator over a compiled module to which its later parts add searches (`rest`) and readers of files (`files`), each {loaded, load()}, and in a page
 * `more`, without which a question unlike most ends in a trap. What needs a part says so while it is not there, or waits for it where it gives a promise.
 */
export function api(core, { more = null, rest, files }) {
  const of_part = (part) => (blank, answer) => (...input) => (part.loaded ? answer(...input) : { ...blank, issues: [not_there] });
  const late = of_part(rest);
  // Models that are described, or whose facts are changed: what reads configs comes with the readers of files.
  const lacks_readers = (text, is_json) => !files.loaded && core.reads_config(text, is_json);
  const is_ready_for = (input) => {
    const { issues, text, is_json } = scenario_request(input);
    return Boolean(issues) || !lacks_readers(utf8(text), is_json);
  };
  const ask = (question, input, blank, ...more) => {
    const { issues, text, is_json } = scenario_request(input);
    const lacks = issues ?? (lacks_readers(utf8(text), is_json) ? [not_there] : null);
    return lacks ? JSON.stringify({ ...blank, issues: lacks }) : question(utf8(text), is_json, ...more);
  };
  const import_text = (config) => {
    const { issues, text } = config_request(config);
    return issues ? JSON.stringify({ ...no_import, issues }) : core.import_config(utf8(text));
  };
  const import_bytes = async (source, options) => {
    await files.load();
    const { issues, bytes, size, name } = await header_of(core, source, options);
    return issues ? { ...no_file, issues } : JSON.parse(core.import_file(bytes, size, utf8(name)));
  };
  const import_several = async (sources, { signal, on_progress, ...answers } = {}) => {
    await files.load();
    const several = typeof sources !== 'string' && typeof sources?.[Symbol.iterator] === 'function' && !ArrayBuffer.isView(sources);
    const read = [];
    for (const source of several ? sources : [sources]) {
      const named = typeof source === 'object' && source !== null && 'source' in source; // {source, name}
      const { issues, bytes, size, name } = await header_of(core, named ? source.source : source, { name: named ? source.name : undefined, signal, on_progress });
      if (issues) return { ...no_file, issues };
      read.push({ bytes, size, name: utf8(name) });
    }
    return JSON.parse(core.import_files(read, utf8(JSON.stringify(answers))));
  };
  const search = (field, text) => JSON.parse(core.search(utf8(String(field)), utf8(String(text))));
  const estimate_text = (input, { devices = '' } = {}) => ask(core.estimate, input, no_estimate, utf8(String(devices)));
  const explain_text = (input, { devices = '', readings = false } = {}) => ask(core.explain, input, no_explanation, utf8(String(devices)), Boolean(readings));
  const cost_text = (question, { prices = '', devices = '', today = date_of_today() } = {}) =>
    ask(core.cost, cost_request(question), no_cost, utf8(String(prices)), utf8(String(devices)), utf8(String(today)));
  const validate_text = (input) => ask(core.validate, input, no_answer);

  const at_once = {
    version: core.version(),
    estimate: (input, options) => JSON.parse(estimate_text(input, options)),
    explain: (input, options) => JSON.parse(explain_text(input, options)),
    cost: (question, options) => JSON.parse(cost_text(question, options)),
    validate: (input) => JSON.parse(validate_text(input)),
    estimate_text,
    explain_text,
    search,
    search_models: (text) => search('model', text),
    model_change: (input) => {
      const { issues, text, is_json } = scenario_request(input);
      return issues || lacks_readers(utf8(text), is_json) ? '' : core.model_change(utf8(text), is_json);
    },
    edit_query: (query, name, text) => core.edit_query(utf8(String(query)), utf8(String(name)), utf8(String(text)), files.loaded),
    names: () => JSON.parse(core.names()),
    prices: ({ today = date_of_today() } = {}) => JSON.parse(core.prices(utf8(String(today)))),
    fields: () => JSON.parse(core.fields()),
    format_bytes: (amount) => (Number.isSafeInteger(amount) ? core.format_bytes(amount) : ''),
    format_exact: (amount, unit) =>
      Number.isSafeInteger(amount) && typeof unit === 'string' ? core.format_exact(amount, utf8(unit)) : '',
    format_amount: (amount, unit) =>
      Number.isInteger(amount) && typeof unit === 'string' ? core.format_amount(amount, utf8(unit)) : '',
    format_amounts: (low, high, unit) =>
      Number.isInteger(low) && Number.isInteger(high) && typeof unit === 'string' ? core.format_amounts(low, high, utf8(unit)) : '',
    set_byte_units: (name) => core.set_byte_units(utf8(String(name))),
    compare: (queries, { devices = '' } = {}) => {
      const asked = [...queries].map((query) => String(query).replaceAll('\n', ' '));
      if (!asked.every(is_ready_for)) return { ...no_comparison, issues: [not_there] };
      const lines = asked.map((query) => `${query}\n`);
      return JSON.parse(core.compare(utf8(lines.join('')), utf8(String(devices))));
    },
    given_file: (text, { devices = '' } = {}) => JSON.parse(core.given_file(utf8(String(text)), utf8(String(devices)))),
    result_file: (input, format, { devices = '' } = {}) => {
      const { issues, text, is_json } = scenario_request(input);
      return issues || lacks_readers(utf8(text), is_json) ? { name: '', type: '', text: '' } : core.result_file(utf8(text), is_json, utf8(String(format)), utf8(String(devices)));
    },
  };

  const with_the_rest = {
    catalog: late(no_catalog, () => JSON.parse(core.catalog())),
    // Reads what it wrote, to tell what got lost.
    export_command: of_part(files)(no_command, (input, engine) =>
      JSON.parse(ask((text, is_json) => core.export_command(text, is_json, utf8(String(engine))), input, no_command))),
    solve: (input, goal, field) => {
      const asked = { ...no_solution, field: String(field), goal: String(goal) };
      return late(asked, () =>
        JSON.parse(ask((text, is_json) => core.solve(text, is_json, utf8(asked.goal), utf8(asked.field)), input, asked)))();
    },
    advise: late(no_advice, (input) => JSON.parse(ask(core.advise, input, no_advice))),
    sensitivity: late(no_sensitivity, (input) => JSON.parse(ask(core.sensitivity, input, no_sensitivity))),
    load: late(no_load, (question, limits = {}) => {
      const issues = ['first_token_ms', 'per_token_ms'].flatMap((name) => limit_issues(name, limits[name]));
      if (issues.length > 0) return { ...no_load, issues };
      return JSON.parse(ask(core.load, question, no_load, limits.first_token_ms ?? 0, limits.per_token_ms ?? 0, limits.splits === true));
    }),
    plan_serving: late(no_serving_plan, (question, { prices = '' } = {}) =>
      JSON.parse(ask(core.serving_plan, cost_request(question), no_serving_plan, utf8(String(prices))))),
    plan: async (question, options) => {
      await Promise.all([rest.load(), is_ready_for(cost_request(question)) || files.load()]);
      return search_plans(core, question, options);
    },
    import_config: of_part(files)(no_import, (text) => JSON.parse(import_text(text))),
    import_file: import_bytes,
    import_files: import_several,
  };

  return Object.freeze({ ...at_once, ...with_the_rest, complete: () => files.load(), is_ready_for, ready_for: async (input) => {
    await Promise.all([more?.load(), is_ready_for(input) || files.load()]);
    return true;
  } });
}

const limit_issues = (name, value) =>
  value === undefined || (Number.isSafeInteger(value) && value >= 0) ? [] : [issue(name, `${name} is no whole number of milliseconds.`, 'Write a number such as 500, or leave it out.')];

/** The core knows no clock. */
const date_of_today = () => new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);

/** The core takes UTF-8. A lone surrogate, which has none, becomes U+FFFD here instead of confusing it there. */
const utf8 = (text) => new TextEncoder().encode(text);
