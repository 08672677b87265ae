// Compares a picture of the screen with the one that was approved. Both are kept at half their size or less: the files stay small, and the
// edges of letters, which another version of a browser draws a little differently, weigh less.

import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';

import { repository } from '../web/support.mjs';

export const expected_folder = fileURLToPath(new URL('expected', import.meta.url));
const artefacts = join(repository, 'build/artefacts/pictures');

// How unlike one pixel may be (0 to 1, of pixelmatch), and how many of a picture may be more unlike than that. A word that is another
// differs by half a hundred pixels and more, even at half the size; compare.test.mjs shows both sides.
const threshold = 0.1;
const most_different = 0.0001;

/** The mean of every square of `factor` pixels each way; what is left over at the right and below is cut off. */
export function shrunk({ width, height, data }, factor) {
  const small = new PNG({ width: Math.floor(width / factor), height: Math.floor(height / factor) });
  for (let y = 0; y < small.height; ++y) {
    for (let x = 0; x < small.width; ++x) {
      for (let channel = 0; channel < 4; ++channel) {
        let sum = 0;
        for (let row = 0; row < factor; ++row) {
          for (let column = 0; column < factor; ++column) sum += data[((y * factor + row) * width + x * factor + column) * 4 + channel];
        }
        small.data[(y * small.width + x) * 4 + channel] = Math.round(sum / (factor * factor));
      }
    }
  }
  return small;
}

/** { same, words, difference }: a picture of the difference, unless there is none or the sizes differ. */
export function compare(expected, actual) {
  const sizes = [expected, actual].map(({ width, height }) => `${width} × ${height}`);
  if (sizes[0] !== sizes[1]) return { same: false, words: `it is ${sizes[1]} pixels, and was ${sizes[0]}` };
  const { width, height } = expected;
  const difference = new PNG({ width, height });
  const count = pixelmatch(expected.data, actual.data, difference.data, width, height, { threshold, includeAA: true }); // edges of letters count: shrinking has made them soft
  const most = Math.floor(width * height * most_different);
  return { same: count <= most, words: `${count} of ${width * height} pixels differ, and ${most} may`, difference };
}

/** Fails where the picture differs from expected/NAME.png; with PLIMSOLL_APPROVE=1 replaces a file that differs. */
export async function check(name, png, factor) {
  const actual = shrunk(PNG.sync.read(png), factor);
  const path = join(expected_folder, `${name}.png`);
  const known = existsSync(path);
  const result = known ? compare(PNG.sync.read(readFileSync(path)), actual) : { same: false, words: 'it has no approved picture yet' };
  if (result.same) return;
  if (process.env.PLIMSOLL_APPROVE === '1') {
    await mkdir(expected_folder, { recursive: true });
    await writeFile(path, PNG.sync.write(actual, { deflateLevel: 9, colorType: 2 }));
    console.log(`approved: ${relative(repository, path)}${known ? `, where ${result.words}` : ''}`);
    return;
  }
  await mkdir(artefacts, { recursive: true });
  const written = [[`${name}.png`, actual], [`${name}.difference.png`, result.difference]].filter(([, picture]) => picture);
  for (const [file, picture] of written) await writeFile(join(artefacts, file), PNG.sync.write(picture));
  throw new Error(`The picture ${name} has changed: ${result.words}. Look at ${
    written.map(([file]) => relative(repository, join(artefacts, file))).join(' and ')}; if that is as it should be: scripts/approve-pictures ${name}`);
}
