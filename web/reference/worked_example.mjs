// One estimate written out, for readers without scripts and for the page about the method. The numbers are the core's, of this build.

import { text } from './shell.mjs';

export const example_query = 'model=llama-3-8b&device=rtx4090&task=inference&batch=4';

export function worked_example(plimsoll) {
  const { scenario, headline, estimate, explanation } = plimsoll.explain(example_query);
  const { memory } = explanation;
  return `<h2>Llama 3 8B on an RTX 4090, four conversations at once</h2>
<p>The question: does ${text(plimsoll.format_exact(estimate.parameters, 'parameters'))} in ${text(scenario.weight_dtype)} fit on a GeForce RTX 4090,
of whose memory ${text(estimate.usable_text)} can be used, while it serves four sequences of 8,192 tokens?</p>
<p><strong>${text(headline.verdict)} ${text(headline.rest)}</strong> ${text(headline.detail)}</p>
<table class="fields example">
<thead><tr><th scope="col">What</th><th scope="col">How it is computed</th><th scope="col" class="amount">Amount</th><th scope="col">How sure</th></tr></thead>
<tbody>
${memory.parts.map(row_of).join('\n')}
<tr><th scope="row">At the peak (${text(estimate.peak.label)})</th><td>The sum.</td><td class="amount">${text(memory.exact)}</td><td>${text(memory.basis)}</td></tr>
</tbody>
</table>
<p>The whole process takes ${text(estimate.memory.process.text)} (likely ${text(estimate.memory.process.range_text)}): the allocator rounds what tensors ask for up to blocks and
takes memory from the driver in segments. Against ${text(estimate.usable_text)} that leaves ${text(estimate.headroom_text)}.</p>`;
}

function row_of(component) {
  const { label, exact, basis, formula } = component;
  const how = formula ? formula_of(component) : `The sum of ${text(component.parts.map((part) => part.label.toLowerCase()).join(', '))}.`;
  return `<tr><th scope="row">${text(label)}</th><td>${how}</td><td class="amount">${text(exact)}</td><td>${text(basis)}</td></tr>`;
}

function formula_of({ formula, symbols, citation }) {
  const values = symbols.map(({ name, text: value, unit }) => `<code>${text(name)}</code> ${text(`${value} ${unit}`.trim())}`);
  return `<code>${text(formula)}</code> with ${values.join(', ')}.${citation ? ` <span class="quiet">${text(citation.text)}</span>` : ''}`;
}
