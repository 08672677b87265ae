// The field tables as a TypeScript interface.

import { capital, default_of, range_of } from './words.mjs';

export function types_of(fields) {
  const members = fields.map((field) => `  /** ${doc_of(field)} */\n  ${field.name}?: ${type_of(field)};\n`);
  return `// Written by the build from the field tables of the core.

/** What a scenario may state. */
export interface ScenarioFields {
${members.join('\n')}}
`;
}

function type_of(field) {
  if (field.kind === 'integer') return 'number';
  if (field.kind === 'flag') return 'boolean';
  if (field.kind !== 'choice') return 'string';
  return [...field.choices.map((choice) => `'${choice.name}'`), ...(field.parts.length > 0 ? ['(string & {})'] : [])].join(' | ');
}

function doc_of(field) {
  const range = range_of(field);
  const notes = [
    range && `Range: ${[range, field.unit].filter(Boolean).join(' ')}.`,
    default_of(field) && `Default: ${default_of(field)}.`,
    field.tasks.length < 3 && `Matters for: ${field.tasks.join(', ')}.`,
  ];
  return [`${capital(field.label)}.`, field.help, ...notes].filter(Boolean).join(' ').replaceAll('*/', '* /');
}
