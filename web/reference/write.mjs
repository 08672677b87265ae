// Writes what follows from the field tables: plimsoll-fields.d.ts and fields.html, into the folder that holds the built package.
//   node write.mjs FOLDER

import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { page_of } from './page.mjs';
import { types_of } from './types.mjs';

const folder = resolve(process.argv[2] ?? '.');
const { load } = await import(pathToFileURL(join(folder, 'plimsoll.mjs')));
const plimsoll = await load();
const fields = plimsoll.fields();

await writeFile(join(folder, 'plimsoll-fields.d.ts'), types_of(fields));
await writeFile(join(folder, 'fields.html'), page_of(fields, plimsoll.version));
