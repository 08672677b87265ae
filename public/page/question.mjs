// The question in an address, without what others put there: files that the link brings along, and what mail programs and social
// networks add to every link. Anything else that is no input is answered with what is wrong.

/** What the page shows where nobody has asked for anything: a question that names no model is asked back. */
export const example = 'model=llama-3-8b';

const file_keys = ['prices', 'devices'];
const is_tracking = (entry) => /^(utm_\w+|fbclid|gclid|dclid|msclkid|igshid|mc_cid|mc_eid|ref_src)(=|$)/.test(entry);

export const is_file = (entry) => file_keys.some((key) => entry.startsWith(`${key}=`));

/** ["model=llama-3-8b", ...]: what stands between '?' and '#', as it is written there. */
export const entries_of = (search) => search.replace(/^\?/, '').split('&').filter((entry) => entry !== '' && !is_tracking(entry));

/** The question alone; "" where there is none. */
export const question_of = (search) => entries_of(search).filter((entry) => !is_file(entry)).join('&');

/** {prices, devices}: where the link says that they lie, as text; "" where it says nothing. */
export function files_of(search) {
  const stated = new URLSearchParams(entries_of(search).filter(is_file).join('&'));
  return Object.fromEntries(file_keys.map((key) => [key, stated.get(key) ?? '']));
}
