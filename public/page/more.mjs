// What hardly anybody needs who only looks comes when somebody does something: the "more" of the module's parts (cmake/SplitModule.cmake). Where it is
// needed before it is there, a call traps, and the page begins again with it: the question stands in the address, so that nothing is lost.

const key = 'plimsoll.more';

// Who touches something may go on to anything at once; who only moves over it sees what comes with the drawing.
const touches = ['pointerdown', 'touchstart', 'keydown', 'wheel', 'paste', 'drop', 'click'];
const signs = ['pointermove', 'focusin', ...touches];
const tries_again = ['pointerdown', 'keydown']; // where it could not be had

/** Whether the page began again for it. */
export function is_needed_at_once() {
  try {
    const is_needed = sessionStorage.getItem(key) !== null;
    sessionStorage.removeItem(key);
    return is_needed;
  } catch {
    return false;
  }
}

/** Whether `reason` is that something of `more` was needed. */
export const lacks = (more, reason) => reason instanceof WebAssembly.RuntimeError && !more.loaded;

/** False, and the page goes on, where the browser would not remember why. */
export function begin_again() {
  try {
    sessionStorage.setItem(key, '1');
  } catch {
    return false;
  }
  location.reload();
  return true;
}

/** From now on, with the page's `address`, whose question is then what `asked()` says, or stays where even that cannot be told. */
export function begin_again_where_it_lacks(more, address, asked) {
  const tell = (event, reason) => {
    if (!lacks(more, reason)) return;
    event.preventDefault();
    try {
      address.set(asked());
    } catch { /* as the address has it */ }
    begin_again();
  };
  window.addEventListener('error', (event) => tell(event, event.error));
  window.addEventListener('unhandledrejection', (event) => tell(event, event.reason));
}

/** Brings `more` at the first sign of somebody; what they do to the drawing `module` waits for it. */
export function bring_with_reader(more, module) {
  const begin = async ({ type }) => {
    if (more.loaded) return leave();
    if (touches.includes(type)) hold(true);
    try {
      await more.load();
      leave();
    } catch (reason) { // what needs none of it goes on
      console.warn('Plimsoll: a part was not loaded.', reason);
      leave(signs.filter((one) => !tries_again.includes(one)));
    }
    hold(false);
  };
  const hold = (holds) => {
    module.hold(holds);
    document.documentElement.ariaBusy = holds ? 'true' : null; // style.css shows it
  };
  const leave = (types = signs) => types.forEach((one) => window.removeEventListener(one, begin, { capture: true }));
  signs.forEach((type) => window.addEventListener(type, begin, { capture: true, passive: true }));
}
