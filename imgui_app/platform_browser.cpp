// The app on a canvas of a page.
#include "platform.hpp"

#include "browser_input.hpp"
#include "browser_state.hpp"

#include <imgui.h>
#include <imgui_impl_glfw.h>

#include <GLFW/glfw3.h>
#include <emscripten.h>
#include <emscripten/val.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

// Properties are quoted so that a minifier leaves their names alone.
// clang-format off
EM_JS(int, js_host_width, (), { return Module['canvas'].parentElement.clientWidth; })
EM_JS(int, js_host_height, (), { return Module['canvas'].parentElement.clientHeight; })
EM_JS(int, js_is_mac, (), { return /Mac|iPhone|iPad/.test(navigator.platform) ? 1 : 0; })
EM_JS(void, js_copy, (const char* text), {
  if (navigator.clipboard) navigator.clipboard.writeText(UTF8ToString(text)).catch(() => {});
})
EM_JS(int, js_can_share, (), { return navigator.share && matchMedia('(pointer: coarse)').matches ? 1 : 0; })
EM_JS(void, js_share, (const char* text), {
  const url = UTF8ToString(text);
  navigator.share({ 'title': document.title, 'url': url }).catch((reason) => {   // refused, or put away: the latter is an answer
    if (reason.name !== 'AbortError' && navigator.clipboard) navigator.clipboard.writeText(url).catch(() => {});
  });
})
EM_JS(void, js_tell_widgets, (const char* layer, float zoom), { if (Module['onWidgets']) Module['onWidgets'](UTF8ToString(layer), zoom); })
EM_JS(int, js_wants_widgets, (), { return Module['onWidgets'] ? 1 : 0; })
EM_JS(void, js_open, (const char* url), { window.open(UTF8ToString(url), '_blank', 'noopener'); })
EM_JS(void, js_tell_query, (const char* query), { if (Module['onQuery']) Module['onQuery'](UTF8ToString(query)); })
EM_JS(void, js_tell_answer, (), { if (Module['onAnswer']) Module['onAnswer'](); })
EM_JS(void, js_tell_dark, (int dark), { if (Module['onDark']) Module['onDark'](!!dark); })
EM_JS(void, js_tell_units, (int decimal), { if (Module['onUnits']) Module['onUnits'](decimal ? 'gb' : 'gib'); })
EM_JS(int, js_can_choose_file, (), { return Module['onChooseFile'] ? 1 : 0; })
EM_JS(void, js_choose_file, (), { Module['onChooseFile'](); })
EM_JS(void, js_read_text, (const char* text), { Module['onReadText'](UTF8ToString(text)); })
EM_JS(void, js_tell_view, (const char* view), { if (Module['onView']) Module['onView'](UTF8ToString(view)); })
EM_JS(void, js_tell_given, (const char* kind, const char* name, const char* text), {
  if (Module['onGiven']) Module['onGiven'](UTF8ToString(kind), UTF8ToString(name), UTF8ToString(text));
})
EM_JS(void, js_save, (const char* name, const char* type, const char* text), {
  if (Module['onSave']) Module['onSave'](UTF8ToString(name), UTF8ToString(type), UTF8ToString(text));
})
EM_JS(void, js_save_picture, (const char* name), { if (Module['onPicture']) Module['onPicture'](UTF8ToString(name)); })
EM_JS(void, js_read_evidence, (), {
  const read = Module['onEvidence'] ? Module['onEvidence']() : Promise.reject();
  read.then((text) => Module['set_evidence'](text), () => Module['set_evidence'](''));
})
EM_JS(void, js_bring_tabs, (), {
  const brought = Module['onTabs'] ? Module['onTabs']() : Promise.reject();
  brought.then(() => Module['set_other_tabs'](true), () => Module['set_other_tabs'](false));
})
EM_JS(void, js_bring_readers, (), {
  const brought = Module['onReaders'] ? Module['onReaders']() : Promise.reject();
  brought.then(() => Module['set_readers'](true), () => Module['set_readers'](false));
})
EM_JS(int, js_has_readers, (), { return Module['hasReaders'] && Module['hasReaders']() ? 1 : 0; })
// A frame is asked for when something may have happened, and by a frame that wants another: a page at rest runs nothing.
EM_JS(void, js_request_frame, (), {
  Module['frame'] ||= requestAnimationFrame(() => { Module['frame'] = 0; _plimsoll_frame(); });
})
EM_JS(void, js_listen_for_frames, (), {
  for (const type of ['pointermove', 'pointerdown', 'pointerup', 'mousemove', 'mousedown', 'mouseup', 'mouseout', 'wheel', 'keydown', 'keypress', 'keyup', 'input', 'paste',
                      'compositionupdate', 'compositionend', 'touchstart', 'touchmove', 'touchend', 'focus', 'blur', 'resize'])
    window.addEventListener(type, () => _plimsoll_expect(), { 'capture': true, 'passive': true });
})
EM_JS(void, js_tell_ready, (), { if (Module['onReady']) Module['onReady'](); })
// clang-format on

