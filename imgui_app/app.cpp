#include "app.hpp"

#include "plimsoll/answer/gpus.hpp"
#include "plimsoll/files/model_file.hpp"
#include "screen.hpp"
#include "theme.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace plimsoll::app {
namespace {

/// The amount that people ask about first.
std::string largest_part(const Component& memory) {
  const Component* largest = &memory;
  std::int64_t amount = 0;
  for (const Component& part : memory.parts)
    if (part.amount > amount) largest = &part, amount = part.amount;
  return largest->id;
}

bool has_moment(const Estimate& estimate, Moment moment) {
  for (std::size_t i = 0; i < estimate.moments.size(); ++i)
    if (estimate.moments[i].moment == moment) return true;
  return false;
}

bool has_component(const Shown& shown, std::string_view id) {
  if (find_component(shown.moment ? *shown.moment : shown.explanation.memory, id)) return true;
  if (find_component(shown.explanation.parameters, id)) return true;
  for (const std::vector<Component>* list : {&shown.explanation.facts, &shown.money})
    for (const Component& one : *list)
      if (find_component(one, id)) return true;
  return false;
}

/// Only what is drawn of them: the estimates of all ranks would be many times as much.
std::vector<MomentUse> peaks_of_ranks(const io::Answer& answer) {
  std::vector<MomentUse> peaks;
  if (answer.estimate.ranks.size() < 2) return peaks;
  for (std::size_t i = 0; i < answer.estimate.ranks.size(); ++i)
    peaks.push_back(estimate_rank(answer.scenario, static_cast<std::int64_t>(i)).at_peak());
  return peaks;
}

bool has_rank(const Estimate& estimate, std::int64_t rank) {
  return rank >= 0 && rank < static_cast<std::int64_t>(estimate.ranks.size());
}

/// The rank, the moment and the component that are looked at may be gone with the last change of the question.
void follow(Shown& shown, View& view) {
  const io::Answer& answer = shown.answer;
  if (view.rank && (!has_rank(answer.estimate, *view.rank) || *view.rank == answer.estimate.rank)) view.rank.reset();
  shown.rank.reset();
  if (view.rank) shown.rank = estimate_rank(answer.scenario, *view.rank);
  const Estimate& estimate = shown.looked_at();
  if (view.moment && (!has_moment(estimate, *view.moment) || estimate.at_peak().moment == *view.moment)) view.moment.reset();
  shown.moment.reset();
  if (view.moment || view.rank)
    shown.moment = explain_moment(answer.scenario, view.moment.value_or(estimate.at_peak().moment), estimate.rank);
  if (!has_component(shown, view.selected)) view.selected = first_look(shown);
}

} // namespace

std::string first_look(const Shown& shown) { return largest_part(shown.moment ? *shown.moment : shown.explanation.memory); }

void App::look_again() { follow(*shown, view); }

App::App(std::string_view initial_query, std::string_view day)
    : catalog(io::Catalog::load()), prices(io::Prices::load(catalog)), today(day), fonts(load_fonts()) {
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  io.ConfigInputTextCursorBlink = false; // a blinking caret would be a frame twice a second
  set_dark(view.dark);
  set_query(initial_query.empty() ? io::kExampleQuery : initial_query);
}

void App::set_query(std::string_view text) {
  Issues carried;
  request = io::request_from_query(text, carried);
  view.import_notes.clear();
  recompute(std::move(carried));
  effects.query_changed = false;
}

void App::set_field(std::string_view name, std::string_view text) {
  if (name == "model") view.import_notes.clear();
  if (name == io::gpus_field().name) io::edit_gpus(catalog, request, text);
  else io::edit(request, name, text);
  recompute();
}

void App::reset_field(std::string_view name) {
  request.erase(name);
  recompute();
}

