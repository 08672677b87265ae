#include "panels/plan_panel.hpp"

#include "panels/plan_chart.hpp"
#include "panels/plan_parts.hpp"
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

void progress(Ui& ui, const PlanSearch& plan, float width) {
  if (plan.running) plan_progress(ui, static_cast<std::size_t>(plan.answer.progress.layouts), static_cast<std::size_t>(plan.answer.progress.of), width);
  const std::string counts = io::counts_text(plan.answer) + ".";
  for (std::size_t from = 0, end = 0; end != std::string::npos; from = end + 1) {
    end = counts.find('\n', from);
    paragraph(ui, ui.fonts.label, ui.theme.dim, std::string_view{counts}.substr(from, end - from), width);
  }
  plan_issues(ui, plan.answer.issues, width);
}

PlanLine line_of(const io::PlanAnswer& answer, const io::PlannedWay& way) {
  const io::PricedFleet& fleet = answer.setups[way.planned.choice.variant].fleets[way.planned.choice.fleet];
  PlanLine line{way.planned.timed ? format_duration(way.planned.time) : "time not known", "", way.text, way.query};
  if (way.planned.timed && fleet.hourly > Money{0}) line.figures += "   " + format_money(way.planned.cost);
  line.room = format_bytes(way.planned.headroom) + " to spare   " + format_count(Count{fleet.gpus}) + (fleet.gpus == 1 ? " GPU" : " GPUs");
  return line;
}

void chart(Ui& ui, const io::PlanAnswer& answer, float width) {
  std::vector<PlanDot> dots;
  for (const io::PlannedWay& way : answer.front) {
    if (!way.planned.timed) continue;
    dots.push_back({way.planned.time.value, way.planned.headroom.value, format_duration(way.planned.time) + ", " + format_bytes(way.planned.headroom) + " to spare", way.text, way.query});
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
  paragraph(ui, ui.fonts.body, ui.theme.dim, "Every way to divide this training among so many GPUs: degrees, schedules, sharding, micro-batches, recomputation, offload.", width);
  gap(8);
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
  gap(8);
  progress(ui, *app.plan, width);
  const io::PlanAnswer& answer = app.plan->answer;
  if (answer.tokens > 0 && !answer.best.empty()) paragraph(ui, ui.fonts.label, ui.theme.dim, "Times and costs are for " + format_count(Count{answer.tokens}) + " tokens.", width);
  gap(8);
  if (answer.ok && answer.best.empty() && !app.plan->running)
    paragraph(ui, ui.fonts.body_strong, ui.theme.load_line, "No way holds. Take more GPUs, a larger device, or train less of the model: LoRA, QLoRA.", width);
  for (std::size_t i = 0; i < answer.best.size(); ++i) plan_line(ui, line_of(answer, answer.best[i]), i, width);
  chart(ui, answer, width);
}

} // namespace plimsoll::app
