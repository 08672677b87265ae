// Long work in turns of the event loop, between which the browser draws and hears keys.

export const turn = () => new Promise((resume) => setTimeout(resume));

/** A function that does steps one after the other, each in a turn of its own. What is left of an earlier call is dropped. `element` is
    busy meanwhile. */
export function open_turns(element) {
  let latest = null;
  return async (steps) => {
    latest = steps;
    element.setAttribute('aria-busy', 'true');
    try {
      for (const step of steps) {
        await turn();
        if (latest !== steps) return;
        step();
      }
    } finally {
      if (latest === steps) element.removeAttribute('aria-busy');
    }
  };
}
