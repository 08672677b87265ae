// Predicted beside measured, as a page: accuracy.html. The summary, then every row of every corpus, the worst first; rows that are not
// covered stand there with the reason. Arithmetic is the core's: here, numbers become text.

import { shell, text } from './shell.mjs';

const digits = new Intl.NumberFormat('en', { maximumFractionDigits: 9 });
const percents = new Intl.NumberFormat('en', { style: 'percent', minimumFractionDigits: 2, maximumFractionDigits: 2 });
const signed_percents = new Intl.NumberFormat('en', { style: 'percent', signDisplay: 'exceptZero', minimumFractionDigits: 3, maximumFractionDigits: 3 });

/** `corpora`: [{name, rows}], rows as `plimsoll accuracy --json` prints them; `summaries`: as with --summary. */
export function accuracy_page({ corpora, summaries, version }) {
  return shell({
    title: 'Accuracy',
    about: 'Predicted beside measured, row by row: what Plimsoll says and what was measured or published, the worst rows first.',
    version,
    body: `<p>Each row is a measurement or a published number, with what Plimsoll predicts from the facts of that row alone. Errors leave out
what the row itself explains. A configuration that was run many times has one vote in the columns on the right. Rows that repeat another one are
listed and not summed up; rows that are not covered are listed with the reason. <code>plimsoll accuracy FILE</code> prints the same for rows of
your own.</p>
${['metric', 'group', 'feature'].map((by) => summary_section(by, summaries.filter((summary) => summary.by === by))).join('\n')}
${corpora.map(corpus_section).join('\n')}`,
  });
}

const columns = ['Of', 'Rows', 'Modelled', 'Compared', 'Exact', 'In range', 'By row: median, 90 %, worst', 'Configurations', 'By configuration: median, 90 %, worst', 'Worst row'];
const titles = { metric: 'By metric', group: 'By group', feature: 'By feature' };

function summary_section(by, summaries) {
  if (summaries.length === 0) return '';
  const table = `<table class="models accuracy" aria-labelledby="by-${by}">
<thead><tr>${columns.map(heading).join('')}</tr></thead>
<tbody>
${summaries.map(summary_row).join('\n')}
</tbody>
</table>`;
  const title = `<h2 id="by-${by}">${titles[by]}</h2>`;
  if (by === 'metric') return title + table;
  return `${title}<details><summary>${counted(summaries.length, 'line')}</summary>${table}</details>`;
}

const heading = (name, column, all) => `<th scope="col"${column > 0 && column < all.length - 1 ? ' class="amount"' : ''}>${name}</th>`;

function summary_row(summary) {
  const spread = ({ median, p90, worst }) => (summary.compared === 0 ? '' : [median, p90, worst].map(percent).join(', '));
  const named = summary.by === 'metric' ? metric_of(summary) : `${summary.key || `no ${summary.by}`}, ${metric_of(summary)}`;
  return `<tr><th scope="row">${text(named)}</th>${[
    amount('Rows', summary.rows), amount('Modelled', summary.modelled), amount('Compared', summary.compared), amount('Exact', summary.exact),
    amount('In range', summary.inside), figure('By row', spread(summary.per_row)), amount('Configurations', summary.configs),
    figure('By configuration', spread(summary.per_config)),
  ].join('')}<td>${summary.worst_id ? `${text(summary.worst_id)}, ${signed_percent(summary.worst_error)}` : ''}</td></tr>`;
}

function corpus_section({ name, rows }, index) {
  const compared = rows.filter((row) => row.status === 'modelled').sort((a, b) => size_of(b) - size_of(a));
  const missing = rows.filter((row) => row.status !== 'modelled');
  return `<section aria-labelledby="corpus-${index}">
<h2 id="corpus-${index}">${text(name)}</h2>
${compared.length > 0 ? `<details><summary>${counted(compared.length)} predicted, the worst first</summary>${rows_table(compared, row_cells, ['Row', 'Metric', 'Predicted', 'Measured', 'Error', 'About it'])}</details>` : ''}
${missing.length > 0 ? `<details><summary>${counted(missing.length)} not covered, with the reason</summary>${rows_table(missing, missing_cells, ['Row', 'Metric', 'Measured', 'Why'])}</details>` : ''}
</section>`;
}

const counted = (count, noun = 'number') => `${digits.format(count)} ${noun}${count === 1 ? '' : 's'}`;

/** Rows that say nothing about the prediction stand last. JSON has no infinite error: it is null where there is a difference. */
function size_of(row) {
  if (row.difference === null || row.measured_is_rounded) return -1;
  return row.unexplained_error === null ? Infinity : Math.abs(row.unexplained_error);
}

function rows_table(rows, cells, headings) {
  const amounts = new Set(['Predicted', 'Measured', 'Error']);
  return `<table class="models accuracy">
<thead><tr>${headings.map((name) => `<th scope="col"${amounts.has(name) ? ' class="amount"' : ''}>${name}</th>`).join('')}</tr></thead>
<tbody>
${rows.map((row) => `<tr><th scope="row">${text(row.id)} <span class="quiet">${text(row.group)}</span></th>${cells(row)}</tr>`).join('\n')}
</tbody>
</table>`;
}

const row_cells = (row) => `<td>${text(metric_of(row))}</td>${amount('Predicted', row.predicted)}${amount('Measured', row.measured)}${figure('Error', error_of(row))}<td>${about(row)}</td>`;

const missing_cells = (row) => `<td>${text(metric_of(row))}</td>${amount('Measured', row.measured)}<td>${text(row.reason)}</td>`;

function error_of(row) {
  if (row.difference === null) return '';
  return row.difference === 0 ? 'exact' : signed_percent(row.unexplained_error);
}

/** What one has to know of a row to read its error. */
function about(row) {
  const remarks = [
    row.measured_is_rounded && 'The published number is rounded.',
    row.explained !== 0 && `The row explains ${digits.format(row.explained)} of the difference.`,
    row.twin && `Repeats ${row.twin}: not summed up.`,
    row.set && `A run apart, not summed up: ${row.set}.`,
    row.assumed.length > 0 && `Assumed: ${row.assumed.join('; ')}.`,
  ].filter(Boolean).map(text);
  const link = row.scenario ? ` <a href="index.html?${text(row.scenario)}">Open</a>` : '';
  return remarks.join(' ') + link;
}

const metric_of = ({ metric, memory, unit }) => [metric || 'no metric', memory && `(${memory})`, unit && `in ${unit}`].filter(Boolean).join(' ');
const amount = (label, value) => figure(label, value === null ? '' : digits.format(value));
const figure = (label, shown) => `<td class="amount" data-label="${label}" data-amount="${shown}">${shown}</td>`;
const percent = (ratio) => (ratio === null ? '∞' : percents.format(ratio)); // JSON has no infinite number
const signed_percent = (ratio) => (ratio === null ? '∞' : signed_percents.format(ratio));
