// The models of the catalogue as a page: models.html. How many parameters we count, how many the publisher states, and why the
// two differ where they do.

import { shell, text } from './shell.mjs';

const digits = new Intl.NumberFormat('en');
const number = (amount) => digits.format(amount);
const by_name = new Intl.Collator('en', { numeric: true });

// What a row says about its count, in the order in which the page tells how many there are of each.
const kinds = {
  exact: 'have exactly the published number of parameters',
  explained: 'differ from it by tensors that are named with their size',
  rounded: 'have only a rounded public number',
  open: 'differ by an amount that nobody has explained yet',
};

export function models_page(models, version) {
  const rows = [...models].sort((a, b) => by_name.compare(a.name, b.name)).map((model) => ({ model, ...compared(model) }));
  return shell({
    title: 'Models',
    about: 'Every model of the catalogue: its parameters as counted from its tensors, as published, and why the two differ.',
    version,
    script: 'page/models_table.mjs',
    body: `<p>${number(rows.length)} models are built in, each counted from the shapes of its tensors. ${summary_of(rows)} A model that is not here
is counted from its <code>config.json</code>, its safetensors or its GGUF file: drop it on <a href="index.html">the page</a>, or
give it to <code>plimsoll import</code>.</p>
<table class="models" id="models">
<thead><tr><th scope="col">Model</th><th scope="col" class="amount">Counted</th><th scope="col" class="amount">Published</th><th scope="col" class="amount">Difference</th><th scope="col" class="amount">Active</th><th scope="col">Why, and source</th></tr></thead>
<tbody>
${rows.map(row_of).join('\n')}
</tbody>
</table>`,
  });
}

/** {kind, difference, unexplained}: the published number less ours, and what of it no reason accounts for. */
export function compared({ parameters, published_parameters: published, published_is_exact: exact, differences = [] }) {
  const difference = published - parameters;
  const unexplained = difference - differences.reduce((sum, reason) => sum + reason.parameters, 0);
  if (!exact) return { kind: 'rounded', difference, unexplained: 0 };
  if (difference === 0) return { kind: 'exact', difference, unexplained: 0 };
  return { kind: unexplained === 0 ? 'explained' : 'open', difference, unexplained };
}

function summary_of(rows) {
  const parts = Object.entries(kinds).map(([kind, words]) => [rows.filter((row) => row.kind === kind).length, words]);
  const spoken = parts.filter(([count]) => count > 0).map(([count, words]) => `${number(count)} ${count === 1 ? singular(words) : words}`);
  return `Of these, ${spoken.slice(0, -1).join(', ')}${spoken.length > 1 ? ' and ' : ''}${spoken.at(-1)}.`;
}

const singular = (words) => words.replace(/^have/, 'has').replace(/^differ/, 'differs');

function row_of({ model, kind, difference, unexplained }) {
  const about = [model.id, ...(model.aliases ?? [])].join(' ');
  return `<tr id="${text(model.id)}" data-kind="${kind}" data-words="${text(about)}"><th scope="row"><a href="index.html?model=${encodeURIComponent(model.id)}">${text(model.name)}</a> <span class="quiet">${text(model.family)}</span></th>
${amount_cell('Counted', model.parameters)}
${published_cell(model, kind)}
${difference_cell(kind, difference)}
${active_cell(model)}
<td>${reasons_of(model, kind, unexplained)}</td></tr>`;
}

const amount_cell = (label, amount) => `<td class="amount" data-label="${label}" data-amount="${amount}">${number(amount)}</td>`;

/** "≈" says that the number is rounded. */
function published_cell({ published_parameters: published }, kind) {
  const sign = kind === 'rounded' ? '<abbr title="rounded by the publisher">≈</abbr> ' : '';
  return `<td class="amount" data-label="Published" data-amount="${published}"><span>${sign}${number(published)}</span></td>`;
}

function difference_cell(kind, difference) {
  const shown = kind === 'rounded' ? '' : kind === 'exact' ? 'none' : signed(difference);
  return `<td class="amount ${kind}" data-label="Difference" data-amount="${kind === 'rounded' ? '' : difference}">${shown}</td>`;
}

const signed = (amount) => `${amount < 0 ? '−' : '+'}${number(Math.abs(amount))}`;

/** What one token meets; empty for models whose every parameter it meets. */
function active_cell({ parameters, active_parameters: active, published_active_parameters: published }) {
  if (!active || active === parameters) return '<td class="amount" data-label="Active" data-amount=""></td>';
  const stated = published ? `<br><span class="quiet">≈ ${number(published)} published</span>` : '';
  return `<td class="amount" data-label="Active" data-amount="${active}">${number(active)}${stated}</td>`;
}

function reasons_of({ differences = [], note, source, date }, kind, unexplained) {
  const reasons = differences.map(({ what, parameters }) => `<li>${text(capital(what))}: ${signed(parameters)}</li>`);
  if (kind === 'open') reasons.push(`<li>Not explained: ${signed(unexplained)}</li>`);
  const list = reasons.length > 0 ? `<ul>${reasons.join('')}</ul>` : '';
  const remark = note ? `<p>${text(note)}</p>` : '';
  return `${list}${remark}<details><summary>Source</summary><p>${text(source)}${date ? `; read ${text(date)}` : ''}</p></details>`;
}

const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);
