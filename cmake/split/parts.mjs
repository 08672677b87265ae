// Which functions of a module belong to which of its parts.

/** {source, from, expression} of each line of a file of patterns. */
export function read_patterns(text, from) {
  return text.split('\n').map((line) => line.replace(/#.*/, '').trim()).filter(Boolean)
    .map((source) => ({ source, from, expression: new RegExp(source) }));
}

/** A function from what Binaryen calls a function to its name in the source: where names are stripped, it counts those that are defined. */
export function read_names(symbols, imports) {
  const readable = (name) => name.replace(/\\([0-9a-f]{2})/g, (_, code) => String.fromCharCode(parseInt(code, 16)));
  const by_index = symbols.split('\n').filter(Boolean).map((line) => readable(line.slice(line.indexOf(':') + 1)));
  return (id) => (/^\d+$/.test(id) ? by_index[Number(id) + imports] : readable(id));
}

/** {all, calls: Map of id to ids, roots: ids that are exported or stand in a table}, without imports, of what wasm-opt --print-call-graph writes. */
export function read_call_graph(text) {
  const all = new Set();
  const calls = new Map();
  const roots = new Set();
  const imported = new Set([...text.matchAll(/^ {2}"(.*)" \[style="filled", fillcolor="turquoise"\];$/gm)].map(([, id]) => id));
  for (const line of text.split('\n')) {
    const call = /^ {2}"(.*)" -> "(.*)"; \/\/ call$/.exec(line);
    if (call && imported.has(call[2])) continue;
    if (call) {
      if (!calls.has(call[1])) calls.set(call[1], new Set());
      calls.get(call[1]).add(call[2]);
      for (const id of call.slice(1)) all.add(id);
      continue;
    }
    const [, id, style] = /^ {2}"(.*)" \[(style="filled.*)\];$/.exec(line) ?? [];
    if (id === undefined || imported.has(id)) continue;
    all.add(id);
    if (style === 'style="filled, rounded"' || style === 'style="filled", fillcolor="gray"') roots.add(id);
  }
  return { all, calls, roots };
}

/**
 * {parts: ids of each part, unused: patterns that match no root}. `later` holds the patterns of the second part, of the third and so on. A
 * root belongs to the last part that names it, and everything else to the first that calls it: no part calls a later one directly.
 */
export function assign_parts({ all, calls, roots }, name_of, later) {
  const used = new Set();
  const part_of = (id) => {
    const name = name_of(id) ?? '';
    return later.reduce((part, patterns, i) => {
      const holds = patterns.filter(({ expression }) => expression.test(name));
      for (const pattern of holds) used.add(pattern);
      return holds.length > 0 ? i + 1 : part;
    }, 0);
  };
  const part_of_root = new Map([...roots].map((id) => [id, part_of(id)]));
  const assigned = new Set();
  const parts = [[], ...later].map((_, part) => {
    const here = new Set([...roots].filter((id) => part_of_root.get(id) === part && !assigned.has(id)));
    for (const id of here) for (const callee of calls.get(id) ?? []) if (!assigned.has(callee)) here.add(callee); // a Set visits what is added meanwhile
    for (const id of here) assigned.add(id);
    return [...here];
  });
  parts.at(-1).push(...[...all].filter((id) => !assigned.has(id))); // what nobody calls
  return { parts, unused: later.flat().filter((pattern) => !used.has(pattern)) };
}

/** The ids of a part in two: those of `run`, and the others. */
export function cut_first(ids, run) {
  const ran = new Set(run);
  return [ids.filter((id) => ran.has(id)), ids.filter((id) => !ran.has(id))];
}
