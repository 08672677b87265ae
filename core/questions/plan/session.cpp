#include "method/sort_stably.hpp"
#include "plimsoll/method/chance.hpp"
#include "plimsoll/method/footprint.hpp"
#include "plimsoll/method/time.hpp"
#include "plimsoll/method/verdict.hpp"
#include "questions/plan/question.hpp"
#include "questions/plan/text.hpp"
#include "questions/plan/threads.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace plimsoll::io {

namespace {

struct JudgedProcess {
  Bytes bytes;
  std::int64_t chance = 0; ///< that it runs out of memory, in millionths
};

FootprintSession replay_of(const ReadPlan& read, const Planned& planned) {
  const Scenario scenario = scenario_of(inputs_of(read.question, planned.choice), read.question.variants[planned.choice.variant].profile);
  return {scenario, estimate(scenario).rank};
}

/// What the whole process takes; nothing where it does not fit.
std::optional<JudgedProcess> process_of(const FootprintSession& replay) {
  const Footprint& whole = replay.footprint();
  return judge(replay.scenario(), estimate(replay.scenario()), &whole).holds() ? std::optional{JudgedProcess{whole.process.expected, chance_above(whole.process, whole.usable + whole.movable)}} : std::nullopt;
}

} // namespace

struct PlanSession::State {
  ReadPlan read;
  std::unique_ptr<Planner> planner; ///< refers to the question: State does not move
  std::optional<Plan> searched;     ///< once the search is done
  struct Judged {
    bool passed_over = false;             ///< another plan of its layout is better, and admitted
    std::optional<JudgedProcess> process; ///< nothing where it does not fit
  };
  std::vector<Judged> judged; ///< of its candidates, as far as they are
  std::size_t admitted = 0;
  std::optional<FootprintSession> replay; ///< of the candidate that is judged next, once it is begun

  /// Which plan has the least chance is known when all have been judged.
  bool judging() const noexcept {
    return searched && judged.size() < searched->candidates.size() && (admitted < read.most || read.question.objective == Objective::safest);
  }

  /// A step of one plan's replay more.
  void judge() {
    const Planned& planned = searched->candidates[judged.size()];
    if (!replay && stands(planned)) return judged.push_back({true, std::nullopt});
    if (!replay) replay = replay_of(read, planned);
    if (replay->advance()) return;
    judged.push_back({false, process_of(*replay)});
    replay.reset();
    if (judged.back().process) ++admitted;
  }

  /// Whether another plan of its layout is admitted.
  bool stands(const Planned& planned) const {
    for (std::size_t i = 0; read.question.one_per_layout && i < judged.size(); ++i)
      if (judged[i].process && searched->candidates[i].layout() == planned.layout()) return true;
    return false;
  }
};

PlanSession::PlanSession(const Catalog& catalog, const Prices& prices, const Request& request, Issues carried) : state_(std::make_unique<State>()) {
  state_->read = read_plan(catalog, prices, request, std::move(carried));
  if (ok()) state_->planner = std::make_unique<Planner>(state_->read.question);
}
PlanSession::~PlanSession() = default;
PlanSession::PlanSession(PlanSession&&) noexcept = default;
PlanSession& PlanSession::operator=(PlanSession&&) noexcept = default;

bool PlanSession::ok() const noexcept { return !has_errors(state_->read.issues) && !state_->read.question.variants.empty(); }

bool PlanSession::advance(std::int64_t strategies) {
  State& state = *state_;
  if (!state.planner) return false;
  if (!state.searched) {
    if (state.planner->advance(strategies)) return true;
    state.searched = state.planner->plan();
  } else if (state.judging()) {
    state.judge();
  }
  return state.judging();
}

void PlanSession::finish(unsigned threads) {
  if (state_->planner && !state_->searched) search_with_threads(*state_->planner, threads);
  while (advance(Count::kMax)) {}
}

PlanProgress PlanSession::progress() const noexcept { return state_->planner ? state_->planner->progress() : PlanProgress{}; }

