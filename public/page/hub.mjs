// A model by its address at huggingface.co, whose config.json is fetched when the reader presses for it. The policy of the page allows no other host, and
// that one learns the name of the model alone.

const hub = 'https://huggingface.co';
const most_bytes = 4 * 1024 * 1024;
const name_part = /^[\w][\w.-]{0,95}$/;

/** {name, revision} of "hf:owner/name@revision", "huggingface.co/owner/name" or ".../tree/revision"; null where the text is anything else. */
export function hub_model(text) {
  const [, of_hub, of_web] = /^\s*(?:hf:(\S+)|(?:https?:\/\/)?(?:www\.)?(?:huggingface\.co|hf\.co)\/(\S+))\s*$/.exec(text) ?? [];
  if (!of_hub && !of_web) return null;
  const [path, stated] = (of_hub ?? of_web.split(/[?#]/)[0]).split('@');
  const [owner, name, kind, branch] = path.split('/');
  const revision = stated ?? (['tree', 'blob', 'resolve'].includes(kind) && branch ? branch : 'main');
  return [owner, name, revision].every((part) => name_part.test(part ?? '')) ? { name: `${owner}/${name}`, revision } : null;
}

/** The text of the model's config.json as {text}, or {fault, remedy}. */
export async function fetch_config({ name, revision }) {
  const by_hand = 'Download its config.json there and drop it on this page.';
  let answer, text;
  try {
    answer = await fetch(`${hub}/${name}/resolve/${revision}/config.json`, { credentials: 'omit', referrerPolicy: 'no-referrer' });
    text = await answer.text();
  } catch {
    return { fault: 'huggingface.co does not answer.', remedy: by_hand };
  }
  const { ok, status } = answer;
  if (status === 404) return { fault: `There is no config.json of ${name} at ${revision}.`, remedy: 'Models of GGUF files alone have none: drop the file.' };
  if (status === 401 || status === 403) return { fault: `huggingface.co shows ${name} only to those who are logged in, or has no such model.`, remedy: by_hand };
  if (!ok || text.length > most_bytes) return { fault: ok ? `The config.json of ${name} is larger than 4 MiB.` : `huggingface.co answers ${status}.`, remedy: by_hand };
  return { text };
}
