// The tools, each a question that the npm package answers.

import { file, question, source_of, value, z } from './inputs.mjs';

const most = 12; // of a list that nobody limited: an agent reads all that it is given
const searched = { models: 'model', devices: 'device', weight_formats: 'weight_dtype', profiles: 'profile' };

/** A question with further keys. */
const with_keys = (asked, more) => {
  if (typeof asked === 'string') {
    const query = new URLSearchParams(asked.replace(/^\?/, ''));
    for (const [key, each] of Object.entries(more)) if (each !== undefined) query.set(key, String(each));
    return query.toString();
  }
  return { ...asked, ...Object.fromEntries(Object.entries(more).filter(([, each]) => each !== undefined)) };
};

const find_part = (component, id) => {
  if (component.id === id) return component;
  for (const part of component.parts) {
    const found = find_part(part, id);
    if (found) return found;
  }
  return null;
};

export function tools(plimsoll, { explained, answered, failed, part_of }) {
  /** A file that is not there, or a mistake of ours, is an answer too. */
  const guarded = (answer) => async (...asked) => {
    try {
      return await answer(...asked);
    } catch (failure) {
      return failed(failure.message);
    }
  };

  let whole_catalog = null; // it takes longer to write than to search, and never changes
  const rows_of = (what) => new Map((whole_catalog ??= plimsoll.catalog())[what].map((row) => [row.id, row]));

  const all = [
    {
      name: 'estimate',
      title: 'Does it fit, and what takes the memory?',
      description:
        'Memory of one GPU for serving, fine-tuning or pre-training a language model: the verdict in words, what the process needs with its range, what the device has, ' +
        'every term with its formula, source and how sure it is, tokens per second or time per step, and the link under which a person sees the same.',
      input: { question },
      answer: ({ question: asked }) => explained(plimsoll.explain(asked), {
        details: ({ estimate }) => ({ speed: estimate.speed, time: estimate.time, kv_cache_bytes_per_token: estimate.kv_cache_bytes_per_token, moments: estimate.moments.map(({ label, text, range_text }) => ({ label, text, range: range_text })) }),
      }),
    },
    {
      name: 'explain',
      title: 'Where does this number come from?',
      description: 'One number as a tree down to its formulas, symbols and sources: an id of a term or fact that estimate gave, such as memory.kv_cache or fact.tokens_per_second; "parameters" for the count of the model.',
      input: { question, part: z.string().default('memory').describe('The id of the number') },
      answer: ({ question: asked, part }) => {
        const answer = plimsoll.explain(asked);
        if (!answer.ok) return explained(answer, {});
        const { memory, parameters, facts } = answer.explanation;
        const roots = [memory, parameters, ...facts];
        const found = roots.map((root) => find_part(root, part)).find(Boolean);
        if (!found) return failed(`There is no number ${part} in this answer.`, `Ask for one of ${[...memory.parts, ...roots].map(({ id }) => id).join(', ')}.`);
        const tree = (component) => ({ ...part_of(component), parts: component.parts.map(tree) });
        return answered(answer, { says: [`${found.label}: ${found.text}${found.formula ? ` = ${found.formula}` : ''} (${found.basis})`], keep: { explanation: tree(found) }, query: answer.query });
      },
    },
    {
      name: 'fit',
      title: 'What is the most that fits, or what must change?',
      description:
        'With goal and field: the largest (context_tokens, batch, rank, gpu_layers, weight_dtype, model) or smallest (device, tensor_parallel, gpus, instance) value that fits, and the next one, which does not. ' +
        'Without: what to change to make the scenario fit, or what would break it first.',
      input: { question, goal: z.enum(['largest', 'smallest']).optional(), field: z.string().optional() },
      answer: ({ question: asked, goal, field }) => {
        if ((goal === undefined) !== (field === undefined)) return failed('goal and field belong together.', 'Give both, such as goal="largest" and field="context_tokens", or neither for advice.');
        if (goal === undefined) {
          const advice = plimsoll.advise(asked);
          const { fits, needs_text, usable_text, changes, limits, tried } = advice;
          const says = [`It ${fits ? 'fits' : 'does not fit'}: it needs ${needs_text} of ${usable_text}.`, ...changes.slice(0, most).map(({ text, needs_text: needs }) => `${text}: ${needs}`)];
          return answered(advice, { says, keep: { fits, needs_text, usable_text, tried, changes: changes.slice(0, most), limits: limits.slice(0, most) }, query: changes[0]?.query ?? null });
        }
        const solved = plimsoll.solve(asked, goal, field);
        const { answer, next, method, tried, query } = solved;
        const says = answer
          ? [`${goal} ${field}: ${answer.value}, which needs ${answer.needs_text} of ${answer.usable_text}.`, next && `${next.value} does not: ${next.needs_text ?? next.verdict}.`]
          : [`No ${field} fits.`, next && `The closest, ${next.value}: ${next.needs_text ?? next.verdict} of ${next.usable_text ?? 'what there is'}.`];
        return answered(solved, { says, keep: { goal, field, answer, next, method, tried }, query });
      },
    },
    {
      name: 'plan',
      title: 'Which way of training or serving is best?',
      description:
        'An exact search. Of a training task: degrees of parallelism, schedules, sharding, micro-batches and recomputation for so many GPUs, the fastest, cheapest or roomiest first. ' +
        'Of task=inference: weight and cache formats, GPUs of a replica, replicas and concurrency.',
      input: {
        question,
        gpus: z.union([z.number().int().positive(), z.string()]).optional().describe('In all; several to compare: "32,64"'),
        objective: z.string().optional().describe('Training: time, cost, headroom, gpus, energy or safest (least chance of running out of memory). Serving: throughput and others that an unknown word lists'),
        top: z.number().int().min(1).max(50).default(5).describe('Plans to list'),
      },
      answer: async ({ question: asked, gpus, objective, top }, signal) => {
        const { scenario, issues } = plimsoll.estimate(asked);
        if (scenario === null) return answered({ ok: false, issues }, { says: [] });
        const whole = with_keys(asked, { gpus, objective });
        const found = scenario.task === 'inference' ? plimsoll.plan_serving(whole) : await plimsoll.plan(with_keys(whole, { top }), { signal });
        const best = found.best.slice(0, top);
        const says = [`${found.counts.tried} ways tried, ${found.counts.held} hold.`, ...best.map(({ text, needs_text, time, cost, rate }, i) => `${i + 1}. ${[text, needs_text, time?.text, cost?.text, rate?.text].filter(Boolean).join('; ')}`)];
        return answered(found, { says, keep: { objective: found.objective, counts: found.counts, best }, query: best[0]?.query ?? null });
      },
    },
    {
      name: 'load',
      title: 'How long do users wait, and what does a token cost?',
      description:
        'A simulated server of an inference engine. The question states prompt_tokens, answer_tokens and concurrency or request_rate (per second) besides model, device and profile; turns makes requests turns of conversations; ' +
        'price_per_gpu_hour for costs. With limits also the highest load of which nine of ten requests keep them.',
      input: {
        question,
        first_token_ms: z.number().int().positive().optional().describe('Limit on the time to the first token'),
        per_token_ms: z.number().int().positive().optional().describe('Limit on the time from token to token'),
      },
      answer: ({ question: asked, first_token_ms, per_token_ms }) => {
        const { lines = [], ...load } = plimsoll.load(asked, { first_token_ms, per_token_ms });
        return answered(load, { says: lines.map(({ label, text }) => (label ? `${label}: ${text}` : text)), keep: load, query: load.query });
      },
    },
    {
      name: 'cost',
      title: 'What does it cost?',
      description: 'Money, energy and carbon of GPUs for a time: dated offers that fit, the cheapest first, each with its source. Besides a scenario it takes hours, gpu_hours, gpus, cloud, region, kind, budget.',
      input: { question, today: z.string().optional().describe('YYYY-MM-DD, in place of the clock') },
      answer: ({ question: asked, today }) => {
        const cost = plimsoll.cost(asked, today === undefined ? {} : { today });
        const options = cost.options.slice(0, most);
        const says = cost.cheapest ? [`The cheapest of ${cost.options_found} offers: ${cost.cheapest.price.cloud}, ${cost.cheapest.price.instance ?? cost.cheapest.device}.`] : ['No offer fits.'];
        return answered(cost, { says, keep: { today: cost.today, options_found: cost.options_found, cheapest: cost.cheapest, fastest: cost.fastest, options, ways: cost.ways }, query: null });
      },
    },
    {
      name: 'import',
      title: 'What does this file or command ask for?',
      description:
        'Reads what people have: config.json, safetensors and GGUF headers, command lines of engines, sbatch and shell scripts, manifests of Kubernetes and Compose, training configurations, logs. ' +
        'Gives the fields for estimate, what was not read, and what is asked back.',
      input: {
        files: z.array(file).min(1).max(16).describe('Files that make one question'),
        answers: z
          .object({ gpus: z.number().int().positive(), device: z.string(), vocab: value, context_tokens: z.number().int().positive(), command: z.number().int().positive(), set: z.record(z.string(), value) })
          .partial()
          .optional()
          .describe('Answers to the questions of a former call'),
      },
      answer: async ({ files, answers = {} }, signal) => {
        const read = await plimsoll.import_files(await Promise.all(files.map(source_of)), { ...answers, signal });
        const asks = (read.questions ?? []).map(({ question: text }) => `Asked back: ${text}`);
        return answered(read, { says: [`Read as ${read.name ?? read.engine ?? read.kind}.`, ...asks], keep: { ...read }, query: read.query });
      },
    },
    {
      name: 'export',
      title: 'How is it launched?',
      description: 'The scenario as the command line of an inference engine, the configuration of a training framework, or a launch manifest, with comments that name what it cannot say. An unknown target lists all.',
      input: { question, to: z.string().describe('vllm, sglang, llama_cpp, deepspeed, axolotl, kubernetes, slurm and others') },
      answer: ({ question: asked, to }) => {
        const written = plimsoll.export_command(asked, to);
        return answered(written, { says: [written.text], keep: { text: written.text }, query: plimsoll.validate(asked).query });
      },
    },
    {
      name: 'catalog',
      title: 'Which models, devices and formats are known?',
      description: 'What is built in, each row with its source and date: models, devices, weight_formats, profiles of engines and frameworks, prices; fields lists the inputs of every question. Letters find ids, names and aliases.',
      input: {
        what: z.enum(['models', 'devices', 'weight_formats', 'profiles', 'prices', 'fields']),
        search: z.string().default('').describe('A few letters'),
        most: z.number().int().min(1).max(500).default(most),
      },
      answer: ({ what, search, most: wanted }) => {
        const finds = (row) => JSON.stringify(row).toLowerCase().includes(search.toLowerCase());
        let rows;
        if (what === 'prices') rows = plimsoll.prices().filter(finds);
        else if (what === 'fields') rows = plimsoll.fields().filter(({ name, label, help }) => finds([name, label, help]));
        else {
          const known = rows_of(what);
          rows = plimsoll.search(searched[what], search).map((id) => known.get(id)).filter(Boolean);
        }
        const shown = rows.slice(0, wanted);
        const says = [`${rows.length} ${what.replace('_', ' ')}${rows.length > shown.length ? `, of which ${shown.length} are listed` : ''}`, ...shown.map(({ id, name, label }) => [id, name ?? label].filter(Boolean).join(': '))];
        return answered({ ok: true, issues: [] }, { says, keep: { found: rows.length, rows: shown }, query: null });
      },
    },
  ];
  return all.map((tool) => ({ ...tool, answer: guarded(tool.answer) }));
}
