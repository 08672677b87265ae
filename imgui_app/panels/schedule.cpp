#include "panels/schedule.hpp"

#include "plimsoll/method/format.hpp"
#include "plimsoll/method/pipeline.hpp"
#include "plimsoll/method/schedule.hpp"
#include "widgets/controls.hpp"
#include "widgets/text.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace plimsoll::app {
namespace {

constexpr float kRow = 22, kMostRow = 30, kNames = 58, kFlight = 74;
constexpr std::int64_t kMostDrawn = 24; ///< micro-batches: more would be too narrow to see; but twice the ranks, which fill any pipeline

/// Of all chunks of a rank.
Count in_flight(const Scenario& scenario, std::int64_t rank) {
  Count sum;
  for (std::int64_t index = 0; index < chunks_per_rank(scenario.strategy); ++index)
    sum += micro_batches_in_flight(scenario.strategy, scenario.workload, rank, index);
  return sum;
}

/// Parts of a step have colours already, which passes borrow; chunks behind the first are lighter.
ImU32 colour_of(const Ui& ui, const Pass& pass) {
  constexpr std::array<std::string_view, 4> kLike{"time.matrices", "time.attention", "time.attention", "time.optimizer"};
  const ImU32 colour = app::colour_of(kLike[static_cast<std::size_t>(pass.kind)], ui.theme.accent);
  return pass.chunk == 0 ? colour : mixed(colour, ui.theme.ground, std::min(0.5f, 0.3f * static_cast<float>(pass.chunk)));
}

void draw_passes(const Ui& ui, const Schedule& schedule, std::size_t rank, ImVec2 min, ImVec2 max) {
  ImDrawList* const draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(min, max, ui.theme.field, 2);
  const float unit = (max.x - min.x) / static_cast<float>(std::max<std::int64_t>(1, schedule.length));
  for (const Pass& pass : schedule.ranks[rank]) {
    const float left = min.x + unit * static_cast<float>(pass.begin), right = min.x + unit * static_cast<float>(pass.end);
    const ImU32 colour = colour_of(ui, pass);
    draw->AddRectFilled({left, min.y}, {std::max(left + 0.5f, right - (unit > 3 ? 1.0f : 0.3f)), max.y}, colour, unit > 5 ? 2.0f : 0.0f);
    const std::string name = format_count(Count{pass.micro_batch + 1});
    if (right - left > measure(ui.fonts.label, name).x + 4)
      draw_text_centred(ui.fonts.label, {(left + right) / 2, (min.y + max.y - ui.fonts.label.size) / 2}, text_on(colour), name);
  }
}

/// A chip and its word; those that the schedule has.
void legend(Ui& ui, const Strategy& strategy, const Schedule& schedule, float width) {
  constexpr std::array<std::string_view, 4> kWords{"forward", "backward", "backward, inputs", "backward, weights"};
  std::array<bool, 4> has{};
  for (const std::vector<Pass>& passes : schedule.ranks)
    for (const Pass& pass : passes) has[static_cast<std::size_t>(pass.kind)] = true;
  if (has[1]) has[2] = false; // of one colour: one chip
  const ImVec2 at = ImGui::GetCursorScreenPos();
  float x = at.x, y = at.y;
  const auto chip = [&](ImU32 colour, std::string_view word) {
    const float needed = space::chip + 7 + measure(ui.fonts.label, word).x + 18;
    if (x > at.x && x + needed - 18 > at.x + width) x = at.x, y += ui.fonts.label.size + 6;
    ImGui::GetWindowDrawList()->AddRectFilled({x, y + 2}, {x + space::chip, y + 2 + space::chip}, colour, 3);
    draw_text(ui.fonts.label, {x + space::chip + 7, y}, ui.theme.dim, word);
    x += needed;
  };
  for (std::size_t i = 0; i < kWords.size(); ++i)
    if (has[i]) chip(colour_of(ui, {.kind = static_cast<PassKind>(i)}), kWords[i]);
  if (chunks_per_rank(strategy) > 1) chip(colour_of(ui, {.chunk = 1}), strategy.pipeline_schedule == PipelineSchedule::dualpipe ? "the other direction" : "further chunks: lighter");
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, y + ui.fonts.label.size + 6 - at.y});
}

void words(Ui& ui, const Strategy& strategy, const Schedule& schedule, const Workload& workload, float width) {
  std::string text = "Time runs to the right, each pass with its micro-batch; what is empty is the bubble. In flight are micro-batches whose activations a rank keeps";
  text += chunks_per_rank(strategy) > 1 ? ", one chunk of them each." : ".";
  const bool overlaps = strategy.pipeline_schedule == PipelineSchedule::dualpipe || strategy.pipeline_schedule == PipelineSchedule::dualpipe_v;
  if (overlaps) text += " A forward and a backward pass that stand side by side run at once there.";
  if (schedule.micro_batches < workload.micro_batches)
    text += " Drawn with " + format_count(Count{schedule.micro_batches}) + " of " + format_count(Count{workload.micro_batches}) + " micro-batches.";
  paragraph(ui, ui.fonts.label, ui.theme.dim, text, width);
}

} // namespace

void schedule_panel(Ui& ui, const Shown& shown, float width) {
  const Scenario& scenario = shown.answer.scenario;
  const std::int64_t ranks = scenario.strategy.pipeline_parallel;
  if (ranks < 2 || !trains(scenario.workload.task)) return;
  gap(20);
  heading(ui, "Schedule of the pipeline");
  const Schedule schedule = schedule_of(scenario.strategy, std::min(scenario.workload.micro_batches, std::max(kMostDrawn, 2 * ranks)));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ranks <= 8 ? kMostRow : kRow, right = at.x + width - kFlight;
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    const float top = at.y + height * static_cast<float>(rank), middle = top + (height - 4) / 2;
    const bool looked_at = rank == shown.looked_at().rank;
    draw_text(looked_at ? ui.fonts.label_strong : ui.fonts.label, {at.x, middle - ui.fonts.label.size / 2}, looked_at ? ui.theme.ink : ui.theme.dim, "rank " + std::to_string(rank));
    draw_text_right(ui.fonts.label, {at.x + width, middle - ui.fonts.label.size / 2}, looked_at ? ui.theme.ink : ui.theme.dim, format_count(in_flight(scenario, rank)) + " in flight");
    if (schedule.known) draw_passes(ui, schedule, static_cast<std::size_t>(rank), {at.x + kNames, top}, {right, top + height - 4});
  }
  note_rect(ui, "schedule", at, {at.x + width, at.y + height * static_cast<float>(ranks)});
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, height * static_cast<float>(ranks) + 4});
  if (!schedule.known)
    return paragraph(ui, ui.fonts.label, ui.theme.dim, "These passes are not drawn: this schedule needs more micro-batches, or another number of ranks. The numbers are those whose activations each rank keeps.", width);
  legend(ui, scenario.strategy, schedule, width);
  gap(4);
  words(ui, scenario.strategy, schedule, scenario.workload, width);
}

} // namespace plimsoll::app
