#include "panels/time_panel.hpp"

#include "panels/load_panel.hpp"
#include "panels/money_panel.hpp"
#include "plimsoll/method/format.hpp"
#include "reach/describe.hpp"
#include "widgets/amount_row.hpp"
#include "widgets/controls.hpp"
#include "widgets/text.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace plimsoll::app {
namespace {

constexpr float kBar = 34, kLeastNamed = 46, kHintWidth = 250;

const Component* fact(const Shown& shown, std::string_view id) {
  for (const Component& one : shown.explanation.facts)
    if (one.id == id) return &one;
  return nullptr;
}

void facts(Ui& ui, const Shown& shown, std::initializer_list<std::string_view> ids, float width) {
  for (const std::string_view id : ids)
    if (const Component* const one = fact(shown, id)) amount_row(ui, row_of(*one), width);
}

void segment_hint(Ui& ui, const Component& part, ImVec2 min, ImVec2 max) {
  begin_hint(ui, min, max, kHintWidth);
  paragraph(ui, ui.fonts.body_strong, ui.theme.ink, part.label, kHintWidth);
  paragraph(ui, ui.fonts.label, ui.theme.ink, amount_text(part) + ", likely " + format_amounts(part.low, part.high, part.unit), kHintWidth);
  paragraph(ui, ui.fonts.label, ui.theme.accent, "Press to see its formula.", kHintWidth);
  end_hint(ui);
}

/// The parts side by side: exposed times, so that together they are as long as the whole.
void stacked_bar(Ui& ui, const Component& whole, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* const draw = ImGui::GetWindowDrawList();
  const double all = std::max(1.0, static_cast<double>(whole.amount));
  double before = 0;
  for (const Component& part : whole.parts) {
    const float left = at.x + width * static_cast<float>(before / all);
    before += static_cast<double>(part.amount);
    const float right = at.x + width * static_cast<float>(before / all);
    if (right - left < 0.5f) continue;
    const bool looked_at = ui.view.selected == part.id || ui.view.hovered == part.id;
    const ImU32 colour = colour_of(part.id, ui.theme.dim);
    const ImVec2 min{left, at.y}, max{std::max(left + 1, right - 1), at.y + kBar};
    ImGui::SetCursorScreenPos(min);
    const std::string name = "time." + part.id;
    if (ImGui::InvisibleButton(name.c_str(), {std::max(1.0f, max.x - min.x), kBar}, ImGuiButtonFlags_EnableNav)) ui.view.selected = part.id;
    note_item(ui, name);
    if (is_described()) describe({.name = in_words(part), .group = "Parts of the time"});
    if (ImGui::IsItemHovered()) ui.view.hovering = part.id, ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    draw->AddRectFilled(min, max, looked_at ? mixed(colour, ui.theme.ink, 0.15f) : colour, 4);
    const std::string text = amount_text(part);
    if (max.x - min.x > std::max(kLeastNamed, measure(ui.fonts.label_strong, text).x + 10))
      draw_text_centred(ui.fonts.label_strong, {(min.x + max.x) / 2, at.y + (kBar - ui.fonts.label_strong.size) / 2}, text_on(colour), text);
    if (wants_hint(ui)) segment_hint(ui, part, min, max);
  }
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, kBar + 8});
}

void parts_of(Ui& ui, const Component& whole, float width) {
  const std::string range = whole.low == whole.high ? "" : ", likely " + format_amounts(whole.low, whole.high, whole.unit);
  const std::string label = whole.label + ": ", amount = amount_text(whole); // a run only looks at its text
  const Run runs[] = {{label, ui.fonts.body, ui.theme.ink},
                      {amount, ui.fonts.body_strong, ui.theme.ink},
                      {range, ui.fonts.body, ui.theme.dim}};
  paragraph(ui, "", runs, width);
  gap(6);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  stacked_bar(ui, whole, width);
  for (const Component& part : whole.parts) {
    AmountRow row = row_of(part);
    row.chip = colour_of(part.id, ui.theme.dim);
    amount_row(ui, row, width);
  }
  note_rect(ui, whole.id, at, {at.x + width, ImGui::GetCursorScreenPos().y});
}

void training(Ui& ui, const Shown& shown, float width) {
  const Component* const step = fact(shown, "fact.step_time");
  if (!step) return paragraph(ui, ui.fonts.body, ui.theme.dim, "The rates of this device are not published, so that the time of a step is not told.", width);
  parts_of(ui, *step, width);
  facts(ui, shown, {"fact.tokens_per_second", "fact.mfu", "fact.hfu"}, width);
  if (const Component* const learning = fact(shown, "fact.learning_step")) {
    gap(space::section);
    parts_of(ui, *learning, width);
    facts(ui, shown, {"fact.learning_tokens_per_second"}, width);
  }
  gap(space::section);
  heading(ui, "The whole job");
  if (fact(shown, "fact.gpu_hours")) {
    facts(ui, shown, {"fact.gpu_hours", "fact.job_time"}, width);
  } else {
    const bool pretrains = shown.answer.inputs.workload.task == Task::pretrain;
    const Run runs[] = {{pretrains ? "Say how many tokens it trains on, and its GPU-hours, time and price stand here: " : "Say how many tokens the data set has, and GPU-hours, time and price stand here: ",
                         ui.fonts.body, ui.theme.dim},
                        {pretrains ? "training tokens" : "data set tokens", ui.fonts.body, ui.theme.accent, true}};
    if (paragraph(ui, "job", runs, width) >= 0) ui.view.focus_field = pretrains ? "train_tokens" : "dataset_tokens";
    gap(4);
  }
  facts(ui, shown, {"fact.chinchilla_tokens"}, width);
}

AmountRow rate_row(std::string_view label, const TokenRate& rate) {
  return {"", label, format_token_rate(rate.expected), rate.low == rate.high ? "" : format_amounts(rate.low.value, rate.high.value, "thousandths of tokens/s")};
}

void serving(Ui& ui, const Shown& shown, float width) {
  const Component* const step = fact(shown, "fact.decode_step");
  const Speed speed = plimsoll::speed(shown.answer.scenario);
  if (!step || !speed.exists) return paragraph(ui, ui.fonts.body, ui.theme.dim, "How fast this engine is on this device is not known: nobody measured it, or the rates of the device are not published.", width);
  parts_of(ui, *step, width);
  amount_row(ui, rate_row("Tokens of one sequence", speed.sequence), width);
  amount_row(ui, rate_row("Tokens of all sequences", speed.total), width);
  facts(ui, shown, {"fact.prefill"}, width);
  if (speed.has_prefill) amount_row(ui, rate_row("Tokens of a prompt that are read", speed.prompt), width);
  AmountRow crossover{"", "Batch from which on multiplying decides", speed.crossover > Count{0} ? format_count(speed.crossover) : "none", ""};
  amount_row(ui, crossover, width);
  gap(6);
  paragraph(ui, ui.fonts.label, ui.theme.dim,
            speed.computes ? "Multiplying decides this step: a larger batch makes each sequence slower."
                           : "Reading weights and cache decides this step: a larger batch costs little time until multiplying takes longer.", width);
}

} // namespace

void time_panel(Ui& ui, const App& app, float width) {
  const Shown& shown = *app.shown;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  trains(shown.answer.inputs.workload.task) ? training(ui, shown, width) : serving(ui, shown, width);
  if (!trains(shown.answer.inputs.workload.task)) gap(space::section), load_panel(ui, app, width);
  gap(space::section + 4);
  money_panel(ui, app, width);
  note_rect(ui, "time", at, {at.x + width, ImGui::GetCursorScreenPos().y});
}

} // namespace plimsoll::app
