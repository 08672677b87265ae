#include "panels/memory_panel.hpp"

#include "widgets/controls.hpp"
#include "widgets/field_row.hpp"
#include "widgets/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>

namespace plimsoll::app {
namespace {

constexpr float kChangeEdge = 14;

const Issue* first_error(const App& app) {
  for (const Issue& issue : app.answer.issues)
    if (issue.severity == Severity::error) return &issue;
  return nullptr;
}

/// The detail sentence, with the amount of the peak in ink.
void detail(Ui& ui, const io::Answer& answer, float width) {
  const std::string_view text = answer.headline.detail;
  const std::string peak = format_bytes(answer.estimate.at_peak().total);
  const std::size_t at = text.find(peak);
  if (at == std::string_view::npos) return paragraph(ui, ui.fonts.body, ui.theme.dim, text, width);
  const std::array<Run, 3> runs{{{text.substr(0, at), ui.fonts.body, ui.theme.dim},
                                 {text.substr(at, peak.size()), ui.fonts.body_strong, ui.theme.ink},
                                 {text.substr(at + peak.size()), ui.fonts.body, ui.theme.dim}}};
  paragraph(ui, "", runs, width);
}

/// How tall answer_headline() is, give or take a line.
float answer_height(const Ui& ui, const Headline& words, float width, Type type) {
  const auto lines = [&](Type of, const std::string& text) { return static_cast<int>(std::ceil(measure(of, text).x / std::max(width, 1.0f))); };
  return paragraph_height(type, lines(type, words.verdict + " " + words.rest)) + 2 + paragraph_height(ui.fonts.body, lines(ui.fonts.body, words.detail));
}

/// Stands in the place of the headline, as tall as it: nothing else moves while something is being typed.
void error_headline(Ui& ui, const Issue& error, float width, float height) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  paragraph(ui, ui.fonts.headline_narrow, ui.theme.load_line, error.message, width);
  gap(2);
  const std::string remedy = error.remedy + (error.remedy.empty() ? "" : " ") + "Below is the last answer without errors.";
  paragraph(ui, ui.fonts.body, ui.theme.dim, remedy, width);
  const float left = at.y + height - ImGui::GetCursorScreenPos().y;
  if (left > 0) gap(left);
}

void answer_headline(Ui& ui, const io::Answer& answer, float width, Type type) {
  const ImU32 verdict = !answer.judgement.holds() ? ui.theme.load_line : answer.footprint->tight && !answer.judgement.pool.exists ? ui.theme.warning : ui.theme.ok;
  const std::array<Run, 3> runs{{{answer.headline.verdict, type, verdict},
                                 {" ", type, verdict},
                                 {answer.headline.rest, type, ui.theme.ink}}};
  paragraph(ui, "", runs, width);
  gap(2);
  detail(ui, answer, width);
}

/// A change that makes it fit: what, and what it comes to. Pressed, it is made.
void change_row(Ui& ui, const io::TriedChange& change, std::size_t index, float width) {
  std::string what;
  for (const io::InputChange& part : change.changes) what += (what.empty() ? "" : "; ") + part.text;
  std::string then = "fits with " + format_bytes(change.headroom) + " to spare on " + format_count(change.gpus) + (change.gpus == Count{1} ? " GPU" : " GPUs");
  if (change.time_permille > 0) then += ", " + format_pace(change.time_permille);
  const float room = width - 2 * kChangeEdge, first = paragraph_height(ui.fonts.body_strong, line_count(ui.fonts.body_strong, what, room));
  const float second = paragraph_height(ui.fonts.label, line_count(ui.fonts.label, then, room));
  const ImVec2 at = ImGui::GetCursorScreenPos(), end = at + ImVec2{width, first + second + 8};
  const std::string name = "advice." + std::to_string(index);
  if (ImGui::InvisibleButton(name.c_str(), end - at, ImGuiButtonFlags_EnableNav)) ui.actions.ask = change.query;
  note_item(ui, name);
  const bool hot = ImGui::IsItemHovered();
  if (hot) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  ImGui::GetWindowDrawList()->AddRectFilled(at, end, mixed(ui.theme.field, ui.theme.accent, hot ? 0.16f : 0.07f), space::row_rounding);
  ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + 3, end.y}, ui.theme.accent, 2);
  ImGui::SetCursorScreenPos({at.x + kChangeEdge, at.y + 4});
  paragraph(ui, ui.fonts.body_strong, ui.theme.accent, what, room);
  ImGui::SetCursorScreenPos({at.x + kChangeEdge, at.y + 4 + first});
  paragraph(ui, ui.fonts.label, ui.theme.dim, then, room);
  ImGui::SetCursorScreenPos({at.x, end.y});
  gap(4);
}

/// What to do about a question that does not fit, once it is found.
void advice_panel(Ui& ui, const App& app, float width) {
  constexpr std::size_t kMost = 2;
  if (!app.advice || app.advice->query != app.query || app.advice->running || !app.answer.ok) return;
  const io::FitAdvice& fit = app.advice->session.advice();
  gap(8);
  for (std::size_t i = 0; i < std::min(kMost, fit.changes.size()); ++i) change_row(ui, fit.changes[i], i, width);
  if (!fit.ok || fit.fits || !fit.changes.empty()) return;
  const std::string tried = "None of " + format_count(Count{fit.tried}) + " changes and pairs of them makes it fit. ";
  const std::array<Run, 2> runs{{{tried, ui.fonts.body, ui.theme.dim}, {"Search for a plan with more GPUs", ui.fonts.body, ui.theme.accent, true}}};
  if (paragraph(ui, "no_advice", runs, width) >= 0) ui.actions.show_tab = Tab::plan;
}

/// The same as at the input, which may be out of sight.
void remedy_buttons(Ui& ui, const App& app, const Issue& issue) {
  if (issue.severity != Severity::error) return;
  std::size_t index = 0;
  for (const FieldRemedy& remedy : app.remedies) {
    if (remedy.field != issue.field) continue;
    gap(index == 0 ? 6.0f : 2.0f);
    if (button(ui, "mend." + issue.field + "." + std::to_string(index), "Use " + remedy.change.text, index == 0 ? Emphasis::primary : Emphasis::plain))
      for (const io::Entry& entry : remedy.change.entries) ui.actions.set.emplace_back(entry.name, entry.text);
    ++index;
  }
}

} // namespace

void headline_panel(Ui& ui, const App& app, float width, bool narrow) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Type type = narrow ? ui.fonts.headline_narrow : ui.fonts.headline;
  const Issue* const error = first_error(app);
  if (error)
    error_headline(ui, *error, width, answer_height(ui, app.shown->answer.headline, width, type));
  else
    answer_headline(ui, app.shown->answer, width, type);
  if (!error) advice_panel(ui, app, width);
  note_rect(ui, error ? "issues" : "headline", at, {at.x + width, ImGui::GetCursorScreenPos().y});
}

void issues_panel(Ui& ui, const App& app, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  paragraph(ui, ui.fonts.headline_narrow, ui.theme.ink, "There is no answer to this question yet.", width);
  gap(12);
  for (const Issue& issue : app.answer.issues) {
    const ImU32 colour = issue.severity == Severity::error ? ui.theme.load_line : ui.theme.warning;
    paragraph(ui, ui.fonts.body_strong, colour, issue.message, width);
    paragraph(ui, ui.fonts.body, ui.theme.dim, issue.remedy, width);
    remedy_buttons(ui, app, issue);
    gap(12);
  }
  note_rect(ui, "issues", at, {at.x + width, ImGui::GetCursorScreenPos().y});
}

} // namespace plimsoll::app
