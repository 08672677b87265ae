// The data section of a WebAssembly module in its binary format (webassembly.github.io/spec/core/binary).

const data_id = 11;
const data_count_id = 12;
const custom_id = 0;
const i32_const = 0x41;
const end = 0x0b;

/** [{id, bytes}] of a module. */
export function read_sections(module) {
  const sections = [];
  for (let at = 8; at < module.length;) {
    const size = read_unsigned(module, at + 1);
    sections.push({ id: module[at], bytes: module.subarray(size.next, size.next + size.value) });
    at = size.next + size.value;
  }
  return sections;
}

/** How many functions a module imports. */
export const imported_functions = (module) => WebAssembly.Module.imports(new WebAssembly.Module(module)).filter(({ kind }) => kind === 'function').length;

/** [{start, bytes}] of a module whose data all lie at constant addresses of its one memory, in the order of their addresses. */
export function read_data(module) {
  const section = read_sections(module).find(({ id }) => id === data_id);
  if (!section) return [];
  const { bytes } = section;
  return read_vector(bytes, 0, (at, i) => {
    if (bytes[at] !== 0 || bytes[at + 1] !== i32_const) throw new Error(`Segment ${i} has no constant address`);
    const start = read_unsigned(bytes, at + 2); // a constant is signed: the last byte of a positive one has a zero as its highest digit
    if (bytes[start.next] !== end) throw new Error(`The address of segment ${i} is more than a constant`);
    const size = read_unsigned(bytes, start.next + 1), next = size.next + size.value;
    return { one: { start: start.value, bytes: bytes.subarray(size.next, next) }, next };
  }).all.sort((one, other) => one.start - other.start);
}

/** The module with these segments in place of its own. Its data were counted where functions copy them, which none does here. */
export function with_data(module, segments) {
  const sections = read_sections(module).filter(({ id }) => id !== data_id && id !== data_count_id);
  const last = sections.findLastIndex(({ id }) => id !== custom_id);
  const body = [unsigned(segments.length), ...segments.flatMap(({ start, bytes }) => [[0, i32_const, ...signed(start), end], unsigned(bytes.length), bytes])];
  if (segments.length > 0) sections.splice(last + 1, 0, { id: data_id, bytes: Buffer.concat(body.map((piece) => Buffer.from(piece))) });
  return joined_sections(sections);
}

/** The module that has these sections. */
export function joined_sections(sections) {
  const magic_and_version = Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
  return Buffer.concat([magic_and_version, ...sections.flatMap(({ id, bytes }) => [Buffer.from([id, ...unsigned(bytes.length)]), bytes])]);
}

/** {all, next} of so many things, which begin at `from`: what `read(at, i)` gives as {one, next} of each, and the place behind them. */
export function read_vector(bytes, from, read) {
  const count = read_unsigned(bytes, from), all = [];
  let at = count.next;
  while (all.length < count.value) {
    const { one, next } = read(at, all.length);
    all.push(one);
    at = next;
  }
  return { all, next: at };
}

/** LEB128. */
export function read_unsigned(bytes, at) {
  let value = 0;
  for (let scale = 1; ; scale *= 128) {
    const byte = bytes[at++];
    value += (byte & 127) * scale;
    if (byte < 128) return { value, next: at };
  }
}

export function unsigned(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return [...bytes, value];
}

/** Of a number that is not negative. */
export function signed(value) {
  const bytes = unsigned(value);
  return bytes.at(-1) < 64 ? bytes : [...bytes.slice(0, -1), bytes.at(-1) | 128, 0];
}
