// Later parts of a compiled module: what draws, more of what answers and draws, searches, then readers of files and what is written for others. They work on
// the memory of the first part, whose calls through pointers lead into them once they are there, and bring the constants that they read.

/**
 * {drawing, more, rest, files} of the module `core` by their addresses; a module that does not draw has neither of the first two, which need each other only
 * when something is drawn. The others come with all before them. Bundlers find a file where its whole name is written beside import.meta.url.
 */
export function later_parts(core, addresses) {
  const parts = {};
  for (const name of ['drawing', 'more', 'rest', 'files'].filter((one) => one in addresses)) {
    const needs_none = name === 'drawing' || name === 'more';
    parts[name] = later_part(core, addresses[name], needs_none ? [] : Object.values(parts));
  }
  return parts;
}

/**
 * {loaded, load(on_bytes)} of the part at `url`, or of a promise of its compiled code, that belongs to the module `core` and works with the parts `before`. A
 * failed load is not remembered: the next one tries again. `on_bytes(count)`, which may be left out, hears how many bytes of the part have come.
 */
export function later_part(core, url, before = []) {
  let loading = null;
  const part = {
    loaded: false,
    load: (on_bytes) => (loading ??= add(on_bytes).catch((reason) => {
      loading = null;
      throw reason;
    })),
  };
  const add = async (on_bytes) => {
    const [module] = await Promise.all([url instanceof URL ? compiled(url, on_bytes) : url, ...before.map((part) => part.load())]);
    await WebAssembly.instantiate(module, { '': core.wasmExports });
    part.loaded = true;
  };
  return part;
}

/** The first part of a module, of its compiled `code`, with the `others` whose code is given, or promises of it (cmake/SplitModule.cmake). */
async function instance_of(code, imports, others) {
  const instance = await WebAssembly.instantiate(code, imports);
  for (const other of others) await WebAssembly.instantiate(await other, { '': instance.exports });
  return instance;
}

/**
 * An instance_of() the code that works without the module's script, since an estimate asks its host for nothing: {exports, memory}. `names` are those of some
 * of its exports, {start, malloc, headline}.
 */
export async function first_part(code, names, ...others) {
  const imports = {};
  for (const { module, name } of WebAssembly.Module.imports(code)) (imports[module] ??= {})[name] = () => 0;
  const { exports } = await instance_of(code, imports, others);
  exports[names.start]();
  return { exports, memory: Object.values(exports).find((one) => one instanceof WebAssembly.Memory) };
}

/** {ok, headline} of a query, in units "gib" or "gb", by a first_part(). Throws, and breaks that part, where the question needs functions of another. */
export function headline_by({ exports, memory }, names, query, units) {
  const written = (text) => {
    const bytes = new TextEncoder().encode(`${text}\0`), at = exports[names.malloc](bytes.length);
    new Uint8Array(memory.buffer).set(bytes, at);
    return at;
  };
  const at = exports[names.headline](written(query), written(units)), bytes = new Uint8Array(memory.buffer);
  return JSON.parse(new TextDecoder().decode(bytes.slice(at, bytes.indexOf(0, at))));
}

/** What the script `create` of a module makes of an instance_of() its code and that of its second part. */
export function made_of(create, code, second) {
  return new Promise((resolve, reject) => {
    const instantiateWasm = (imports, receive) => {
      instance_of(code, imports, [second]).then(receive).catch(reject);
      return {};
    };
    create({ instantiateWasm }).then(resolve, reject);
  });
}

/** The module at `url`. Node fetches no files; servers that name another type than application/wasm send the same bytes. */
export async function compiled(url, on_bytes = null) {
  if (url.protocol === 'file:') {
    const file_system = 'node:fs/promises'; // not a literal: a bundler for browsers should not look for it
    const { readFile } = await import(/* @vite-ignore */ file_system);
    return WebAssembly.compile(await readFile(url));
  }
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url.pathname}: ${answer.status}`);
  if (on_bytes) count_bytes(answer.clone(), on_bytes).catch(() => {}); // the other copy tells what went wrong
  const is_typed = answer.headers.get('content-type')?.startsWith('application/wasm');
  return is_typed ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer());
}

/** As they are unpacked: how many a server sends is not told. */
async function count_bytes(answer, on_bytes) {
  const reader = answer.body.getReader();
  let count = 0;
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) on_bytes(count += chunk.value.length);
}
