#include "panels/schedule.hpp"

#include "plimsoll/format.hpp"
#include "plimsoll/pipeline.hpp"
#include "plimsoll/schedule.hpp"
#include "widgets/controls.hpp"
#include "widgets/text.hpp"

#include <algorithm>
#include <string>

namespace plimsoll::app {
namespace {

constexpr float kRow = 22, kMostRow = 30, kNames = 58, kFlight = 74;
constexpr std::int64_t kMostDrawn = 24; ///< micro-batches: more would be too narrow to see

/// Of all chunks of a rank.
Count in_flight(const Scenario& scenario, std::int64_t rank) {
  Count sum;
  for (std::int64_t index = 0; index < chunks_per_rank(scenario.strategy); ++index)
    sum += micro_batches_in_flight(scenario.strategy, scenario.workload, rank, index);
  return sum;
}

void draw_passes(const Ui& ui, const Schedule& schedule, std::size_t rank, ImVec2 min, ImVec2 max) {
  ImDrawList* const draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(min, max, ui.theme.field, 2);
  const ImU32 forward = colour_of("time.matrices", ui.theme.accent), backward = colour_of("time.attention", ui.theme.accent);
  const float unit = (max.x - min.x) / static_cast<float>(std::max<std::int64_t>(1, schedule.length));
  for (const Pass& pass : schedule.ranks[rank]) {
    const float left = min.x + unit * static_cast<float>(pass.begin), right = min.x + unit * static_cast<float>(pass.end);
    const ImU32 colour = pass.backward ? backward : forward;
    draw->AddRectFilled({left, min.y}, {std::max(left + 0.5f, right - 1), max.y}, colour, 2);
    const std::string name = format_count(Count{pass.micro_batch + 1});
    if (right - left > measure(ui.fonts.label, name).x + 4)
      draw_text_centred(ui.fonts.label, {(left + right) / 2, (min.y + max.y - ui.fonts.label.size) / 2}, text_on(colour), name);
  }
}

void legend(Ui& ui, const Schedule& schedule, const Workload& workload, float width) {
  std::string words = "Time runs to the right: forward passes in blue, backward passes in violet, each with its micro-batch; what is empty is the bubble.";
  if (schedule.micro_batches < workload.micro_batches)
    words += " Drawn with " + format_count(Count{schedule.micro_batches}) + " of " + format_count(Count{workload.micro_batches}) + " micro-batches.";
  paragraph(ui, ui.fonts.label, ui.theme.dim, words, width);
}

} // namespace

void schedule_panel(Ui& ui, const Shown& shown, float width) {
  const Scenario& scenario = shown.answer.scenario;
  const std::int64_t ranks = scenario.strategy.pipeline_parallel;
  if (ranks < 2 || !trains(scenario.workload.task)) return;
  gap(20);
  heading(ui, "Schedule of the pipeline");
  const Schedule schedule = schedule_of(scenario.strategy, std::min(scenario.workload.micro_batches, kMostDrawn));
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
  if (schedule.known) legend(ui, schedule, scenario.workload, width);
  else paragraph(ui, ui.fonts.label, ui.theme.dim, "The passes of this schedule are not drawn; the numbers are those whose activations each rank keeps.", width);
}

} // namespace plimsoll::app
