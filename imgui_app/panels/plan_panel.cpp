#include "panels/plan_panel.hpp"

#include "panels/plan_chart.hpp"
#include "panels/plan_parts.hpp"
#include "panels/plan_table_view.hpp"
#include "panels/serving_plan_panel.hpp"
#include "plimsoll/method/format.hpp"
#include "widgets/controls.hpp"
#include "widgets/text.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace plimsoll::app {
namespace {

constexpr std::array<PlanLimit, 3> kLimits{{{"gpus", kOtherGpus}, {"budget", "budget in dollars"}, {"deadline", "deadline in hours"}}};

void objectives(Ui& ui, float width) {
  std::array<Alternative, kObjectives> names;
  for (std::size_t i = 0; i < kObjectives; ++i) {
    const ObjectiveText& text = text_of(static_cast<Objective>(i));
    names[i] = {text.id, text.label, ui.view.plan_objective == static_cast<Objective>(i)};
  }
  shorten_labels(ui, names, width);
  if (const int pressed = segmented(ui, "plan.objective", names, width); pressed >= 0) {
    ui.view.plan_objective = static_cast<Objective>(pressed);
    ui.actions.search_plans = true;
  }
}

void counts(Ui& ui, const io::PlanAnswer& answer, float width) {
  const std::string counts = io::counts_text(answer) + ".";
  for (std::size_t from = 0, end = 0; end != std::string::npos; from = end + 1) {
    end = counts.find('\n', from);
    paragraph(ui, ui.fonts.label, ui.theme.dim, std::string_view{counts}.substr(from, end - from), width);
  }
}

void chart(Ui& ui, const io::PlanAnswer& answer, float width) {
  std::vector<PlanDot> dots;
  for (const io::PlannedWay& way : answer.front) {
    if (!way.planned.timed) continue;
    dots.push_back({way.planned.time.value, way.headroom.value, format_duration(way.planned.time) + ", " + format_bytes(way.headroom) + " to spare", way.text, way.query});
  }
  if (dots.size() < 2) return;
  gap(12);
  paragraph(ui, ui.fonts.label_strong, ui.theme.dim, "What is to spare over the time, of the plans that no other beats", width);
  gap(6);
  plan_chart(ui, dots, {[](std::int64_t time) { return format_duration(Nanoseconds{time}); }, [](std::int64_t room) { return format_bytes(Bytes{room}); }}, width);
}

} // namespace

void plan_panel(Ui& ui, const App& app, float width) {
  if (!trains(app.shown->answer.inputs.workload.task)) return serving_plan_panel(ui, app, width);
  if (!app.plan)
    paragraph(ui, ui.fonts.body, ui.theme.dim, "Every way to divide this training among so many GPUs: degrees, schedules, sharding, micro-batches, recomputation, offload.", width), gap(8);
  plan_tokens(ui, app, width);
  gap(6);
  plan_fleets(ui, width);
  gap(6);
  objectives(ui, width);
  gap(6);
  plan_limits(ui, kLimits, width);
  gap(10);
  search_button(ui, app, app.plan ? &app.plan->query : nullptr);
  if (!app.plan) return;
  const io::PlanAnswer& answer = app.plan->answer;
  const bool running = app.plan->running;
  if (running) plan_progress(ui, static_cast<std::size_t>(answer.progress.layouts), static_cast<std::size_t>(answer.progress.of), width);
  plan_issues(ui, answer.issues, width);
  if (answer.ok && answer.best.empty() && !running)
    paragraph(ui, ui.fonts.body_strong, ui.theme.load_line, "No way holds. Take more GPUs, a larger device, or train less of the model: LoRA, QLoRA.", width);
  plan_table(ui, io::table_of(answer), width);
  if (!running && !answer.best.empty()) plan_hand_over(ui, io::why_text(answer), app.plan->rests_on, width);
  chart(ui, answer, width);
  gap(8);
  counts(ui, answer, width);
}

} // namespace plimsoll::app