bool App::read_file(std::string_view bytes, std::uint64_t size, std::string_view name) {
  if (bytes.size() == size && read_given(bytes, name)) return true;
  readers = Arrival::there; // who reads files reads configs
  io::ModelFile file = io::read_model_file(bytes, size, name);
  const bool is_text = bytes.size() == size && looks_like_json(bytes);
  view.file_dialog = {.open = true, .text = is_text && !file.ok ? std::string(bytes) : "", .name = std::string(name), .file = std::move(file)};
  wake();
  const io::ModelFile& read = *view.file_dialog.file;
  if (!read.ok || read.request.entries().empty()) return false;
  undo.note(request, {});
  // the model itself comes first and takes back the last one's facts
  for (const io::Entry& entry : read.request.entries()) io::edit(request, entry.name, entry.text);
  view.import_notes = read.issues;
  recompute();
  return true;
}

void App::refuse_file(std::string message, std::string remedy) {
  io::ModelFile nothing;
  nothing.issues.push_back({Severity::error, "", std::move(message), std::move(remedy)});
  view.file_dialog = {.open = true, .text = {}, .name = {}, .file = std::move(nothing)};
  wake();
}

void App::set_dark(bool dark) {
  view.dark = dark;
  apply_style(theme(dark));
  wake();
}

void App::set_byte_units(ByteUnits units) {
  plimsoll::set_byte_units(units);
  answer_pins();
  recompute();
  wake();
}

void App::recompute(Issues carried) {
  unread.reset();
  if (io::reads_config(request) && !has_readers()) {
    unread = std::move(carried);
    return;
  }
  answer = io::answer(catalog, request, std::move(carried));
  // A number of GPUs is asked in degrees from here on: one of them may be changed next.
  if (request.find(io::gpus_field().name) != nullptr && std::ranges::none_of(answer.issues, [](const Issue& issue) { return issue.severity == Severity::error && issue.field == io::gpus_field().name; }))
    request = answer.request;
  find_remedies();
  const std::string before = std::exchange(query, io::canonical_query(answer));
  effects.query_changed = effects.query_changed || query != before;
  judging.reset();
  if (answer.ok) judging.emplace(answer.scenario, answer.estimate.rank);
  else effects.answered = true;
  if (!answers_in_slices || !shown) judge_a_while(); // else with the frame that this belongs to
  wake();
}

/// Replays the step of the answer. One of hundreds of billions of parameters on one GPU takes longer than a frame may, and nobody who types should
/// have to wait for it: until it is done, what was shown stays.
void App::judge_a_while() {
  if (!judging) return;
  while (judging->advance())
    if (answers_in_slices && shown && !has_time()) return;
  io::add_footprint(answer, judging->footprint());
  judging.reset();
  io::add_cost(answer, catalog, prices, today);
  show_answer();
}

void App::show_answer() {
  shown = Shown{answer, explain(answer.scenario, answer.estimate), peaks_of_ranks(answer), {}, answer.cost ? io::cost_components(*answer.cost, 0) : std::vector<Component>{}, {}};
  follow(*shown, view);
  effects.answered = true;
  wake();
}

void App::frame() {
  Actions actions;
  Ui ui{theme(view.dark), fonts, view, actions};
  if (unsettled_frames > 0) --unsettled_frames;
  if (!view.focus_field.empty()) wake(); // ImGui moves its focus over the next frames
  view.waiting = false;
  view.rects.clear();

  reach.begin();
  draw_screen(ui, *this);
  if (reach.end()) effects.widgets_changed = true;
  if (reach.is_busy()) wake();

  // what was found under the pointer is shown from the next frame on, everywhere at once
  if (view.hovered != view.hovering || view.highlighted_field != view.highlighting_field) wake();
  if (std::exchange(view.appeared, false)) wake();
  view.hovered = std::exchange(view.hovering, {});
  view.highlighted_field = std::exchange(view.highlighting_field, {});
  view.drag_scroll = 0;
  carry_out(actions);
  begin_slice();
  judge_a_while();
  step_plans();
  step_other_tabs();
  look_under_profiles();
  advise_when_settled();
  if (std::string text = view_text(); text != told_view) {
    told_view = std::move(text);
    effects.view_changed = true;
  }
}

