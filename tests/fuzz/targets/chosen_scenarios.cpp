// Estimates and searches of scenarios that bytes choose.
#include "broken.hpp"
#include "catalogue.hpp"
#include "chosen.hpp"
#include "invariants.hpp"
#include "scenario_laws.hpp"
#include "targets.hpp"

#include "plimsoll/questions/plan.hpp"
#include "plimsoll/questions/serving_plan.hpp"
#include "plimsoll/questions/solve.hpp"
#include "plimsoll/results/api.hpp"
#include "text/json.hpp"

#include <vector>

namespace plimsoll::fuzz::targets {

namespace {

constexpr io::JsonLimits kOurs{.bytes = std::size_t{1} << 26, .keys = 1'000'000}; // what is printed here may be long

void set_gpus(io::Request& request, Chooser& chooser) { request.set("gpus", std::to_string(std::size_t{1} << chooser.below(8))); }

} // namespace

std::string estimate(std::string_view bytes) {
  Chooser chooser{bytes};
  const io::Request request = chosen_request(chooser);
  return once_in(16, bytes) ? broken_by_request(catalog(), request) : guarded([&] { return test::broken_law(catalog(), io::answer(catalog(), request)); });
}

std::string solve(std::string_view bytes) {
  return guarded([&]() -> std::string {
    Chooser chooser{bytes};
    static const std::vector<std::string> kNumbers{"context_tokens", "batch", "rank", "gpu_layers", "tensor_parallel", "data_parallel", "micro_batches"};
    const std::string& field = kNumbers[chooser.below(kNumbers.size())];
    const Goal goal = chooser.below(2) == 0 ? Goal::largest : Goal::smallest;
    const io::Solved solved = io::solve(catalog(), chosen_request(chooser, 8), {goal, field}, {}, Judge::estimate);
    if (std::string broken = broken_issues(solved.issues); !broken.empty()) return broken;
    if (!io::parse_json(io::solve_json(solved)).ok) return "solve_json did not return JSON";
    if (!solved.answer) return has_errors(solved.issues) || solved.next ? "" : "no answer, and nobody says why";
    const io::Answer there = io::answer_query(catalog(), solved.query);
    return there.ok && there.estimate.fits ? "" : "the answer does not hold: " + solved.query;
  });
}

std::string plan(std::string_view bytes) {
  return guarded([&]() -> std::string {
    Chooser chooser{bytes};
    constexpr int kSteps = 8;
    constexpr std::int64_t kStrategies = 16;
    io::Request request = chosen_request(chooser, 6);
    set_gpus(request, chooser);
    request.set("top", "1");
    io::PlanSession session{catalog(), built_in_prices(), request};
    for (int i = 0; i < kSteps && session.advance(kStrategies); ++i) {}
    const io::PlanAnswer answer = session.answer();
    if (answer.ok == has_errors(answer.issues)) return "ok and the issues disagree";
    if (!io::parse_json(io::plan_json(answer), kOurs).ok) return "plan_json did not return JSON";
    for (const io::PlannedWay& way : answer.best) {
      const io::Answer there = io::answer_query(catalog(), way.query);
      if (!there.ok || !there.estimate.fits) return "a plan does not hold: " + way.query;
      if (there.estimate.headroom != way.planned.headroom) return "a plan has another headroom than its scenario: " + way.query;
    }
    return broken_issues(answer.issues);
  });
}

std::string serving_plan(std::string_view bytes) {
  return guarded([&]() -> std::string {
    Chooser chooser{bytes};
    constexpr int kSteps = 8;
    constexpr std::int64_t kWays = 4;
    io::Request request = chosen_request(chooser, 6);
    set_gpus(request, chooser);
    io::ServingPlanSession session{catalog(), built_in_prices(), request};
    for (int i = 0; i < kSteps && session.advance(kWays); ++i) {}
    const io::ServingPlan plan = session.answer();
    if (!io::parse_json(io::serving_plan_json(plan), kOurs).ok) return "serving_plan_json did not return JSON";
    return broken_issues(plan.issues);
  });
}

} // namespace plimsoll::fuzz::targets
