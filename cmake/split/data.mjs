// Which constants of a module belong to which of its parts. What a part needs is told from the addresses that its functions, and the
// constants that they lead to, hold; where one constant ends and the next begins, from the map of the link.

/**
 * [{start, size, are_strings}] of each constant and variable, in a map as wasm-ld writes it: indented once under the section that it is in. What
 * the linker made itself are the strings of all files, each once.
 */
export function read_map(text) {
  const data = text.slice(text.search(/^.* DATA$/m));
  return [...data.matchAll(/^ *([0-9a-f]+) +[0-9a-f]+ +([0-9a-f]+) {9}(\S+)/gm)]
    .map(([, start, size, name]) => ({ start: parseInt(start, 16), size: parseInt(size, 16), are_strings: name.startsWith('<internal>') }));
}

/** [{start, bytes, is_string}]: segments cut into what the map names. What lies between is nothing but zeros. */
export function cut_at(segments, chunks) {
  const starts = segments.map(({ start }) => start);
  const left = segments.reduce((sum, { bytes }) => sum + bytes.length - zeros_in(bytes), 0);
  const cut = chunks.flatMap(({ start, size, are_strings }) => {
    const around = segments[last_at_most(starts, start)];
    if (size === 0 || !around || start + size > end_of(around)) return [];
    const chunk = { start, bytes: around.bytes.subarray(start - around.start, start - around.start + size) };
    return are_strings ? strings_of(chunk) : [chunk];
  }).sort((one, other) => one.start - other.start);
  const named = cut.reduce((sum, { bytes }) => sum + bytes.length - zeros_in(bytes), 0);
  if (left !== named) throw new Error(`The map names ${named} of ${left} bytes of data: it is of another link, or the link moved them`);
  return cut;
}

function strings_of({ start, bytes }) {
  const strings = [];
  for (let from = 0, to; from < bytes.length; from = to) {
    to = bytes.indexOf(0, from) + 1 || bytes.length;
    strings.push({ start: start + from, bytes: bytes.subarray(from, to), is_string: true });
  }
  return strings;
}

const zeros_in = (bytes) => bytes.reduce((count, byte) => count + (byte === 0), 0);

