// The estimator as a service over HTTP: a question to a path, JSON back. It answers with what the npm package answers, character by character where that is
// what the command line prints, and keeps nothing.

import { createServer } from 'node:http';

import { load } from 'plimsoll';

const most_bytes = 64 * 2 ** 20; // of a body: headers of model files are the longest that anybody sends

const issue = (message, remedy, field = '') => ({ severity: 'error', field, message, remedy });

/** What goes wrong before the estimator is asked. */
class Refusal extends Error {
  constructor(status, message, remedy, headers = {}) {
    super(message);
    Object.assign(this, { status, headers, issues: [issue(message, remedy)] });
  }
}

/** A question apart from what it asks besides of a scenario. */
function apart(asked, names) {
  const scenario = { ...asked };
  const more = {};
  for (const name of names) {
    if (scenario[name] !== undefined) more[name] = scenario[name];
    delete scenario[name];
  }
  return [scenario, more];
}

function fit(plimsoll, asked) {
  const [scenario, { goal, field }] = apart(asked, ['goal', 'field']);
  if ((goal === undefined) !== (field === undefined)) throw new Refusal(422, 'goal and field belong together.', 'Give both, such as "goal": "largest" and "field": "context_tokens", or neither for advice.');
  return goal === undefined ? plimsoll.advise(scenario) : plimsoll.solve(scenario, goal, field);
}

function under_load(plimsoll, asked) {
  const [scenario, { splits = false, ...limits }] = apart(asked, ['first_token_ms', 'per_token_ms', 'splits']);
  const numbers = Object.entries(limits).map(([name, value]) => [name, Number(value)]);
  return plimsoll.load(scenario, { ...Object.fromEntries(numbers), splits: splits === true || splits === 'true' });
}

/** Serving unless a task of training is stated, as in an estimate. */
function plan(plimsoll, asked) {
  const names = new Set(plimsoll.fields().map(({ name }) => name));
  const { scenario } = plimsoll.estimate(Object.fromEntries(Object.entries(asked).filter(([name]) => names.has(name))));
  return scenario === null || scenario.task === 'inference' ? plimsoll.plan_serving(asked) : plimsoll.plan(asked);
}

function written(plimsoll, asked) {
  const [scenario, { to = '' }] = apart(asked, ['to']);
  return plimsoll.export_command(scenario, to);
}

/** Of a path: its sentence, and the answer to an object of fields. */
const questions = {
  estimate: ['Memory of one GPU at each moment, and the largest of them', (plimsoll, asked) => plimsoll.estimate_text(asked)],
  explain: ['The same, each number down to formula, symbols and source', (plimsoll, asked) => plimsoll.explain_text(asked)],
  fit: ['The most that fits, with goal and field; what must change so that it does, without', fit],
  plan: ['The best ways of training on so many gpus, or of serving', plan],
  load: ['A server under load; with first_token_ms or per_token_ms the highest load within them', under_load],
  cost: ['Money, energy and carbon', (plimsoll, asked) => plimsoll.cost(...apart(asked, ['today']))],
  export: ['How it is launched, with to', written],
};
const facts = {
  catalog: ['Models, devices, weight formats, profiles and citations', (plimsoll) => plimsoll.catalog()],
  fields: ['The inputs of every question', (plimsoll) => plimsoll.fields()],
  prices: ['Dated prices', (plimsoll) => plimsoll.prices()],
};
const reading = 'Files, commands and logs as fields: {"files": [{"text", "name"}]}, or one file as it is';

const overview = (version) => ({
  name: 'plimsoll',
  version,
  questions: Object.fromEntries([...Object.entries(questions).map(([name, [about]]) => [`/${name}`, about]), ['/import', reading]]),
  facts: Object.fromEntries(Object.entries(facts).map(([name, [about]]) => [`/${name}`, about])),
});

async function body_of(request) {
  const chunks = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > most_bytes) throw new Refusal(413, `More than ${most_bytes} bytes.`, 'Of a model file send only its beginning: the header.', { connection: 'close' });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A JSON object, or null. */
function object_of(bytes) {
  try {
    const value = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

async function asked_by(request, url) {
  if (request.method === 'GET') return Object.fromEntries(url.searchParams);
  const asked = object_of(await body_of(request));
  if (asked === null) throw new Refusal(400, 'The body is no JSON object.', 'Send fields, such as {"model": "llama-3-8b", "device": "rtx4090"}.');
  return asked;
}

async function imported(plimsoll, request, url) {
  const bytes = await body_of(request);
  const asked = object_of(bytes);
  if (!Array.isArray(asked?.files)) return plimsoll.import_files([{ source: new Uint8Array(bytes), name: url.searchParams.get('name') ?? undefined }]);
  const { files, ...answers } = asked;
  if (files.length === 0 || files.some((file) => typeof file?.text !== 'string')) throw new Refusal(400, 'A file has no text.', 'Send {"files": [{"text": "vllm serve …", "name": "serve.sh"}]}, or one file as the body.');
  return plimsoll.import_files(files.map(({ text, name }) => ({ source: text, name })), answers);
}

async function answer_to(plimsoll, request) {
  const url = new URL(request.url, 'http://localhost');
  const name = url.pathname.replace(/^\/|\/$/g, '');
  const only = (...methods) => {
    if (!methods.includes(request.method)) throw new Refusal(405, `${url.pathname} takes ${methods.join(' or ')}.`, 'Send the question so.', { allow: methods.join(', ') });
  };
  if (name === '') return only('GET'), overview(plimsoll.version);
  if (Object.hasOwn(facts, name)) return only('GET'), facts[name][1](plimsoll);
  if (name === 'import') return only('POST'), imported(plimsoll, request, url);
  if (!Object.hasOwn(questions, name)) throw new Refusal(404, `There is nothing at ${url.pathname}.`, `Ask one of ${[...Object.keys(questions), 'import', ...Object.keys(facts)].map((each) => `/${each}`).join(', ')}.`);
  only('GET', 'POST');
  return questions[name][1](plimsoll, await asked_by(request, url));
}

function send(response, status, answer, headers = {}) {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(text), ...headers });
  response.end(text);
}

/** A server that waits for listen(). Bad input is status 422 with the issues that the estimator gives it. */
export async function create_service() {
  const plimsoll = await load();
  return createServer(async (request, response) => {
    try {
      const answer = await answer_to(plimsoll, request);
      const refused = typeof answer === 'string' ? answer.startsWith('{"ok":false') : answer.ok === false;
      send(response, refused ? 422 : 200, answer);
    } catch (failure) {
      const refused = failure instanceof Refusal;
      send(response, refused ? failure.status : 500, { ok: false, issues: refused ? failure.issues : [issue('The estimator failed on this input.', 'Please report the input: this is a defect.')] }, refused ? failure.headers : {});
    }
  });
}
