// Searches for a plan go on between frames, a few milliseconds in each.
#include "app.hpp"

#include "plimsoll/results/plan_report.hpp"

#include <chrono>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace plimsoll::app {
namespace {

constexpr std::chrono::milliseconds kBetweenWords{150};
constexpr std::int64_t kAtOnce = 500; ///< strategies: much less than a millisecond

/// Of these, what somebody has written.
void set_limits(io::Request& question, const View& view, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names)
    if (const auto at = view.plan_limits.find(std::string{name}); at != view.plan_limits.end() && !at->second.empty()) question.set(name, at->second);
}

} // namespace

void App::begin_search() {
  if (trains(answer.inputs.workload.task)) search_training();
  else search_serving();
}

void App::search_training() {
  io::Request question = io::left_open(request);
  question.set("gpus", std::to_string(view.plan_gpus));
  question.set("objective", text_of(view.plan_objective).id);
  set_limits(question, view, {"gpus", "budget", "deadline"});
  io::PlanSession session{catalog, prices, question};
  const bool begun = session.ok();
  io::PlanAnswer first = session.answer();
  plan.emplace(PlanSearch{query, std::move(session), std::move(first), begun});
}

/// Formats that somebody chose are kept; layout and concurrency are the search's.
void App::search_serving() {
  io::Request question = request;
  for (const std::string_view found : {"tensor_parallel", "pipeline_parallel", "expert_parallel", "data_parallel", "data_parallel_attention", "batch"}) question.erase(found);
  question.set("gpus", std::to_string(view.plan_gpus));
  question.set("objective", io::name_of(view.serving_objective));
  set_limits(question, view, {"gpus", "least_rate", "most_first_token"});
  io::ServingPlanSession session{catalog, prices, question};
  io::ServingPlan first = session.answer();
  serving.emplace(ServingSearch{query, std::move(session), std::move(first)});
}

/// A search goes on between frames, and what it has found is put into words and drawn some times a second: both take longer than searching on.
void App::search_on() {
  const bool serves = serving && serving->running;
  bool& running = serves ? serving->running : plan->running;
  while (running && has_time()) running = serves ? serving->session.advance(1) : plan->session.advance(kAtOnce);
  const auto now = std::chrono::steady_clock::now();
  if (running && answers_in_slices && now < plans_told_at + kBetweenWords) return;
  plans_told_at = now;
  tell_plans();
  wake();
}

void App::tell_plans() {
  if (serving) {
    serving->plan = serving->session.answer();
    if (!serving->running) serving->rests_on = io::assumptions_of(catalog, serving->plan);
  }
  if (plan) {
    plan->answer = plan->session.answer(std::move(plan->answer));
    if (!plan->running) plan->rests_on = io::assumptions_of(catalog, plan->answer);
  }
}

void App::save_plan(PlanFile file) {
  if (!plan && !serving) return;
  io::PlanTable table = plan ? io::table_of(plan->answer) : io::table_of(serving->plan);
  if (!view.plan_order.empty()) io::sort_rows(table, view.plan_order, view.plan_turned);
  const bool is_report = file == PlanFile::report;
  effects.save_name = "plan-" + io::result_file_name(answer, is_report ? "html" : "csv");
  effects.save_type = is_report ? "text/html" : "text/csv";
  effects.save_text = !is_report ? io::plan_csv(table) : plan ? io::plan_report_html(catalog, plan->answer, table, link()) : io::plan_report_html(catalog, serving->plan, table, link());
}

/// While its tab is open, and not while something is being typed.
void App::step_devices() {
  if (view.tab != Tab::devices || !answer.ok) return;
  if (!devices || devices->query != query) {
    if (ImGui::IsAnyItemActive()) return;
    devices.emplace(DeviceSearch{query, io::DevicesSession{catalog, prices, answer, today}, view.device_order, {}});
  }
  if (devices->running) {
    while (devices->running && has_time()) devices->running = devices->session.advance();
    if (!devices->running) {
      devices->choices = devices->session.choices();
      io::sort_choices(devices->choices, devices->order = view.device_order);
    }
    wake();
  } else if (devices->order != view.device_order) {
    io::sort_choices(devices->choices, devices->order = view.device_order);
    wake();
  }
}

/// While its tab is open, and not while something is being typed: one simulation in each frame, which takes as long as several strategies.
void App::step_load() {
  if (view.tab != Tab::time || !answer.ok || trains(answer.inputs.workload.task)) return;
  const io::LatencyLimits limits{view.most_first_token_ms, view.most_per_token_ms};
  if (!load || load->query != query || load->limits != limits) {
    if (ImGui::IsAnyItemActive()) return;
    load.emplace(LoadSearch{query, limits, io::LoadSession{catalog, prices, request, limits}});
  }
  if (!load->running || !has_time()) return;
  load->running = load->session.advance();
  wake();
}

} // namespace plimsoll::app
