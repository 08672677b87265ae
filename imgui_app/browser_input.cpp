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
  // The focus goes to what the canvas stands in, and the canvas is no stop until the next one: Tab goes on, and Shift+Tab goes back. Without
  // a focus, browsers differ in where they go on from.
  const leave = () => {
    const canvas = Module['canvas'], host = canvas.parentElement;
    host.tabIndex = canvas.tabIndex = -1;
    host.addEventListener('blur', () => setTimeout(() => { canvas.tabIndex = 0; host.removeAttribute('tabindex'); }), { 'once': true });
    host.focus({ 'preventScroll': true });
  };
  window.addEventListener('keydown', (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'v') pasteKeyAt = performance.now();
    if (event.key === 'Escape' && document.activeElement === Module['canvas'] && _plimsoll_is_idle()) leave();
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

// A finger that moves scrolls, one that does not presses, two make everything larger or smaller. The emulation would make a held
// mouse button of one. A finger may start on an element of the accessibility layer, which lies over the canvas and may be gone before
// the finger is: what follows is heard at that element itself.
EM_JS(void, js_listen_to_fingers, (), {
  const canvas = Module['canvas'], host = canvas.parentElement;
  const calm = matchMedia('(prefers-reduced-motion: reduce)');
  let id = null, startX = 0, startY = 0, lastY = 0, scrolling = false, speed = 0, lastTime = 0, gliding = 0;
  let pinch = null;   // {distance, zoom} at its beginning
  const place = (touch) => { const box = canvas.getBoundingClientRect(); return [touch.clientX - box.left, touch.clientY - box.top]; };
  const mine = (event) => Array.from(event.changedTouches).find((touch) => touch.identifier === id);
  const distance = (touches) => Math.hypot(touches[0].clientX - touches[1].clientX, touches[0].clientY - touches[1].clientY);
  const glide = () => {
    speed *= 0.95;
    if (Math.abs(speed) < 0.02) return _plimsoll_lift();
    _plimsoll_scroll(speed * 16);
    gliding = requestAnimationFrame(glide);
  };
  const handlers = {
    'touchstart': (event) => {
      cancelAnimationFrame(gliding);
      if (event.touches.length === 2) {
        if (scrolling) _plimsoll_lift();
        id = null;
        pinch = { 'distance': Math.max(1, distance(event.touches)), 'zoom': _plimsoll_zoomed() };
      }
      if (id !== null || pinch) return;
      const touch = event.changedTouches[0];
      id = touch.identifier;
      [startX, startY] = place(touch);
      lastY = startY; scrolling = false; speed = 0; lastTime = event.timeStamp;
    },
    'touchmove': (event) => {
      if (pinch && event.touches.length === 2) return _plimsoll_zoom(pinch['zoom'] * distance(event.touches) / pinch['distance']);
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
      if (event.touches.length < 2) pinch = null;
      const touch = mine(event);
      if (!touch) return;
      id = null;
      if (scrolling && event.timeStamp - lastTime < 60 && !calm.matches) glide();
      else if (scrolling) _plimsoll_lift();
      if (!scrolling) {
        if (document.activeElement !== Module['textField']) canvas.focus({ preventScroll: true });
        _plimsoll_tap(startX, startY);
      }
    },
    'touchcancel': (event) => { if (event.touches.length < 2) pinch = null; if (mine(event)) id = null; }
  };
  const rest = ['touchmove', 'touchend', 'touchcancel'], options = { 'capture': true, 'passive': false };
  const hear = (event) => {
    handlers[event.type](event);
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.type === 'touchstart' || event.type === 'touchmove' || event.targetTouches.length > 0) return;
    for (const type of rest) event.currentTarget.removeEventListener(type, hear, options);
  };
  window.addEventListener('touchstart', (event) => {
    if (!host.contains(event.target)) return;
    for (const type of rest) event.target.addEventListener(type, hear, options);
    hear(event);
  }, options);
})

EM_JS(void, js_place_text_field, (float x, float y, float height), {
  const style = Module['textField'].style;
  style.left = Math.max(0, x) + 'px';
  style.top = Math.max(0, y) + 'px';
  style.height = height + 'px';
})

EM_JS(void, js_listen_to_host, (), {
  const canvas = Module['canvas'], host = canvas.parentElement;
  host.addEventListener('pointerdown', () => { if (document.activeElement !== Module['textField']) canvas.focus({ preventScroll: true }); });
  const resize = () => { if (host.clientWidth > 0 && host.clientHeight > 0) _plimsoll_resize(host.clientWidth, host.clientHeight); };
  new ResizeObserver(resize).observe(host);
  document.addEventListener('visibilitychange', () => _plimsoll_wake());
  resize();
})

EM_JS(void, js_announce_text_input, (int wanted, int number, const char* name), {
  const field = Module['textField'], canvas = Module['canvas'];
  if (wanted) field.removeAttribute('aria-hidden'); // with the focus it is what a screen reader reads
  else field.setAttribute('aria-hidden', 'true');
  field.setAttribute('aria-label', UTF8ToString(name));
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

void place_text_field(float x, float y, float height) { js_place_text_field(x, y, height); }

void announce_text_input(bool wanted, bool number, const std::string& name) { js_announce_text_input(wanted, number, name.c_str()); }

} // namespace plimsoll::app
