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
  const ImU32 verdict = answer.footprint->fits ? ui.theme.ok : ui.theme.load_line;
  const std::array<Run, 3> runs{{{answer.headline.verdict, type, verdict},
                                 {" ", type, verdict},
                                 {answer.headline.rest, type, ui.theme.ink}}};
  paragraph(ui, "", runs, width);
  gap(2);
  detail(ui, answer, width);
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
    gap(12);
  }
  note_rect(ui, "issues", at, {at.x + width, ImGui::GetCursorScreenPos().y});
}

} // namespace plimsoll::app