namespace plimsoll::app {
namespace {

struct Page {
  Window window;
  std::string clipboard;
  bool text_wanted = false, number_wanted = false, dark = true, is_held = false;
  ByteUnits units = byte_units();
  float zoom = 1;
};

Page& page() {
  static Page the_page; // see browser_state.hpp
  return the_page;
}

/// What the text box that has the keyboard is called.
std::string name_of_text(const App& app) {
  const Field* const field = find_field(app.view.editing);
  return field != nullptr ? std::string{label_of(*field)} + (field->unit.empty() ? "" : ", " + std::string{field->unit}) : "Search";
}

void tell_page(Page& p) {
  App& app = *p.window.app;
  const Effects effects = std::exchange(app.effects, {});
  carry_out(app, effects);
  const bool wanted = ImGui::GetIO().WantTextInput, number = app.view.editing_number && !app.view.editing.empty();
  if (wanted != p.text_wanted || number != p.number_wanted) announce_text_input(wanted, number, name_of_text(app));
  p.text_wanted = wanted;
  p.number_wanted = number;
  if (p.dark != app.view.dark) js_tell_dark(app.view.dark);
  p.dark = app.view.dark;
  if (p.units != byte_units()) js_tell_units(byte_units() == ByteUnits::decimal);
  p.units = byte_units();
  if (p.window.frames_drawn == 1) js_tell_ready();
}

/// The screen is as much smaller as everything on it is larger.
void zoom_frame(Window&) {
  ImGuiIO& io = ImGui::GetIO();
  const float zoom = page().zoom;
  io.DisplaySize = {io.DisplaySize.x / zoom, io.DisplaySize.y / zoom};
  io.DisplayFramebufferScale = {io.DisplayFramebufferScale.x * zoom, io.DisplayFramebufferScale.y * zoom};
}

void on_pointer(GLFWwindow* window, double x, double y) { ImGui_ImplGlfw_CursorPosCallback(window, x / page().zoom, y / page().zoom); }

void draw_now() {
  if (page().is_held) return;
  draw_frame(page().window, zoom_frame);
  tell_page(page());
}

void use_page_clipboard() {
  ImGuiPlatformIO& platform = ImGui::GetPlatformIO();
  platform.Platform_SetClipboardTextFn = [](ImGuiContext*, const char* text) {
    page().clipboard = text;
    js_copy(text);
  };
  platform.Platform_GetClipboardTextFn = [](ImGuiContext*) { return page().clipboard.c_str(); };
  platform.Platform_SetImeDataFn = [](ImGuiContext*, ImGuiViewport*, ImGuiPlatformImeData* ime) {
    const float zoom = page().zoom;
    if (ime->WantVisible) place_text_field(ime->InputPos.x * zoom, ime->InputPos.y * zoom, ime->InputLineHeight * zoom);
  };
}

} // namespace

Window& page_window() { return page().window; }

float page_zoom() { return page().zoom; }

void request_frame() { js_request_frame(); }

void hold_frames(bool holds) {
  page().is_held = holds;
  if (!holds) request_frame();
}

void draw_if_needed() {
  if (has_input() || page().window.app->needs_drawing()) draw_now();
}

Start read_start(int, char**) {
  const emscripten::val options = emscripten::val::module_property("options"); // public/page/canvas.mjs sets them before it calls main()
  const emscripten::val query = options["query"], dark = options["dark"];
  Start start;
  if (query.isString()) start.query = query.as<std::string>();
  if (options["view"].isString()) start.view = options["view"].as<std::string>();
  if (options["today"].isString()) start.today = options["today"].as<std::string>();
  start.dark = dark.isUndefined() || dark.as<bool>();
  start.width = js_host_width();
  start.height = js_host_height();
  return start;
}

int show(const Start& start) {
  glfwSetErrorCallback([](int code, const char* text) { std::fprintf(stderr, "GLFW %d: %s\n", code, text); });
  begin_key_guard();
  const bool started = glfwInit() == GLFW_TRUE;
  end_key_guard();
  if (!started) return 1;
  Page& p = page();
  p.window.handle = open_window(start.width, start.height, "Plimsoll");
  if (!p.window.handle) return 1;
  p.window.app = std::make_unique<App>(start.query, start.today);
  p.window.app->set_dark(start.dark);
  p.window.app->advises = p.window.app->answers_in_slices = true;
  p.window.app->other_tabs = p.window.app->readers = Arrival::unasked;
  p.window.app->are_readers_there = [] { return js_has_readers() != 0; };
  p.window.app->can_choose_files = js_can_choose_file() != 0;
  p.window.app->can_share = js_can_share() != 0;
  if (js_wants_widgets()) p.window.app->reach.listen();
  if (!start.view.empty()) p.window.app->set_view(start.view);
  p.dark = start.dark;
  p.units = byte_units();
  p.window.app->address = emscripten::val::global("location")["origin"].as<std::string>() +
                          emscripten::val::global("location")["pathname"].as<std::string>();
  start_backends(p.window.handle, "#version 300 es", true);
  glfwSetCursorPosCallback(p.window.handle, on_pointer);
  ImGui_ImplGlfw_InstallEmscriptenCallbacks(p.window.handle, "#canvas"); // the wheel
  ImGui::GetIO().ConfigMacOSXBehaviors = js_is_mac() != 0;
  use_page_clipboard();
  listen_to_page(); // after the callbacks above: theirs reads a stale size, ours has the last word
  js_listen_for_frames();
  request_frame();
  return 0;
}

void carry_out(App& app, const Effects& effects) {
  if (!effects.copy.empty()) app.can_share ? js_share(effects.copy.c_str()) : js_copy(effects.copy.c_str());
  if (!effects.copy_text.empty()) js_copy(effects.copy_text.c_str());
  if (!effects.open_url.empty()) js_open(effects.open_url.c_str());
  if (effects.choose_file) js_choose_file();
  if (effects.read_text) js_read_text(effects.read_text->c_str());
  if (effects.query_changed) js_tell_query(app.query.c_str());
  if (effects.answered) js_tell_answer();
  if (effects.widgets_changed) js_tell_widgets(json_of(app.reach.layer()).c_str(), page_zoom());
  if (effects.view_changed) js_tell_view(app.told_view.c_str());
  for (const UserCatalogue& given : effects.given) js_tell_given(io::name_of(given.kind), given.name.c_str(), given.text.c_str());
  if (!effects.save_text.empty()) js_save(effects.save_name.c_str(), effects.save_type.c_str(), effects.save_text.c_str());
  if (effects.want_evidence) js_read_evidence();
  if (effects.want_other_tabs) js_bring_tabs();
  if (effects.want_readers) js_bring_readers();
  if (effects.save_picture) js_save_picture(effects.save_name.c_str()); // in the frame that was just drawn: later its pixels are gone
}

} // namespace plimsoll::app

