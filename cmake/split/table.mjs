// Where a module's table has a function of a later part, wasm-split puts a small function into the first part that calls the other through that part's own
// table. Thousands of them weigh as much as a question. Here the place in the table is left to the part that has the function, which fills it when it comes.
//
// The binary format: webassembly.github.io/spec/core/binary.

import { imported_functions, joined_sections, read_sections, read_unsigned, read_vector, signed, unsigned } from './binary.mjs';

const ids = { import: 2, function: 3, export: 7, element: 9, code: 10 };
const kinds = { function: 0, table: 1, memory: 2, global: 3, tag: 4 };
const op = { unreachable: 0x00, end: 0x0b, call_indirect: 0x11, local_get: 0x20, i32_const: 0x41 };

/** Which function, as Binaryen calls it, is at a place of a module's one table. */
export function read_table(module) {
  const imported = imported_functions(module);
  const [table] = read_elements(read_sections(module).find(({ id }) => id === ids.element).bytes);
  return (place) => String(table.functions[place - table.offset] - imported);
}

/**
 * {first, later}: the `first` part and the `later` ones, as wasm-split wrote them, with the table filled by who has the functions, but for places that one `stays`
 * at.
 */
export function with_own_places({ first, later, stays }) {
  const sections = read_sections(first);
  const section = (id) => sections.find((one) => one.id === id);
  const names = new Map(read_exports(section(ids.export).bytes).filter(({ kind }) => kind === kinds.table).map(({ name, index }) => [index, name]));
  const imported = imported_functions(first);
  const bodies = read_bodies(section(ids.code).bytes);
  const [table, ...others] = read_elements(section(ids.element).bytes);

  const places = new Map(); // name of a part's table: [{place, index}] of what is to be at a place of the module's table and is at an index of that one
  const nobody = imported + bodies.length; // a new function: who calls a function that is not there yet is stopped
  const functions = table.functions.map((id, i) => {
    const to = bodies[id - imported] && leads_to(bodies[id - imported]);
    if (!to || stays(table.offset + i)) return id;
    const name = names.get(to.table);
    if (!places.has(name)) places.set(name, []);
    places.get(name).push({ place: table.offset + i, index: to.index });
    return nobody;
  });
  section(ids.function).bytes = appended(section(ids.function).bytes, [0]);
  section(ids.code).bytes = appended(section(ids.code).bytes, [3, 0, op.unreachable, op.end]);
  section(ids.element).bytes = written([{ ...table, functions }]); // the others hold nothing
  if (others.some(({ functions: held }) => held.length > 0)) throw new Error('The first part fills the table of another');
  return { first: joined_sections(sections), later: later.map((part) => filling(part, names.get(0), places)) };
}

/** A later part that puts its functions to their `places` in the module's table, too, which is exported by `name`. */
function filling(part, name, places) {
  const sections = read_sections(part);
  const imports = sections.find(({ id }) => id === ids.import), elements = sections.find(({ id }) => id === ids.element);
  if (!elements) return part;
  const tables = read_imports(imports.bytes).filter(({ kind }) => kind === kinds.table);
  const [own] = read_elements(elements.bytes);
  const here = places.get(tables[own.table].name) ?? [];
  if (here.length === 0) return part;
  let table = tables.findIndex((one) => one.name === name);
  if (table < 0) {
    table = tables.length;
    const text = Buffer.from(name);
    imports.bytes = appended(imports.bytes, [0, ...unsigned(text.length), ...text, kinds.table, 0x70, 0, 0]);
  }
  const runs = [];
  for (const { place, index } of here) {
    const last = runs.at(-1), id = own.functions[index - own.offset];
    if (id === undefined) throw new Error(`The table of a part has nothing at ${index}`);
    if (last && last.offset + last.functions.length === place) last.functions.push(id);
    else runs.push({ table, offset: place, functions: [id] });
  }
  elements.bytes = written([own, ...runs]);
  return joined_sections(sections);
}

