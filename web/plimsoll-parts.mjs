// The second part of a compiled module: readers of files and searches, which no estimate needs. It works on the memory of the first
// part, whose calls through pointers lead into it once it is there.

/** {loaded, load()} of the part at `url` that belongs to the module `core`. A failed load is not remembered: the next one tries again. */
export function second_part(core, url) {
  let loading = null;
  const rest = {
    loaded: false,
    load: () => (loading ??= add().catch((reason) => {
      loading = null;
      throw reason;
    })),
  };
  const add = async () => {
    await WebAssembly.instantiate(await compiled(url), { first: core.wasmExports });
    rest.loaded = true;
  };
  return rest;
}

/** Node fetches no files; servers that name another type than application/wasm send the same bytes. */
async function compiled(url) {
  if (url.protocol === 'file:') {
    const file_system = 'node:fs/promises'; // not a literal: a bundler for browsers should not look for it
    const { readFile } = await import(/* @vite-ignore */ file_system);
    return WebAssembly.compile(await readFile(url));
  }
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url.pathname}: ${answer.status}`);
  const is_typed = answer.headers.get('content-type')?.startsWith('application/wasm');
  return is_typed ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer());
}