// What the page's listeners call (browser_input.cpp).
extern "C" {

using namespace plimsoll::app;

EMSCRIPTEN_KEEPALIVE void plimsoll_wake() {
  page_window().app->wake();
  request_frame();
}

EMSCRIPTEN_KEEPALIVE void plimsoll_expect() { request_frame(); }

EMSCRIPTEN_KEEPALIVE void plimsoll_frame() {
  if (page().is_held) return;
  App& app = *page_window().app;
  if (has_input() || app.needs_drawing()) draw_if_needed();
  else if (app.wants_frame()) app.seek();
  if (has_input() || app.wants_frame()) request_frame();
}

EMSCRIPTEN_KEEPALIVE void plimsoll_text(const char* text) { ImGui::GetIO().AddInputCharactersUTF8(text); }

EMSCRIPTEN_KEEPALIVE void plimsoll_backspace() {
  ImGui::GetIO().AddKeyEvent(ImGuiKey_Backspace, true);
  ImGui::GetIO().AddKeyEvent(ImGuiKey_Backspace, false);
}

/// A paste is read by ImGui when its own paste key comes; a phone's menu sends none, so one is made up for it.
EMSCRIPTEN_KEEPALIVE int plimsoll_paste(const char* text, int by_key) {
  ImGuiIO& io = ImGui::GetIO();
  page().clipboard = text;
  if (!io.WantTextInput) {
    if (!looks_like_json(text)) return 0;
    js_read_text(text);
    return 1;
  }
  if (by_key) return 1;
  for (const bool down : {true, false}) {
    io.AddKeyEvent(io.ConfigMacOSXBehaviors ? ImGuiMod_Super : ImGuiMod_Ctrl, down);
    io.AddKeyEvent(ImGuiKey_V, down);
  }
  return 1;
}

EMSCRIPTEN_KEEPALIVE void plimsoll_point(float x, float y) {
  ImGui::GetIO().AddMouseSourceEvent(ImGuiMouseSource_TouchScreen);
  // the backend asks the emulation for the mouse's place unless it knows that the pointer is on the canvas
  ImGui_ImplGlfw_CursorEnterCallback(page_window().handle, GLFW_TRUE);
  on_pointer(page_window().handle, x, y);
}

/// A lifted finger hovers over nothing.
EMSCRIPTEN_KEEPALIVE void plimsoll_lift() {
  ImGui_ImplGlfw_CursorEnterCallback(page_window().handle, GLFW_FALSE);
  request_frame();
}

EMSCRIPTEN_KEEPALIVE void plimsoll_scroll(float pixels) {
  page_window().app->view.drag_scroll += pixels / page_zoom();
  plimsoll_wake();
}

/// Drawn at once, while the tap is still being handled: only then do phones let the page open the keyboard.
EMSCRIPTEN_KEEPALIVE void plimsoll_tap(float x, float y) {
  constexpr int kUntilAnswered = 4; // frames: move, press, release, and the text box has the keyboard
  plimsoll_point(x, y);
  ImGui::GetIO().AddMouseButtonEvent(0, true);
  ImGui::GetIO().AddMouseButtonEvent(0, false);
  for (int i = 0; i < kUntilAnswered; ++i) draw_now();
  plimsoll_lift();
}

EMSCRIPTEN_KEEPALIVE void plimsoll_resize(int width, int height) {
  glfwSetWindowSize(page_window().handle, width, height);
  plimsoll_wake();
  draw_now(); // a canvas is blank after a change of its size
}

/// Two fingers: so much larger than usual. The screen keeps at least the width that the narrowest layout needs.
EMSCRIPTEN_KEEPALIVE void plimsoll_zoom(float zoom) {
  constexpr float kLeast = 0.7f, kMost = 3, kNarrowest = 260;
  const float widest = static_cast<float>(js_host_width()) / kNarrowest;
  page().zoom = std::clamp(zoom, kLeast, std::clamp(widest, 1.0f, kMost));
  plimsoll_wake();
}

EMSCRIPTEN_KEEPALIVE float plimsoll_zoomed() { return page().zoom; }

/// Nothing is open or being edited: Escape may leave the canvas.
EMSCRIPTEN_KEEPALIVE int plimsoll_is_idle() {
  return !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel) && !ImGui::IsAnyItemActive();
}
}
