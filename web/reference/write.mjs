// Writes what follows from the field tables and the catalogue: plimsoll-fields.d.ts, fields.html and models.html, and the pages
// that show numbers of this build: method.html and embedding.html. Into the folder that holds the built package.
//   node write.mjs FOLDER

import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { embedding_page } from './embedding_page.mjs';
import { fields_page } from './fields_page.mjs';
import { method_page } from './method_page.mjs';
import { models_page } from './models_page.mjs';
import { types_of } from './types.mjs';

const folder = resolve(process.argv[2] ?? '.');
const { load } = await import(pathToFileURL(join(folder, 'plimsoll.mjs')));
const plimsoll = await load();
const fields = plimsoll.fields();

await writeFile(join(folder, 'plimsoll-fields.d.ts'), types_of(fields));
await writeFile(join(folder, 'fields.html'), fields_page(fields, plimsoll.version));
await writeFile(join(folder, 'models.html'), models_page(plimsoll.catalog().models, plimsoll.version));
await writeFile(join(folder, 'method.html'), method_page(plimsoll));
await writeFile(join(folder, 'embedding.html'), await embedding_page(plimsoll));
