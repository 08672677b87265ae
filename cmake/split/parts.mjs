// Which functions of a module belong to its first part.

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

/** {calls: Map of id to ids, roots: ids that are exported or stand in a table}, without imports, of what wasm-opt --print-call-graph writes. */
export function read_call_graph(text) {
  const calls = new Map();
  const roots = new Set();
  const imported = new Set([...text.matchAll(/^ {2}"(.*)" \[style="filled", fillcolor="turquoise"\];$/gm)].map(([, id]) => id));
  for (const line of text.split('\n')) {
    const call = /^ {2}"(.*)" -> "(.*)"; \/\/ call$/.exec(line);
    if (call && imported.has(call[2])) continue;
    if (call) {
      if (!calls.has(call[1])) calls.set(call[1], new Set());
      calls.get(call[1]).add(call[2]);
      continue;
    }
    const root = /^ {2}"(.*)" \[style="filled(?:, rounded"|", fillcolor="gray")\];$/.exec(line);
    if (root && !imported.has(root[1])) roots.add(root[1]);
  }
  return { calls, roots };
}

/** {kept: ids of the first part, unused: patterns that match no root}. */
export function keep_first({ calls, roots }, name_of, patterns) {
  const used = new Set();
  const is_late = (id) => {
    const name = name_of(id) ?? '';
    const holds = patterns.filter(({ expression }) => expression.test(name));
    for (const pattern of holds) used.add(pattern);
    return holds.length > 0;
  };
  const kept = new Set([...roots].filter((id) => !is_late(id)));
  for (const id of kept) for (const callee of calls.get(id) ?? []) kept.add(callee); // a Set visits what is added meanwhile
  return { kept: [...kept], unused: patterns.filter((pattern) => !used.has(pattern)) };
}
