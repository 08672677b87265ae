#include "panels/plan_parts.hpp"

#include "plimsoll/method/format.hpp"
#include "widgets/controls.hpp"
#include "widgets/inputs.hpp"
#include "widgets/text.hpp"

#include <array>

namespace plimsoll::app {
namespace {

constexpr float kGap = 8, kInRow = 420;

} // namespace

void shorten_labels(const Ui& ui, std::span<Alternative> alternatives, float width) {
  float needed = 0;
  for (const Alternative& alternative : alternatives) needed += measure(ui.fonts.body, alternative.label).x + 20;
  if (needed > width)
    for (Alternative& alternative : alternatives) alternative.label = alternative.id;
}

void plan_fleets(Ui& ui, float width) {
  std::array<std::string, kUsualFleets.size()> texts;
  std::array<Alternative, kUsualFleets.size()> names;
  for (std::size_t i = 0; i < kUsualFleets.size(); ++i) {
    texts[i] = format_count(Count{kUsualFleets[i]});
    names[i] = {texts[i], texts[i], ui.view.plan_gpus == kUsualFleets[i] && ui.view.plan_limits["gpus"].empty()};
  }
  if (const int pressed = segmented(ui, "plan.gpus", names, width); pressed >= 0) {
    ui.view.plan_gpus = kUsualFleets[static_cast<std::size_t>(pressed)];
    ui.view.plan_limits.erase("gpus");
    ui.actions.search_plans = true;
  }
}

void plan_limits(Ui& ui, std::span<const PlanLimit> limits, float width) {
  const bool in_row = width >= kInRow;
  const auto count = static_cast<float>(limits.size());
  const float each = in_row ? (width - kGap * (count - 1)) / count : width;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  for (std::size_t i = 0; i < limits.size(); ++i) {
    if (in_row) ImGui::SetCursorScreenPos({at.x + (each + kGap) * static_cast<float>(i), at.y});
    else if (i > 0) gap(4);
    text_box(ui, "plan." + std::string(limits[i].name), ui.view.plan_limits[std::string(limits[i].name)], limits[i].words, each);
    if (ImGui::IsItemDeactivatedAfterEdit()) ui.actions.search_plans = true;
  }
}

void plan_tokens(Ui& ui, const App& app, float width) {
  const std::string* const typed = app.request.find("train_tokens");
  std::string text = typed != nullptr ? *typed : "";
  if (text_box(ui, "plan.train_tokens", text, "tokens to train on, such as 15T or 300M", width)) {
    if (text.empty()) ui.actions.reset.emplace_back("train_tokens");
    else ui.actions.set.emplace_back("train_tokens", text);
  }
  if (ImGui::IsItemDeactivatedAfterEdit()) ui.actions.search_plans = true;
}

void plan_issues(Ui& ui, const Issues& issues, float width) {
  for (const Issue& issue : issues)
    paragraph(ui, ui.fonts.label, issue.severity == Severity::error ? ui.theme.load_line : ui.theme.dim, issue.message + " " + issue.remedy, width);
}

void search_button(Ui& ui, const App& app, const std::string* searched) {
  if (searched != nullptr && *searched == app.query) return;
  if (button(ui, "plan.search", searched != nullptr ? "Search again for this question" : "Search", Emphasis::primary)) ui.actions.search_plans = true;
}

void plan_progress(Ui& ui, std::size_t done, std::size_t of, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float part = of == 0 ? 1.0f : static_cast<float>(done) / static_cast<float>(of);
  ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + width, at.y + 4}, ui.theme.field, 2);
  ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + width * part, at.y + 4}, ui.theme.accent, 2);
  gap(10);
  if (link(ui, "plan.stop", "Stop; keep what was found", ui.fonts.label)) ui.actions.stop_plans = true;
}

} // namespace plimsoll::app
