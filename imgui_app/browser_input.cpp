#include "browser_input.hpp"

#include <emscripten.h>

// Properties are quoted so that a minifier leaves their names alone.
// clang-format off

// A field for text that ImGui never sees: it has the browser's focus while a text box of the app has ImGui's, so that soft
// keyboards appear and input methods have something to compose in. Keys still come through GLFW's emulation.
EM_JS(void, js_make_text_field, (), {
  const canvas = Module['canvas'];
  const field = document.createElement('textarea');
  for (const [name, value] of Object.entries({ 'aria-hidden': 'true', 'autocomplete': 'off', 'autocorrect': 'off',
                                               'autocapitalize': 'off', 'spellcheck': 'false', 'tabindex': '-1', 'rows': '1' }))
    field.setAttribute(name, value);
  field.style.cssText = 'position:absolute;left:0;top:0;width:1px;height:1px;padding:0;border:0;opacity:0;resize:none;font-size:16px;pointer-events:none';
  if (getComputedStyle(canvas.parentElement).position === 'static') canvas.parentElement.style.position = 'relative';
  canvas.parentElement.appendChild(field);
  Module['textField'] = field;
})

EM_JS(void, js_begin_key_guard, (), {
  const listen = window.addEventListener;
  Module['unguardedListen'] = listen;
  const isOurs = () => document.activeElement === Module['canvas'] || document.activeElement === Module['textField'];
  window.addEventListener = (type, listener, options) =>
    listen.call(window, type, type.startsWith('key') ? (event) => { if (isOurs()) listener(event); } : listener, options);
})

EM_JS(void, js_end_key_guard, (), {
  window.addEventListener = Module['unguardedListen'];
  delete Module['unguardedListen'];
})

EM_JS(void, js_listen_to_text, (), {
  const field = Module['textField'];
  const send = (target, text) => { const p = stringToNewUTF8(text); target(p); _free(p); };
  let composed = "", fromKey = false, pasteKeyAt = 0;
  const filler = "\u00a0\u00a0";   // something that a soft keyboard's backspace can delete
  const empty = () => { field.value = filler; field.setSelectionRange(filler.length, filler.length); };
  const compose = (text) => {      // shows the difference between what was composed so far and what is now
    let same = 0;
    while (same < composed.length && same < text.length && composed[same] === text[same]) ++same;
    for (let i = composed.length; i > same; --i) _plimsoll_backspace();
    if (text.length > same) send(_plimsoll_text, text.slice(same));
    composed = text;
  };
  window.addEventListener('keydown', (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'v') pasteKeyAt = performance.now();
    if (event.key === 'Escape' && document.activeElement === Module['canvas'] && _plimsoll_is_idle()) Module['canvas'].blur();
  }, true);
  field.addEventListener('keypress', () => { fromKey = true; });
  field.addEventListener('compositionupdate', (event) => compose(event.data));
  field.addEventListener('compositionend', (event) => { compose(event.data); composed = ""; empty(); });
  field.addEventListener('input', (event) => {
    if (event.isComposing || event.inputType.includes('omposition')) return;
    if (event.inputType === 'deleteContentBackward' && !fromKey && field.value.length < filler.length) _plimsoll_backspace();
    else if (event.data && !fromKey) send(_plimsoll_text, event.data);
    fromKey = false;
    empty();
  });
  field.addEventListener('keydown', (event) => { fromKey = event.key === 'Backspace'; });
  window.addEventListener('paste', (event) => {
    const at = document.activeElement;
    if (at !== Module['canvas'] && at !== field && at !== document.body) return;
    const text = event.clipboardData.getData('text/plain');
    const p = stringToNewUTF8(text);
    if (_plimsoll_paste(p, performance.now() - pasteKeyAt < 500 ? 1 : 0)) event.preventDefault();
    _free(p);
  });
  empty();
})

// A finger that moves scrolls, one that does not presses. The emulation would make a held mouse button of both.
EM_JS(void, js_listen_to_fingers, (), {
  const canvas = Module['canvas'];
  let id = null, startX = 0, startY = 0, lastY = 0, scrolling = false, speed = 0, lastTime = 0, gliding = 0;
  const place = (touch) => { const box = canvas.getBoundingClientRect(); return [touch.clientX - box.left, touch.clientY - box.top]; };
  const mine = (event) => Array.from(event.changedTouches).find((touch) => touch.identifier === id);
  const glide = () => {
    speed *= 0.95;
    if (Math.abs(speed) < 0.02) return _plimsoll_lift();
    _plimsoll_scroll(speed * 16);
    gliding = requestAnimationFrame(glide);
  };
  const handlers = {
    'touchstart': (event) => {
      if (id !== null) return;
      cancelAnimationFrame(gliding);
      const touch = event.changedTouches[0];
      id = touch.identifier;
      [startX, startY] = place(touch);
      lastY = startY; scrolling = false; speed = 0; lastTime = event.timeStamp;
    },
    'touchmove': (event) => {
      const touch = mine(event);
      if (!touch) return;
      const [x, y] = place(touch);
      if (!scrolling && Math.hypot(x - startX, y - startY) < 8) return;
      if (!scrolling) { scrolling = true; lastY = y; _plimsoll_point(startX, startY); return; }
      const time = Math.max(1, event.timeStamp - lastTime);
      speed = 0.6 * speed + 0.4 * (y - lastY) / time;
      _plimsoll_scroll(y - lastY);
      lastY = y; lastTime = event.timeStamp;
    },
    'touchend': (event) => {
      const touch = mine(event);
      if (!touch) return;
      id = null;
      if (scrolling && event.timeStamp - lastTime < 60) glide();
      else if (scrolling) _plimsoll_lift();
      if (!scrolling) { canvas.focus({ preventScroll: true }); _plimsoll_tap(startX, startY); }
    },
    'touchcancel': (event) => { if (mine(event)) id = null; }
  };
  for (const type of Object.keys(handlers))
    window.addEventListener(type, (event) => {
      if (event.target !== canvas) return;
      handlers[type](event);
      event.preventDefault();
      event.stopImmediatePropagation();
    }, { 'capture': true, 'passive': false });
})

EM_JS(void, js_listen_to_host, (), {
  const canvas = Module['canvas'], host = canvas.parentElement;
  canvas.addEventListener('pointerdown', () => { if (document.activeElement !== Module['textField']) canvas.focus({ preventScroll: true }); });
  const resize = () => { if (host.clientWidth > 0 && host.clientHeight > 0) _plimsoll_resize(host.clientWidth, host.clientHeight); };
  new ResizeObserver(resize).observe(host);
  document.addEventListener('visibilitychange', () => _plimsoll_wake());
  resize();
})

EM_JS(void, js_announce_text_input, (int wanted, int number), {
  const field = Module['textField'], canvas = Module['canvas'];
  field.inputMode = number ? 'numeric' : 'text';
  if (wanted && document.activeElement === canvas) field.focus({ preventScroll: true });
  if (!wanted && document.activeElement === field) canvas.focus({ preventScroll: true });
})
// clang-format on

namespace plimsoll::app {

void begin_key_guard() {
  js_make_text_field();
  js_begin_key_guard();
}

void end_key_guard() { js_end_key_guard(); }

void listen_to_page() {
  js_listen_to_text();
  js_listen_to_fingers();
  js_listen_to_host();
}

void announce_text_input(bool wanted, bool number) { js_announce_text_input(wanted, number); }

} // namespace plimsoll::app