/** {table, index} of the function that one leads to which does nothing else: its parameters, a constant, and the call. */
function leads_to(body) {
  if (body[0] !== 0) return null; // it has variables
  let at = 1;
  for (let i = 0; body[at] === op.local_get; i++) {
    const local = read_unsigned(body, at + 1);
    if (local.value !== i) return null;
    at = local.next;
  }
  if (body[at] !== op.i32_const) return null;
  const index = read_unsigned(body, at + 1); // not negative
  if (body[index.next] !== op.call_indirect) return null;
  const type = read_unsigned(body, index.next + 1), table = read_unsigned(body, type.next);
  return body[table.next] === op.end && table.next + 1 === body.length && table.value > 0 ? { table: table.value, index: index.value } : null;
}

const read_bodies = (bytes) => read_vector(bytes, 0, (at) => {
  const size = read_unsigned(bytes, at), next = size.next + size.value;
  return { one: bytes.subarray(size.next, next), next };
}).all;

/** [{name, kind, index}] */
const read_exports = (bytes) => read_vector(bytes, 0, (at) => {
  const size = read_unsigned(bytes, at), end = size.next + size.value, index = read_unsigned(bytes, end + 1);
  return { one: { name: bytes.toString('utf8', size.next, end), kind: bytes[end], index: index.value }, next: index.next };
}).all;

/** [{name, kind}] */
function read_imports(bytes) {
  const after_limits = (at) => {
    const least = read_unsigned(bytes, at + 1);
    return bytes[at] & 1 ? read_unsigned(bytes, least.next).next : least.next;
  };
  const after = { // by kind, of what stands behind it
    [kinds.function]: (at) => read_unsigned(bytes, at).next,
    [kinds.table]: (at) => after_limits(at + 1),
    [kinds.memory]: after_limits,
    [kinds.global]: (at) => at + 2,
    [kinds.tag]: (at) => read_unsigned(bytes, at + 1).next,
  };
  return read_vector(bytes, 0, (at) => {
    const module = read_unsigned(bytes, at), size = read_unsigned(bytes, module.next + module.value), end = size.next + size.value, kind = bytes[end];
    return { one: { name: bytes.toString('utf8', size.next, end), kind }, next: after[kind](end + 1) };
  }).all;
}

/** [{table, offset, functions}] of segments that are put into tables at once; one of nothing but null has no functions. */
const read_elements = (bytes) => read_vector(bytes, 0, (at) => {
  const flags = bytes[at];
  if (flags !== 0 && flags !== 2 && flags !== 6) throw new Error(`A segment of elements has the form ${flags}, which wasm-split did not write before`);
  const table = flags === 0 ? { value: 0, next: at + 1 } : read_unsigned(bytes, at + 1);
  const offset = read_unsigned(bytes, table.next + 1);
  const { all: held, next } = read_vector(bytes, offset.next + (flags === 0 ? 1 : 2), flags === 6 ? null_at(bytes) : function_at(bytes));
  return { one: { table: table.value, offset: offset.value, functions: flags === 6 ? [] : held }, next };
}).all;

const function_at = (bytes) => (at) => {
  const { value, next } = read_unsigned(bytes, at);
  return { one: value, next };
};

const null_at = (bytes) => (at) => {
  if (bytes[at] !== 0xd0 || bytes[at + 1] !== 0x70 || bytes[at + 2] !== op.end) throw new Error('A segment of references is not of null alone');
  return { one: null, next: at + 3 };
};

const written = (segments) => Buffer.from([...unsigned(segments.length), ...segments.flatMap(({ table, offset, functions }) => [
  ...(table === 0 ? [0] : [2, ...unsigned(table)]), op.i32_const, ...signed(offset), op.end, ...(table === 0 ? [] : [0]),
  ...unsigned(functions.length), ...functions.flatMap(unsigned)])]);

/** A section of so many things, with one more. */
function appended(bytes, one) {
  const count = read_unsigned(bytes, 0);
  return Buffer.concat([Buffer.from(unsigned(count.value + 1)), bytes.subarray(count.next), Buffer.from(one)]);
}
