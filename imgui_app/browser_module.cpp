// What the page can call. All of it takes and gives plain values.
#include "browser_state.hpp"

#include "plimsoll/results/api.hpp"

#include <imgui.h>

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <cstdint>
#include <string>

namespace plimsoll::app {
namespace {

using emscripten::val;

/// The question, as it stands after '?' in the address.
void set_query(const std::string& query) {
  page_window().app->set_query(query);
  page_window().app->wake();
  request_frame();
}

std::string query() { return page_window().app->query; }

/// The question that is being answered, which query() is once it has been.
std::string asked() { return io::to_query(page_window().app->request); }

/// While it is, nothing is drawn and no input is heard: that waits. The page brings what it may lead to meanwhile.
void hold(bool holds) { hold_frames(holds); }

/// The answer that is shown, or what is wrong with the question, as the page's explain() gives it, without its step being replayed again.
std::string explained() {
  const App& app = *page_window().app;
  return io::explain_json(app.catalog, app.answer.ok ? app.shown->answer : app.answer);
}

/// The first bytes of a model file and the size of all of it; false when the question is unchanged (the app then shows why).
bool read_file(const std::string& bytes, double size, const std::string& name) {
  request_frame();
  return page_window().app->read_file(bytes, size > 0 ? static_cast<std::uint64_t>(size) : 0, name);
}

/// Says why a text or a file was not read.
void refuse_file(const std::string& message, const std::string& remedy) { page_window().app->refuse_file(message, remedy); }

/// What stands behind '#' in the address.
void set_view(const std::string& view) {
  page_window().app->set_view(view);
  request_frame();
}

std::string view() { return page_window().app->view_text(); }

/// Prices or devices of the reader's own; an empty text takes those of the kind out of use. False when they cannot be used.
bool set_given(const std::string& kind, const std::string& name, const std::string& text) {
  App& app = *page_window().app;
  request_frame();
  if (!text.empty()) {
    if (!app.read_given(text, name)) return false;
  } else {
    for (const io::GivenKind one : {io::GivenKind::prices, io::GivenKind::devices})
      if (kind == io::name_of(one)) app.remove_given(one);
  }
  app.effects.given.clear(); // the page knows: it asked
  return true;
}

/// accuracy.json, or an empty text where it cannot be read.
void set_evidence(const std::string& text) {
  page_window().app->set_evidence(text);
  request_frame();
}

/// What the tabs beside the first one need is there, or cannot be had.
void set_other_tabs(bool came) {
  page_window().app->set_other_tabs(came);
  request_frame();
}

/// What reads configs of models is there, or cannot be had.
void set_readers(bool came) {
  page_window().app->set_readers(came);
  request_frame();
}

/// What was asked of a widget from outside happens before this returns: only then may a page open what a press leads to.
void let_it_happen() {
  constexpr int kMostFrames = 10;
  App& app = *page_window().app;
  app.wake();
  draw_if_needed();
  for (int i = 0; i < kMostFrames && (app.reach.is_busy() || has_input()); ++i) draw_if_needed();
  request_frame();
}

void press_widget(ImGuiID id) {
  page_window().app->reach.press(id);
  let_it_happen();
}

void focus_widget(ImGuiID id) {
  page_window().app->reach.focus(id);
  let_it_happen();
}

void fill_widget(ImGuiID id, const std::string& text) {
  page_window().app->reach.fill(id, text);
  let_it_happen();
}

void leave_widget(ImGuiID id) {
  page_window().app->reach.leave(id);
  let_it_happen();
}

void scroll_pane(ImGuiID id, float to) {
  page_window().app->reach.scroll(id, to);
  let_it_happen();
}

/// A key that a text box of the accessibility layer does not keep for itself.
void press_key(const std::string& name) {
  const auto key = [&] {
    if (name == "Enter") return ImGuiKey_Enter;
    if (name == "Escape") return ImGuiKey_Escape;
    if (name == "ArrowUp") return ImGuiKey_UpArrow;
    if (name == "ArrowDown") return ImGuiKey_DownArrow;
    return ImGuiKey_None;
  }();
  if (key == ImGuiKey_None) return;
  for (const bool down : {true, false}) ImGui::GetIO().AddKeyEvent(key, down);
  let_it_happen();
}

void set_dark(bool dark) {
  page_window().app->set_dark(dark);
  request_frame();
}

/// The page has chosen GiB or GB.
void write_anew() {
  page_window().app->set_byte_units(byte_units());
  request_frame();
}

val rects(const App& app) {
  val all = val::object();
  for (const auto& [name, rect] : app.view.rects) {
    val one = val::array();
    for (const float side : {rect.x, rect.y, rect.w, rect.h}) one.call<void>("push", side * page_zoom());
    all.set(name, one);
  }
  return all;
}

/// What the app shows and where, for tests. Rectangles are [x, y, width, height] in CSS pixels of the canvas.
val state() {
  const Window& window = page_window();
  const App& app = *window.app;
  const ImGuiIO& io = ImGui::GetIO();
  val all = val::object();
  all.set("frames_drawn", window.frames_drawn);
  all.set("seeking", app.wants_frame() || app.other_tabs == Arrival::asked || app.readers == Arrival::asked);
  all.set("query", app.query);
  all.set("headline", title_of(app));
  all.set("ok", app.answer.ok);
  all.set("issues", app.answer.issues.size());
  all.set("displayW", io.DisplaySize.x);
  all.set("displayH", io.DisplaySize.y);
  all.set("scale", io.DisplayFramebufferScale.x);
  all.set("zoom", page_zoom());
  all.set("wantText", io.WantTextInput);
  all.set("dark", app.view.dark);
  all.set("selected", app.view.selected);
  all.set("hovered", app.view.hovered);
  all.set("tab", std::string(text_of(app.view.tab).id));
  all.set("view", app.view_text());
  all.set("given", app.given.size());
  all.set("evidence_rows", app.evidence.rows.size());
  all.set("file_open", app.view.file_dialog.open);
  all.set("rects", rects(app));
  return all;
}

} // namespace

EMSCRIPTEN_BINDINGS(plimsoll_app) {
  emscripten::function("set_query", &set_query);
  emscripten::function("query", &query);
  emscripten::function("asked", &asked);
  emscripten::function("hold", &hold);
  emscripten::function("explained", &explained);
  emscripten::function("read_file", &read_file);
  emscripten::function("refuse_file", &refuse_file);
  emscripten::function("set_view", &set_view);
  emscripten::function("view", &view);
  emscripten::function("set_given", &set_given);
  emscripten::function("set_evidence", &set_evidence);
  emscripten::function("set_other_tabs", &set_other_tabs);
  emscripten::function("set_readers", &set_readers);
  emscripten::function("set_dark", &set_dark);
  emscripten::function("write_anew", &write_anew);
  emscripten::function("press_widget", &press_widget);
  emscripten::function("focus_widget", &focus_widget);
  emscripten::function("fill_widget", &fill_widget);
  emscripten::function("leave_widget", &leave_widget);
  emscripten::function("scroll_pane", &scroll_pane);
  emscripten::function("press_key", &press_key);
  emscripten::function("state", &state);
}

} // namespace plimsoll::app