/** Map of id to addresses of what wasm-dis prints: all constants and offsets of a function that lie in `range` = [first, last]. */
export function read_addresses(text, [first, last]) {
  const by_function = new Map();
  let here = null;
  const take = (address) => address >= first && address <= last && here?.add(address);
  for (const [, name, bits, value, offset] of text.matchAll(/^ \(func \$(\S+)|\((i32|i64)\.const (-?\d+)\)|\boffset=(\d+)|^ \((?:data|export|table|elem|global) /gm)) {
    if (name !== undefined) by_function.set(name, (here = new Set()));
    else if (offset !== undefined) take(Number(offset));
    else if (bits === 'i32') take(Number(value));
    else if (bits === 'i64') for (const half of [BigInt.asUintN(32, BigInt(value)), BigInt.asUintN(64, BigInt(value)) >> 32n]) take(Number(half));
    else here = null;
  }
  return by_function;
}

/**
 * Constants of each part: `parts` holds the ids of its functions, `addresses` is what read_addresses gives, `constants` what cut_at gives. A
 * constant belongs to the first part that can reach it: whose functions, or the constants that it reaches, hold the address of its
 * beginning, or one within it. Of two strings of which one ends as the other the link keeps the longer: that is two constants here, and who reads
 * the first reads on. Functions may also hold an address up to `reach` before it, where a compiler counts
 * from before the first element; in a large text only that of its beginning, since numbers of the program look like addresses. Constants hold addresses within what has fewer than `large` bytes. What nobody seems to read, perhaps because that is farther away, is of the first part.
 * Of parts that may come without one another, `apart` is the first; what both it and the next one can reach belongs to the one before them.
 */
export function assign_data(whole, parts, addresses, { reach = 64, large = 4096, apart = -1 } = {}) {
  const constants = cut_within_strings(whole, addresses);
  const starts = constants.map(({ start }) => start);
  const assigned = new Set();
  const at_address = (address) => {
    const at = last_at_most(starts, address);
    return at >= 0 && address - starts[at] < constants[at].bytes.length + (constants[at].is_string ? 0 : 1) ? at : -1;
  };
  // Numbers look like addresses. Tables of pointers lead to the beginning of what is large, such as a typeface.
  const led_to = (word) => {
    const at = at_address(word);
    return at < 0 || starts[at] === word || constants[at].is_string || constants[at].bytes.length < large ? at : -1;
  };
  // A text of its own, such as a file that is compiled in, is read from its beginning.
  const is_text = (at) => at >= 0 && !constants[at].is_string && constants[at].bytes.length >= large && constants[at].bytes.indexOf(0) >= constants[at].bytes.length - 1;
  const read_by_function = (address) => {
    const here = at_address(address), held = is_text(here) && starts[here] !== address ? [] : [here];
    for (let at = last_at_most(starts, address) + 1; at < starts.length && starts[at] - address < reach; at++) if (!constants[at].is_string) held.push(at);
    return held;
  };
  const reached = (ids) => {
    const here = new Set();
    const take = (at) => {
      if (at < 0 || assigned.has(at)) return;
      here.add(at);
      if (constants[at].goes_on) take(at + 1);
    };
    for (const id of ids) for (const address of addresses.get(id) ?? []) read_by_function(address).forEach(take);
    for (const at of here) { // a Set visits what is added meanwhile
      if (constants[at].is_string) continue;
      for (const word of words_of(constants[at])) take(led_to(word));
    }
    return here;
  };
  const held = parts.map(() => []);
  const assign = (part, here) => {
    for (const at of here) assigned.add(at);
    held[part].push(...here);
  };
  parts.forEach((ids, part) => {
    if (part === apart) {
      const next = reached(parts[part + 1]);
      assign(part - 1, [...reached(ids)].filter((at) => next.has(at)));
    }
    assign(part, reached(ids));
  });
  held[0].push(...[...constants.keys()].filter((at) => !assigned.has(at))); // who reads them is not seen
  return held.map((here) => here.sort((one, other) => one - other).map((at) => constants[at]));
}

/** Strings where one is read from within, in two: the first of them goes on. */
function cut_within_strings(constants, addresses) {
  const starts = constants.map(({ start }) => start);
  const within = new Map(); // index of a string: places in it
  const note = (address) => {
    const at = last_at_most(starts, address);
    if (at < 0 || !constants[at].is_string || address === starts[at] || address >= end_of(constants[at])) return;
    within.set(at, (within.get(at) ?? new Set()).add(address - starts[at]));
  };
  for (const held of addresses.values()) held.forEach(note);
  for (const constant of constants) if (!constant.is_string) words_of(constant).forEach(note);
  return constants.flatMap((constant, at) => {
    if (!within.has(at)) return [constant];
    const places = [0, ...[...within.get(at)].sort((one, other) => one - other), constant.bytes.length];
    return places.slice(0, -1).map((from, i) => ({ start: constant.start + from, bytes: constant.bytes.subarray(from, places[i + 1]), is_string: true, goes_on: i + 2 < places.length }));
  });
}

const end_of = ({ start, bytes }) => start + bytes.length;

/** Pointers are aligned. */
function words_of({ start, bytes }) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const words = [];
  for (let at = (4 - (start % 4)) % 4; at + 4 <= bytes.length; at += 4) words.push(view.getUint32(at, true));
  return words;
}

/** Index of the last of `sorted` that is at most `value`, or -1. */
function last_at_most(sorted, value) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * Fewer and longer segments with the same bytes: neighbours are joined and long runs of zeros, which memory begins with, left out. What lies
 * `between` them is written over with zeros, which a later part must not do: there may be another's.
 */
export function packed(segments, gap = 1024, between = gap) {
  const runs = [];
  for (const { start, bytes } of segments) {
    for (let from = 0; from < bytes.length;) {
      if (bytes[from] === 0) { from++; continue; }
      let to = from + 1;
      for (let zeros = 0; to + zeros < bytes.length && zeros <= gap;) {
        if (bytes[to + zeros] === 0) zeros++;
        else [to, zeros] = [to + zeros + 1, 0];
      }
      const last = runs.at(-1);
      const space = last ? start + from - last.end : Infinity;
      if (space <= (from === 0 ? between : gap)) {
        last.pieces.push(new Uint8Array(space), bytes.subarray(from, to));
        last.end = start + to;
      } else {
        runs.push({ start: start + from, end: start + to, pieces: [bytes.subarray(from, to)] });
      }
      from = to;
    }
  }
  return runs.map(({ start, pieces }) => ({ start, bytes: Buffer.concat(pieces) }));
}
