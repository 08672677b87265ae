// What was opened is closed: by the test that opened it when it ends, however it ends, or else by its file.

const of_file = [];
let opened = of_file;

/** undo() is called when the test that is running has ended; outside of one, when all tests of the file have. */
export function at_end(undo) { opened.push(undo); }

/** Does `work`, and closes what it opened. What goes wrong in the work is said before what goes wrong in closing. */
export async function closing(work) {
  const mine = opened = [];
  let failures = [];
  try {
    await work();
  } catch (failure) {
    failures = [failure];
  }
  opened = of_file;
  failures.push(...await undo(mine));
  if (failures.length > 0) throw failures[0];
}

/** Closes what the file itself opened; gives back what went wrong. */
export const close_file = () => undo(of_file);

async function undo(all) {
  const failures = [];
  while (all.length > 0) { // the last is undone first
    try {
      await limited('closing', 15, all.pop());
    } catch (failure) {
      failures.push(failure);
    }
  }
  return failures;
}

/** What work() gives, unless it takes longer than that. */
export async function limited(what, limit_s, work) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: given up after ${limit_s} s`)), limit_s * 1000);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}