namespace {

PlannedWay way_of_plan(const ReadPlan& read, const Planned& planned, std::vector<PlannedWay>& former) {
  PlannedWay way;
  for (PlannedWay& other : former)
    if (!other.query.empty() && other.planned.number == planned.number) {
      way = std::move(other);
      other.query.clear();
      way.planned = planned;
      return way;
    }
  way.planned = planned;
  way.query = to_query(request_of(read, planned.choice));
  way.text = text_of_choice(planned.choice);
  way.headroom = planned.headroom;
  way.chance = planned.chance;
  const StepTime step = step_time(scenario_of(inputs_of(read.question, planned.choice), read.question.variants[planned.choice.variant].profile));
  way.mfu = step.mfu;
  std::ranges::transform(step.parts, way.parts.begin(), &TimeRange::expected);
  return way;
}

/// Why there is no plan, from why most strategies were dropped.
Issue nothing_found(const PlanCounts& counts) {
  std::size_t most = 0;
  for (std::size_t i = 1; i < kDropped; ++i)
    if (counts.dropped[i] > counts.dropped[most]) most = i;
  const auto reason = static_cast<Dropped>(most);
  Issue issue{Severity::note, "gpus", "No strategy holds. Of most: " + std::string{text_of(reason).label} + ".", "Use more or larger GPUs, or ask less: adapters, a shorter context."};
  if (counts.tried == 0) issue.message = "There is no strategy to try: no degrees suit the number of GPUs, or no micro-batch the global batch.";
  if (counts.tried == 0) issue.remedy = "Leave degrees out, or choose another number of GPUs or global_batch.";
  if (reason == Dropped::budget || reason == Dropped::deadline) issue.remedy = "Raise the budget or the deadline, or allow more GPUs.";
  if (reason == Dropped::untimed) issue.remedy = "Choose a device whose rates are published, or headroom as objective.";
  return issue;
}

} // namespace

PlanAnswer PlanSession::answer(PlanAnswer former) const {
  const ReadPlan& read = state_->read;
  PlanAnswer answer;
  answer.issues = read.issues;
  answer.ok = ok();
  answer.setups = read.setups;
  answer.objective = read.question.objective;
  answer.global_batch = read.question.global_batch;
  answer.tokens = read.question.tokens;
  if (!state_->planner) return answer;
  const Plan plan = state_->searched ? *state_->searched : state_->planner->plan();
  answer.progress = plan.progress;
  answer.counts = plan.counts;
  answer.done = state_->searched && !state_->judging();
  const bool by_chance = read.question.objective == Objective::safest;
  const auto stands = [&](const Planned& planned) {
    return read.question.one_per_layout && std::ranges::any_of(answer.best, [&](const PlannedWay& way) { return way.planned.layout() == planned.layout(); });
  };
  for (std::size_t i = 0; i < plan.candidates.size() && (by_chance || answer.best.size() < read.most); ++i) {
    const State::Judged* const judged = i < state_->judged.size() ? &state_->judged[i] : nullptr;
    if (judged != nullptr && !judged->process) {
      if (!judged->passed_over) ++answer.too_tight;
      continue;
    }
    if (stands(plan.candidates[i])) continue;
    PlannedWay way = way_of_plan(read, plan.candidates[i], former.best);
    way.judged = judged != nullptr;
    if (judged != nullptr) {
      way.process = judged->process->bytes;
      way.headroom = Bytes{read.question.variants[way.planned.choice.variant].inputs.hardware.usable_bytes} - way.process;
      way.chance = judged->process->chance;
    }
    answer.best.push_back(std::move(way));
  }
  if (by_chance) {
    sort_stably(answer.best, std::ranges::less{}, [](const PlannedWay& way) { return std::pair{way.planned.choice.offload != Offload::none, way.chance}; });
    if (answer.best.size() > read.most) answer.best.resize(read.most);
  }
  for (const Planned& planned : plan.front) answer.front.push_back(way_of_plan(read, planned, former.front));
  if (answer.done && plan.best.empty()) answer.issues.push_back(nothing_found(plan.counts));
  return answer;
}

} // namespace plimsoll::io
