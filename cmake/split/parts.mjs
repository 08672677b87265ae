// Which functions of a module belong to which of its parts.

/** {source, from, expression, is_asked_for} of each line of a file of patterns: with '!' before it, an earlier part asks for what it names before it calls that. */
export function read_patterns(text, from) {
  return text.split('\n').map((line) => line.replace(/#.*/, '').trim()).filter(Boolean)
    .map((source) => ({ source, from, expression: new RegExp(source.replace(/^! */, '')), is_asked_for: source.startsWith('!') }));
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
 * root belongs to the last part that names it, and everything else to the first that calls it: no part calls a later one directly, but for
 * what is asked for. A function that such a pattern names begins its part as a root does.
 */
export function assign_parts({ all, calls, roots }, name_of, later) {
  const used = new Set();
  const part_of = (id, among) => {
    const name = name_of(id) ?? '';
    return among.reduce((part, patterns, i) => {
      const holds = patterns.filter(({ expression }) => expression.test(name));
      for (const pattern of holds) used.add(pattern);
      return holds.length > 0 ? i + 1 : part;
    }, 0);
  };
  const asked_for = later.map((patterns) => patterns.filter(({ is_asked_for }) => is_asked_for));
  const part_of_asked = new Map([...all].map((id) => [id, part_of(id, asked_for)]).filter(([, part]) => part > 0));
  const part_of_begin = new Map([...[...roots].map((id) => [id, part_of(id, later)]), ...part_of_asked]);
  const assigned = new Set();
  const parts = [[], ...later].map((_, part) => {
    const here = new Set([...part_of_begin.keys()].filter((id) => part_of_begin.get(id) === part && !assigned.has(id)));
    const may_be_here = (id) => !assigned.has(id) && !(part_of_asked.get(id) > part);
    for (const id of here) for (const callee of calls.get(id) ?? []) if (may_be_here(callee)) here.add(callee); // a Set visits what is added meanwhile
    for (const id of here) assigned.add(id);
    return [...here];
  });
  parts.at(-1).push(...[...all].filter((id) => !assigned.has(id))); // what nobody calls
  return { parts, unused: later.flat().filter((pattern) => !used.has(pattern)) };
}

/** Ids of the functions that `patterns` name and of all that these call, but for what one names that is asked for. */
export function reached_from({ all, calls }, name_of, patterns) {
  const is_named = (id, asked_for) => patterns.some(({ expression, is_asked_for }) => is_asked_for === asked_for && expression.test(name_of(id) ?? ''));
  const reached = new Set([...all].filter((id) => is_named(id, false)));
  for (const id of reached) for (const callee of calls.get(id) ?? []) if (all.has(callee) && !is_named(callee, true)) reached.add(callee); // a Set visits what is added meanwhile
  return reached;
}

/** The ids of a part in two: those of `run`, and the others. */
export function cut_first(ids, run) {
  const ran = new Set(run);
  return [ids.filter((id) => ran.has(id)), ids.filter((id) => !ran.has(id))];
}
