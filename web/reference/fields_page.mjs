// The field tables as a page: fields.html.

import { shell, text } from './shell.mjs';
import { capital, default_of, range_of } from './words.mjs';

const titles = {
  task: 'Task', model: 'Model', hardware: 'Hardware', workload: 'Workload', tuning: 'Tuning', strategy: 'Strategy',
  parallel: 'Parallelism', profile: 'Profile', cost: 'Money and energy',
};

export function fields_page(fields, version) {
  const topics = [...new Set(fields.map((field) => field.topic))];
  return shell({
    title: 'Fields',
    about: 'Every field of a Plimsoll scenario with its unit, range, default and meaning.',
    version,
    body: `<p>A scenario is a set of fields. Their names are the same everywhere: in a link
(<a href="index.html?model=llama-3-8b&amp;batch=4"><code>?model=llama-3-8b&amp;batch=4</code></a>), in JSON, in JavaScript, and,
with <code>-</code> for <code>_</code>, as a flag of the command line (<code>--context-tokens 8192</code>).</p>
${topics.map((topic) => section_of(topic, fields.filter((field) => field.topic === topic))).join('\n')}`,
  });
}

function section_of(topic, fields) {
  return `<section aria-labelledby="topic-${topic}">
<h2 id="topic-${topic}">${titles[topic] ?? text(topic)}</h2>
<table class="fields">
<thead><tr><th scope="col">Field</th><th scope="col">Meaning</th><th scope="col">Value</th><th scope="col">Default</th></tr></thead>
<tbody>
${fields.map(row_of).join('\n')}
</tbody>
</table>
</section>`;
}

function row_of(field) {
  const tasks = field.tasks.length < 3 ? ` <span class="quiet">Matters for ${text(field.tasks.join(', '))}.</span>` : '';
  return `<tr id="${text(field.name)}"><th scope="row"><code>${text(field.name)}</code></th>
<td><strong>${text(capital(field.label))}.</strong> ${text(field.help)}${tasks}</td>
<td>${value_of(field)}</td>
<td>${default_cell(field)}</td></tr>`;
}

function value_of(field) {
  if (field.kind === 'integer') return text(`${range_of(field)} ${field.unit}`.trim());
  if (field.kind === 'flag') return '<code>true</code> or <code>false</code>';
  if (field.kind === 'id') return field.topic === 'model' ? 'the id of a <a href="models.html">model</a>' : 'the id of a preset';
  if (field.kind === 'text') return 'text';
  const any = field.parts.length > 0 ? `<p>or any of ${field.parts.map(({ name }) => `<code>${name}</code>`).join(', ')}, joined by commas</p>` : '';
  return `<dl>${field.choices.map(choice_of).join('')}</dl>${any}`;
}

function choice_of(choice) {
  const about = [choice.label, choice.help].filter(Boolean).join('. ');
  return `<dt><code>${text(choice.name)}</code></dt><dd>${text(about)}</dd>`;
}

function default_cell(field) {
  if (default_of(field)) return text(default_of(field));
  return field.kind === 'id' ? '' : ({ model: 'the model’s', hardware: 'the device’s' })[field.topic] ?? '';
}
