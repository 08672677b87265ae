#include "panels/plan_panel.hpp"

#include "panels/plan_chart.hpp"
#include "plimsoll/format.hpp"
#include "widgets/controls.hpp"
#include "widgets/text.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace plimsoll::app {
namespace {

constexpr std::array<std::int64_t, 7> kGpus{1, 8, 16, 32, 64, 128, 512};
constexpr float kRow = 44, kPin = 30;

void objectives(Ui& ui, float width) {
  std::array<Alternative, kObjectives> names;
  for (std::size_t i = 0; i < kObjectives; ++i) {
    const ObjectiveText& text = text_of(static_cast<Objective>(i));
    names[i] = {text.id, text.label, ui.view.plan_objective == static_cast<Objective>(i)};
  }
  if (const int pressed = segmented(ui, "plan.objective", names, width); pressed >= 0) {
    ui.view.plan_objective = static_cast<Objective>(pressed);
    ui.actions.search_plans = true;
  }
}

void fleets(Ui& ui, float width) {
  std::array<std::string, kGpus.size()> texts;
  std::array<Alternative, kGpus.size()> names;
  for (std::size_t i = 0; i < kGpus.size(); ++i) {
    texts[i] = format_count(Count{kGpus[i]});
    names[i] = {texts[i], texts[i], ui.view.plan_gpus == kGpus[i]};
  }
  if (const int pressed = segmented(ui, "plan.gpus", names, width); pressed >= 0) {
    ui.view.plan_gpus = kGpus[static_cast<std::size_t>(pressed)];
    ui.actions.search_plans = true;
  }
}

std::string counts_of(const PlanSearch& plan) {
  std::string text = format_count(Count{plan.answer.counts.tried}) + " ways tried, " + format_count(Count{plan.answer.counts.held}) + " hold";
  for (std::size_t i = 0; i < kDropped; ++i)
    if (plan.answer.counts.dropped[i] > 0) text += "; " + std::string{text_of(static_cast<Dropped>(i)).label} + ": " + format_count(Count{plan.answer.counts.dropped[i]});
  return text + ".";
}

void progress(Ui& ui, const PlanSearch& plan, float width) {
  if (plan.running) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float done = plan.answer.progress.of == 0 ? 1.0f : static_cast<float>(plan.answer.progress.layouts) / static_cast<float>(plan.answer.progress.of);
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + width, at.y + 4}, ui.theme.field, 2);
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + width * done, at.y + 4}, ui.theme.accent, 2);
    gap(10);
    if (link(ui, "plan.stop", "Stop; keep what was found", ui.fonts.label)) ui.actions.stop_plans = true;
  }
  paragraph(ui, ui.fonts.label, ui.theme.dim, counts_of(plan), width);
  for (const Issue& issue : plan.answer.issues)
    paragraph(ui, ui.fonts.label, issue.severity == Severity::error ? ui.theme.load_line : ui.theme.dim, issue.message + " " + issue.remedy, width);
}

/// One plan: what it takes, and below how. Pressed, it is the question; the pin keeps it to compare.
void row(Ui& ui, const io::PlanAnswer& answer, std::size_t index, float width) {
  const io::PlannedWay& way = answer.best[index];
  const io::PricedFleet& fleet = answer.setups[way.planned.choice.variant].fleets[way.planned.choice.fleet];
  const std::string name = "plan.row." + std::to_string(index);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (ImGui::InvisibleButton(name.c_str(), {width - kPin, kRow}, ImGuiButtonFlags_EnableNav)) ui.actions.ask = way.query;
  note_item(ui, name);
  const bool hot = ImGui::IsItemHovered() || ImGui::IsItemFocused();
  if (hot) ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + width - kPin, at.y + kRow}, ui.theme.hover, space::row_rounding);
  if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  std::string figures = way.planned.timed ? format_duration(way.planned.time) : std::string{"time not known"};
  if (way.planned.timed && fleet.hourly > Money{0}) figures += "   " + format_money(way.planned.cost);
  const std::string room = format_bytes(way.planned.headroom) + " to spare   " + format_count(Count{fleet.gpus}) + " GPUs";
  draw_text(ui.fonts.body_strong, {at.x + 8, at.y + 4}, ui.theme.ink, figures);
  draw_text_right(ui.fonts.label, {at.x + width - kPin - 8, at.y + 6}, ui.theme.dim, room);
  draw_text(ui.fonts.label, {at.x + 8, at.y + 24}, ui.theme.dim, elided(ui.fonts.label, way.text, width - kPin - 16));
  ImGui::SetCursorScreenPos({at.x + width - kPin + 6, at.y + 2});
  if (link(ui, "plan.pin." + std::to_string(index), "pin", ui.fonts.label)) ui.actions.pin_other = way.query;
  ImGui::SetCursorScreenPos({at.x, at.y + kRow});
  gap(2);
}

} // namespace

void plan_panel(Ui& ui, const App& app, float width) {
  if (!trains(app.shown->answer.inputs.workload.task)) {
    paragraph(ui, ui.fonts.body, ui.theme.dim, "A search goes over ways of training: choose fine-tuning or pre-training. For serving, the command line has plimsoll plan.", width);
    return;
  }
  paragraph(ui, ui.fonts.body, ui.theme.dim, "Every way to divide this training among so many GPUs: degrees, schedules, sharding, micro-batches, recomputation, offload.", width);
  gap(8);
  fleets(ui, width);
  gap(6);
  objectives(ui, width);
  gap(10);
  const bool stale = app.plan && app.plan->query != app.query;
  if ((!app.plan || stale) && button(ui, "plan.search", app.plan ? "Search again for this question" : "Search", Emphasis::primary)) ui.actions.search_plans = true;
  if (!app.plan) return;
  gap(8);
  progress(ui, *app.plan, width);
  gap(8);
  const io::PlanAnswer& answer = app.plan->answer;
  if (answer.ok && answer.best.empty() && !app.plan->running)
    paragraph(ui, ui.fonts.body_strong, ui.theme.load_line, "No way holds. Take more GPUs, a larger device, or train less of the model: LoRA, QLoRA.", width);
  for (std::size_t i = 0; i < answer.best.size(); ++i) row(ui, answer, i, width);
  if (answer.best.empty()) return;
  gap(12);
  heading(ui, "Time and headroom of all that no other beats");
  gap(6);
  plan_chart(ui, *app.plan, width);
}

} // namespace plimsoll::app