void App::save(io::ResultFormat format) {
  const io::ResultFormatText& words = io::text_of(format);
  effects.save_name = io::result_file_name(answer, words.ending);
  effects.save_type = words.type;
  effects.save_text = io::result_file(catalog, answer, format);
}

/// What a person changes may be taken back, one row or one press at a time.
void App::change_question(Actions& actions) {
  const io::Request before = request;
  for (const auto& [name, text] : actions.set) set_field(name, text);
  for (const std::string& name : actions.reset) reset_field(name);
  if (actions.ask) {
    set_query(*actions.ask);
    effects.query_changed = true;
  }
  if (request != before) undo.note(before, actions.ask ? std::string_view{} : std::string_view{view.editing});
}

void App::go_to(std::optional<io::Request> question) {
  if (!question) return;
  request = std::move(*question);
  view.import_notes.clear();
  recompute();
}

/// While a row is edited these keys are the row's own.
void App::hear_shortcuts(Actions& actions) {
  if (ImGui::GetIO().WantTextInput || ImGui::IsAnyItemActive()) return;
  constexpr ImGuiKeyChord kUndo = ImGuiMod_Ctrl | ImGuiKey_Z, kRedo = ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Z, kRedoToo = ImGuiMod_Ctrl | ImGuiKey_Y;
  actions.undo = actions.undo || ImGui::IsKeyChordPressed(kUndo);
  actions.redo = actions.redo || ImGui::IsKeyChordPressed(kRedo) || ImGui::IsKeyChordPressed(kRedoToo);
}

void App::carry_out(Actions& actions) {
  change_question(actions);
  hear_shortcuts(actions);
  if (actions.undo) go_to(undo.undo(request));
  if (actions.redo) go_to(undo.redo(request));
  if (actions.read_text) effects.read_text = std::move(actions.read_text);
  if (actions.choose_file) effects.choose_file = true;
  if (actions.look_at) {
    view.moment = *actions.look_at;
    if (shown) follow(*shown, view);
    wake();
  }
  if (actions.look_at_rank) {
    view.rank = *actions.look_at_rank;
    view.moment.reset();
    if (shown) follow(*shown, view);
    wake();
  }
  if (actions.show_tab) view.tab = *actions.show_tab, wake();
  if (actions.pin && std::ranges::find(view.pins, query) == view.pins.end()) view.pins.push_back(query), answer_pins();
  if (actions.unpin && *actions.unpin < view.pins.size()) {
    view.pins.erase(view.pins.begin() + static_cast<std::ptrdiff_t>(*actions.unpin));
    answer_pins();
  }
  if (actions.pin_other && std::ranges::find(view.pins, *actions.pin_other) == view.pins.end()) {
    view.pins.push_back(*actions.pin_other);
    view.toast = {"Pinned to compare", ImGui::GetTime()};
    answer_pins();
  }
  if (actions.search_plans) search_plans();
  if (actions.read_evidence) evidence = {}, wake();
  if (actions.bring_tabs) other_tabs = Arrival::unasked, wake();
  if (actions.stop_plans && plan) plan->running = false;
  if (actions.stop_plans && serving) serving->running = false;
  if (actions.stop_plans) tell_plans();
  if (actions.remove_given) remove_given(*actions.remove_given);
  if (actions.save) save(*actions.save);
  if (actions.save_plan) save_plan(*actions.save_plan);
  if (actions.save_picture) effects.save_name = io::result_file_name(answer, "png"), effects.save_picture = true;
  if (actions.toggle_dark) set_dark(!view.dark);
  if (actions.toggle_units) set_byte_units(byte_units() == ByteUnits::binary ? ByteUnits::decimal : ByteUnits::binary);
  if (actions.copy_link) effects.copy = link();
  if (!actions.copy_text.empty()) effects.copy_text = actions.copy_text;
  if (!actions.open_url.empty()) effects.open_url = actions.open_url;
}

std::string title_of(const App& app) {
  return app.answer.ok && app.shown ? app.shown->answer.headline.verdict + " " + app.shown->answer.headline.rest : std::string();
}

bool looks_like_json(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n"), last = text.find_last_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{' && text[last] == '}';
}

} // namespace plimsoll::app
