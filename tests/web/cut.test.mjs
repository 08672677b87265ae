// How a module is cut beyond what wasm-split does: places of its table that later parts fill, functions that are seldom needed, constants of parts that come
// without one another.

import assert from 'node:assert/strict';

import { joined_sections } from '../../cmake/split/binary.mjs';
import { assign_data } from '../../cmake/split/data.mjs';
import { reached_from, read_patterns } from '../../cmake/split/parts.mjs';
import { read_table, with_own_places } from '../../cmake/split/table.mjs';
import { read_seldom, write_seldom } from '../../cmake/split/usage.mjs';
import { test } from './testing.mjs';

const text = (word) => [word.length, ...Buffer.from(word)];
const vector = (...items) => [items.length, ...items.flat()];
const module_of = (sections) => joined_sections(Object.entries(sections).map(([id, bytes]) => ({ id: Number(id), bytes: Buffer.from(bytes) })));
const sized = (body) => [body.length, ...body];
const [func, table] = [0, 1], [funcref, i32] = [0x70, 0x7f];
const types = vector([0x60, ...vector(), ...vector([i32])], [0x60, ...vector([i32]), ...vector([i32])]); // () and (i32), to i32

/** Calls what is at a place of its table. Places 1 and 2 lead to what is at 0 and 1 of the table of a later part, as wasm-split has it; place 3 has a function of its own. */
const first = module_of({
  1: types,
  2: vector([...text('e'), ...text('host'), func, 0]),
  3: vector([0], [0], [1], [0]),
  4: vector([funcref, 0, 4], [funcref, 0, 2]),
  7: vector([...text('all'), table, 0], [...text('own'), table, 1], [...text('call'), func, 3]),
  9: vector([0, 0x41, 1, 0x0b, ...vector([1], [2], [4])], [6, 1, 0x41, 0, 0x0b, funcref, ...vector([0xd0, funcref, 0x0b], [0xd0, funcref, 0x0b])]),
  10: vector(sized([0, 0x41, 0, 0x11, 0, 1, 0x0b]), sized([0, 0x41, 1, 0x11, 0, 1, 0x0b]), sized([0, 0x20, 0, 0x11, 0, 0, 0x0b]), sized([0, 0x41, 7, 0x0b])),
});
/** Its functions give 40 and 41. */
const later = module_of({
  1: types,
  2: vector([...text(''), ...text('own'), table, funcref, 0, 2]),
  3: vector([0], [0]),
  9: vector([0, 0x41, 0, 0x0b, ...vector([0], [1])]),
  10: vector(sized([0, 0x41, 40, 0x0b]), sized([0, 0x41, 41, 0x0b])),
});

for (const stays of [() => false, (place) => place === 2]) {
  test(`a place in the table is filled by the part that has the function${stays(2) ? ', but where one stays' : ''}`, async () => {
    const cut = with_own_places({ first, later: [later], stays });
    const { instance: { exports } } = await WebAssembly.instantiate(cut.first, { e: { host: () => 0 } });
    for (const place of [1, 2]) assert.throws(() => exports.call(place), WebAssembly.RuntimeError);
    assert.equal(exports.call(3), 7);
    const kept = exports.all.get(2);
    await WebAssembly.instantiate(cut.later[0], { '': exports });
    assert.deepEqual([1, 2, 3].map((place) => exports.call(place)), [40, 41, 7]);
    if (stays(2)) assert.equal(kept(), 41, 'who took it early may call it');
    else assert.throws(kept, WebAssembly.RuntimeError);
  });
}

test('a place of the table tells its function', () => {
  assert.deepEqual([1, 2, 3].map(read_table(first)), ['0', '1', '3']);
});

test('what is heard stays with what it calls, but for what waits', () => {
  const names = { 1: 'on_key()', 2: 'key_of()', 3: 'draw()', 4: 'panel()', 5: 'theme()', 6: 'other()' };
  const graph = { all: new Set(Object.keys(names)), calls: new Map([['1', new Set(['2', '3'])], ['3', new Set(['4', '5'])], ['2', new Set(['5'])], ['6', new Set(['1'])]]) };
  const heard = reached_from(graph, (id) => names[id], read_patterns('^on_\n! ^draw\\(', 'heard.txt'));
  assert.deepEqual([...heard].sort(), ['1', '2', '5']);
});

test('seldom is what did not run, by name; what has none, or has not been seen, is not', () => {
  const is_seldom = read_seldom(write_seldom(['ran()', 'twice()', 'never()', '17'], new Set(['ran()', 'twice()'])));
  assert.deepEqual(['ran()', 'twice()', 'never()', '17', 'new()', undefined].map(is_seldom), [false, false, true, false, false, false]);
});

test('what two parts read that come without one another belongs to the part before them', () => {
  const constants = [0x400, 0x500, 0x600, 0x700].map((start) => ({ start, bytes: Buffer.from('constant') }));
  const addresses = new Map([['early', [0x400]], ['one', [0x400, 0x500, 0x600]], ['other', [0x600, 0x700]]].map(([id, held]) => [id, new Set(held)]));
  const starts = assign_data(constants, [['early'], ['one'], ['other']], addresses, { reach: 4, large: 64, apart: 1 }).map((part) => part.map(({ start }) => start));
  assert.deepEqual(starts, [[0x400, 0x600], [0x500], [0x700]]);
});
