// What a reader sees of the page, as one function that runs in it: browsers of every kind take its source.
//
// A thing is a widget of the drawing, {role, name, group}, as the accessibility layer tells of it, or an element of the page, {css}.

/** Answers one question about what stands on the screen; the rest are its arguments. */
export async function eyes(question, ...given) {
  const widgets = () => [...document.querySelectorAll('#widgets .widget')];
  const role_of = (element) => element.getAttribute('role') ?? 'textbox';
  const name_of = (element) => element.getAttribute('aria-label') ?? '';
  const frame = () => new Promise((resume) => requestAnimationFrame(() => resume()));
  const edges = (element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return { left, top, right, bottom };
  };
  const common = (a, b) => ({
    left: Math.max(a.left, b.left), top: Math.max(a.top, b.top), right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom),
  });

  /** The widget of that name, or else the first whose name begins so. */
  const find = ({ css, role, name, group }) => {
    if (css) return document.querySelector(css);
    const like = widgets().filter((one) => role_of(one) === role && (!group || name_of(one.parentElement) === group));
    return like.find((one) => name_of(one) === name) ?? like.find((one) => name_of(one).startsWith(name)) ?? null;
  };

  /** What of the screen shows the thing, once it is scrolled there: its pane, or all that scrolls it. */
  const window_of = (element) => {
    let seen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    if (element.classList.contains('widget')) return common(seen, edges(element.closest('.pane')));
    for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) {
      if (/auto|scroll/.test(getComputedStyle(at).overflowY)) seen = common(seen, edges(at));
    }
    return seen;
  };

  const is_in_drawing = (element) => element.id !== 'host' && element.closest('#host') !== null; // what it stands in has the focus after Escape

  const active = () => {
    const here = document.activeElement;
    return is_in_drawing(here) ? document.getElementById(document.getElementById('canvas').getAttribute('aria-activedescendant') ?? '') : here;
  };

  const describe = (element) => {
    if (!element) return null;
    const box = edges(element);
    if (box.right - box.left < 1 || box.bottom - box.top < 1) return null;
    const flag = (name) => element.getAttribute(`aria-${name}`);
    return {
      box, window: window_of(element), name: name_of(element), value: element.value ?? element.textContent, invalid: flag('invalid') === 'true',
      checked: flag('checked') === 'true', selected: flag('selected') === 'true', expanded: flag('expanded') === 'true', active: active() === element,
    };
  };

  const questions = {
    /** The thing as it is, or null. */
    look: (thing) => describe(find(thing)),

    /** The same once it stands still; null when it does not come in time. */
    async find(thing, patience_ms) {
      const start = performance.now();
      let before = '';
      for (;;) {
        const seen = describe(find(thing));
        const place = seen ? JSON.stringify(seen.box) : '';
        if (seen && place === before) return seen;
        if (performance.now() - start > patience_ms) return null;
        before = place;
        await frame();
      }
    },

    /** Until the thing stands elsewhere than at `top`, or that much time has passed. */
    async moved(thing, top, patience_ms) {
      const start = performance.now();
      while (Math.abs((describe(find(thing))?.box.top ?? Infinity) - top) < 0.5 && performance.now() - start < patience_ms) await frame();
    },

    /** Where the keyboard is; `way`: how many widgets lie between it and the thing, the shorter way round; 0 where nobody knows. */
    keyboard(thing) {
      const here = active(), there = find(thing);
      const left = here?.id === 'host' ? document.getElementById('canvas') : here;
      const answer = {
        in_drawing: is_in_drawing(document.activeElement), is_there: here !== null && here === there, way: 0,
        after: here === document.body || Boolean(left && there && left.compareDocumentPosition(there) & Node.DOCUMENT_POSITION_FOLLOWING),
      };
      const layer = (element) => element?.closest('.pane')?.style.zIndex;
      if (!there || layer(here) !== layer(there)) return answer;
      const order = widgets().filter((one) => layer(one) === layer(there));
      const way = order.indexOf(there) - order.indexOf(here), round = way - Math.sign(way) * order.length;
      return { ...answer, way: Math.abs(way) <= Math.abs(round) ? way : round };
    },

    /** Until the drawing has taken all keys: it draws a frame for each. */
    async rest(patience_ms) {
      const start = performance.now(), drawn = () => globalThis.plimsoll.app.state().frames_drawn;
      for (let still = 0, before = drawn(); still < 3 && performance.now() - start < patience_ms;) {
        await frame();
        const now = drawn();
        still = now === before ? still + 1 : 0;
        before = now;
      }
    },

    /** Whether what has the browser's focus can be seen, and seen to have it. */
    focus() {
      const element = document.activeElement, box = edges(element), style = getComputedStyle(element);
      return { id: element.id, seen: box.right > box.left && box.bottom > box.top, marked: style.outlineStyle !== 'none' || element.id === 'canvas' || element.type === 'file' };
    },

    /** As when a reader goes back to it, or forth. */
    recall(query, view) {
      history.pushState(null, '', `${location.pathname}?${query}${view && `#${view}`}`);
      window.dispatchEvent(new PopStateEvent('popstate'));
    },

    names: (role) => widgets().filter((one) => role_of(one) === role).map(name_of),
    address: () => location.href,
    /** What the app says of itself; `drawn`: names of what it drew. Null where there is no app. */
    state() {
      const app = globalThis.plimsoll?.app;
      if (!app) return null;
      const { query, tab, selected, dark, wantText, evidence_rows, rects } = app.state();
      return { query, tab, selected, dark, wantText, evidence_rows, drawn: Object.keys(rects) };
    },
    /** What the page around it says. */
    page: () => ({
      query: location.search.slice(1), view: location.hash.slice(1), drawing: globalThis.plimsoll?.app?.query() ?? null,
      headline: document.getElementById('headline')?.textContent, panel: document.documentElement.dataset.panel,
      theme: document.documentElement.dataset.theme, shared: globalThis.shared?.url ?? '', opened: globalThis.opened ?? '',
    }),
  };
  return questions[question](...given);
}
