// Plans are searched between frames, a few milliseconds at a time: the screen goes on moving, and shows what is found so far.
#include "app.hpp"

#include <chrono>
#include <utility>

namespace plimsoll::app {
namespace {

constexpr std::chrono::milliseconds kPerFrame{8};
constexpr std::int64_t kAtOnce = 2000; ///< strategies: a millisecond or less

} // namespace

void App::search_plans() {
  io::Request question = io::left_open(request);
  question.set("gpus", std::to_string(view.plan_gpus));
  question.set("objective", text_of(view.plan_objective).id);
  io::PlanSession session{catalog, prices, question};
  const bool begun = session.ok();
  io::PlanAnswer first = session.answer();
  plan.emplace(PlanSearch{query, std::move(session), std::move(first), begun});
  wake();
}

void App::step_plans() {
  if (!plan || !plan->running) return;
  const auto end = std::chrono::steady_clock::now() + kPerFrame;
  while (plan->running && std::chrono::steady_clock::now() < end) plan->running = plan->session.advance(kAtOnce);
  plan->answer = plan->session.answer();
  wake();
}

} // namespace plimsoll::app
