#include "panels/serving_plan_panel.hpp"

#include "panels/plan_chart.hpp"
#include "panels/plan_parts.hpp"
#include "panels/plan_table_view.hpp"
#include "plimsoll/method/format.hpp"
#include "widgets/controls.hpp"
#include "widgets/text.hpp"

#include <array>
#include <string>
#include <vector>

namespace plimsoll::app {
namespace {

constexpr std::array<PlanLimit, 3> kLimits{{{"gpus", kOtherGpus}, {"least_rate", "least tokens/s of a sequence"}, {"most_first_token", "most seconds to the first token"}}};
constexpr std::array<std::string_view, io::kServingObjectives> kLabels{"most tokens", "cheapest token", "fastest answers", "most headroom", "fewest GPUs"};

void objectives(Ui& ui, float width) {
  std::array<Alternative, io::kServingObjectives> names;
  for (std::size_t i = 0; i < io::kServingObjectives; ++i) {
    const auto objective = static_cast<io::ServingObjective>(i);
    names[i] = {io::name_of(objective), kLabels[i], ui.view.serving_objective == objective};
  }
  shorten_labels(ui, names, width);
  if (const int pressed = segmented(ui, "plan.objective", names, width); pressed >= 0) {
    ui.view.serving_objective = static_cast<io::ServingObjective>(pressed);
    ui.actions.search_plans = true;
  }
}

std::string counts_of(const io::ServingPlan& plan) {
  return format_count(Count{plan.tried}) + " ways tried: " + format_count(Count{plan.held}) + " hold" +
         (plan.too_slow > 0 ? ", " + format_count(Count{plan.too_slow}) + " of them too slow." : ".");
}

std::string figures_of(const io::ServedWay& way) {
  if (!way.timed) return "speed not known";
  const std::string rates = format_token_rate(way.rate) + ", " + format_token_rate(way.sequence_rate) + " each";
  return way.per_million > Money{0} ? rates + ", " + format_money(way.per_million) + " per million" : rates;
}

void chart(Ui& ui, const io::ServingPlan& plan, float width) {
  std::vector<PlanDot> dots;
  for (const io::ServedWay& way : plan.front) dots.push_back({way.rate.value, way.sequence_rate.value, figures_of(way), way.text, way.query});
  if (dots.size() < 2) return;
  gap(12);
  paragraph(ui, ui.fonts.label_strong, ui.theme.dim, "How fast one sequence is over how fast all are, of the ways that no other beats", width);
  gap(6);
  const auto rate = [](std::int64_t thousandths) { return format_token_rate(Count{thousandths}); };
  plan_chart(ui, dots, {rate, rate}, width);
}

} // namespace

void serving_plan_panel(Ui& ui, const App& app, float width) {
  if (!app.serving)
    paragraph(ui, ui.fonts.body, ui.theme.dim, "Ways to serve this model with so many GPUs: weight and cache formats, GPUs of a replica, replicas, concurrency. Formats that the question states are kept.", width), gap(8);
  plan_fleets(ui, width);
  gap(6);
  objectives(ui, width);
  gap(6);
  plan_limits(ui, kLimits, width);
  gap(10);
  search_button(ui, app, app.serving ? &app.serving->query : nullptr);
  if (!app.serving) return;
  const io::ServingPlan& plan = app.serving->plan;
  gap(8);
  if (app.serving->running) plan_progress(ui, plan.setups, plan.of, width);
  plan_issues(ui, plan.issues, width);
  plan_table(ui, io::table_of(plan), width);
  if (!app.serving->running && !plan.best.empty()) plan_hand_over(ui, {}, app.serving->rests_on, width);
  chart(ui, plan, width);
  gap(8);
  paragraph(ui, ui.fonts.label, ui.theme.dim, counts_of(plan), width);
}

} // namespace plimsoll::app
