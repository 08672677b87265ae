// Answers for agents: the sentence to quote, the parts with formula, source and range, and the link under which a person sees the same. Values are
// picked, never computed.

/** Where a person sees the same: the query of a link, the link itself where the page has an address, and the command. */
const link_of = (site, query) => ({
  query,
  url: site ? `${site}?${query}` : null,
  command: `plimsoll estimate '${query}'`,
});

const leaves = (component) => (component.parts.length === 0 ? [component] : component.parts.flatMap(leaves));

const part_of = ({ id, label, text, exact, low, high, unit, formula, symbols, citation, basis }) => ({
  id, label, text, exact, low, high, unit, basis, formula,
  symbols: symbols.map((one) => `${one.name} = ${one.text}${one.unit ? ` ${one.unit}` : ''}: ${one.meaning}`),
  source: citation && { text: citation.text, url: citation.url },
});

/** A line for each term, then each source once, under the number that the terms refer to it by. */
function term_lines(terms) {
  const sources = [...new Map(terms.filter(({ source }) => source).map(({ source }) => [source.text, source])).values()];
  const number_of = (source) => sources.findIndex(({ text }) => text === source.text) + 1;
  return [
    ...terms.map(({ label, text, basis, formula, source }) => `${label}: ${text} (${basis})${formula ? ` = ${formula}` : ''}${source ? ` [${number_of(source)}]` : ''}`),
    ...sources.map(({ text, url }, i) => `[${i + 1}] ${text}${url ? ` ${url}` : ''}`),
  ];
}

const issues_text = (issues) => issues.map(({ severity, field, message, remedy }) => `${severity}${field ? ` in ${field}` : ''}: ${message} ${remedy}`);

export function results_of({ site }) {
  const linked = (query) => (query ? link_of(site, query) : null);

  /** What a tool gives back: words for reading, and the same as an object. */
  const result = (words, structured, isError = false) => ({
    content: [{ type: 'text', text: words.filter(Boolean).join('\n') }, { type: 'text', text: JSON.stringify(structured) }],
    structuredContent: structured,
    isError,
  });

  const refused = (issues) => result(issues_text(issues), { ok: false, issues }, true);

  /** One message of something that never reached the estimator. */
  const failed = (message, remedy = '') => refused([{ severity: 'error', field: '', message, remedy }]);

  const link_line = (link) => link && `See ${link.url ?? link.command}`;

  /** Of explain(): verdict, range, speed and every term of the fullest GPU. */
  const explained = (answer, { details }) => {
    if (!answer.ok) return refused(answer.issues);
    const { headline, estimate, explanation, issues, query } = answer;
    const { process } = estimate.memory;
    const link = linked(query);
    const terms = leaves(explanation.memory).map(part_of);
    const structured = {
      ok: true,
      verdict: `${headline.verdict} ${headline.rest}`,
      detail: headline.detail,
      fits: estimate.verdict.holds,
      needs: { text: process.text, range: process.range_text, expected_bytes: process.expected_bytes, low_bytes: process.low_bytes, high_bytes: process.high_bytes },
      usable: { text: estimate.usable_text, bytes: estimate.usable_bytes },
      gpus: estimate.gpus,
      peak_moment: estimate.peak.label,
      terms,
      facts: explanation.facts.map(part_of),
      remedies: estimate.verdict.remedies,
      issues,
      link,
    };
    if (details) structured.details = details(answer);
    return result([structured.verdict, structured.detail, ...term_lines(terms), ...issues_text(issues), link_line(link)], structured);
  };

  /** Of any other answer: a sentence, the answer without what nobody reads, and the link of its best. */
  const answered = (answer, { says, keep, query }) => {
    if (!answer.ok && answer.issues.some(({ severity }) => severity === 'error')) return refused(answer.issues);
    const link = linked(query);
    return result([...says, ...issues_text(answer.issues), link_line(link)], { ok: answer.ok, ...keep, issues: answer.issues, link });
  };

  return { failed, explained, answered, part_of };
}
