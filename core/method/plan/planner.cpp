// Layouts in rounds: those of a round know what earlier rounds found and nothing of each other, so that it does not matter which thread
// takes which, nor when.
#include "method/plan/layout_search.hpp"
#include "method/plan/layouts.hpp"
#include "method/sort_stably.hpp"
#include "plimsoll/method/plan.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace plimsoll {

namespace {

constexpr std::array<ObjectiveText, kObjectives> kObjectiveTexts{{
    {"time", "fastest"}, {"cost", "cheapest"}, {"headroom", "most headroom"}, {"gpus", "fewest GPUs"}, {"energy", "least energy"},
    {"safest", "least chance of running out of memory"},
}};
constexpr std::array<DroppedText, kDropped> kDroppedTexts{{
    {"invalid", "Cannot run"},
    {"states", "States alone do not fit"},
    {"device", "Does not fit"},
    {"untimed", "Time not known"},
    {"deadline", "Too late"},
    {"budget", "Too expensive"},
    {"beaten", "Beaten by others"},
}};

/// The first rounds are small, so that there soon is something to be beaten by; later ones keep many threads at work.
constexpr std::size_t kMostAtOnce = 64;

} // namespace

const ObjectiveText& text_of(Objective objective) noexcept { return kObjectiveTexts[static_cast<std::size_t>(objective)]; }
std::optional<Objective> objective_of(std::string_view id) noexcept {
  for (std::size_t i = 0; i < kObjectives; ++i)
    if (kObjectiveTexts[i].id == id) return static_cast<Objective>(i);
  return std::nullopt;
}
const DroppedText& text_of(Dropped reason) noexcept { return kDroppedTexts[static_cast<std::size_t>(reason)]; }

PlanCounts& PlanCounts::operator+=(const PlanCounts& other) noexcept {
  tried += other.tried;
  held += other.held;
  for (std::size_t i = 0; i < kDropped; ++i) dropped[i] += other.dropped[i];
  for (const Refused& one : other.refused)
    if (one.strategies > 0) refuse(one.field, one.strategies);
  return *this;
}

void PlanCounts::refuse(std::string_view field, std::int64_t strategies) noexcept {
  Refused* at = refused.data();
  while (at != &refused.back() && !at->field.empty() && at->field != field) ++at;
  if (at->field.empty()) at->field = field;
  at->strategies += strategies;
}

struct Planner::State {
  const PlanQuestion& question;
  std::vector<Scenario> scenarios; ///< of each variant
  std::vector<PlanChoice> layouts;
  std::size_t first = 0, count = 1; ///< of the present round
  std::vector<std::unique_ptr<planning::LayoutSearch>> round;
  std::size_t searched = 0; ///< of the round, by advance()
  planning::Found found;

  explicit State(const PlanQuestion& of) : question(of), found{planning::Ranking{of.objective, of.most}, {}, {}, {}} {
    for (const PlanVariant& variant : question.variants) {
      Inputs inputs = planning::searched_inputs(variant);
      inputs.job.basis = JobBasis::configured;
      inputs.job.train_tokens = inputs.job.dataset_tokens = question.tokens;
      inputs.job.epochs = 1;
      scenarios.push_back(scenario_of(inputs, variant.profile));
    }
    layouts = planning::layouts_of(question);
    open();
  }

  std::size_t open_count() const noexcept { return std::min(count, layouts.size() - first); }

  void open() {
    round.clear();
    round.resize(open_count());
    searched = 0;
  }

  planning::LayoutSearch& search_of(std::size_t i) {
    const PlanChoice& layout = layouts[first + i];
    if (!round[i])
      round[i] = std::make_unique<planning::LayoutSearch>(question, scenarios[layout.variant], layout, static_cast<std::uint64_t>(first + i) << Planned::kNumbersOfLayout, found);
    return *round[i];
  }

  static void merge(planning::Found& into, const planning::LayoutSearch& search) {
    const planning::Found& from = search.found();
    for (const Planned& planned : from.ranking.best()) into.ranking.add(planned);
    for (const Planned& planned : from.front.plans()) into.front.add(planned);
    into.counts += from.counts;
    search.roomier().append_to(into.roomier);
  }

  /// Of plans that leave more room, those behind a full ranking are out for good.
  void drop_late(planning::Found& all) const {
    const std::vector<Planned>& best = all.ranking.best();
    if (best.empty() || best.size() < question.most) return;
    std::erase_if(all.roomier, [&](const Planned& planned) { return !planning::before(question.objective, planned, best.back()); });
  }

  std::vector<Planned> candidates(planning::Found& all) const {
    drop_late(all);
    std::vector<Planned> plans = all.ranking.best();
    const std::size_t ranked = plans.size();
    for (const Planned& planned : all.roomier) {
      bool of_ranked = false, there = false;
      for (std::size_t i = 0; i < plans.size(); ++i) of_ranked = of_ranked || (i < ranked && plans[i].layout() == planned.layout()), there = there || plans[i].number == planned.number;
      if (of_ranked && !there) plans.push_back(planned);
    }
    sort_stably(plans, [&](const Planned& one, const Planned& other) { return planning::before(question.objective, one, other); });
    return plans;
  }

  void close() {
    for (const auto& one : round)
      if (one) merge(found, *one);
    drop_late(found);
    first += round.size();
    count = std::min(2 * count, kMostAtOnce);
    open();
  }
};

Planner::Planner(const PlanQuestion& question) : state_(std::make_unique<State>(question)) {}
Planner::~Planner() = default;

std::size_t Planner::layouts_open() const noexcept { return state_->round.size(); }

void Planner::search(std::size_t layout) {
  planning::LayoutSearch& search = state_->search_of(layout);
  while (!search.done()) search.advance(Count::kMax);
}

void Planner::close() { state_->close(); }

bool Planner::advance(std::int64_t strategies) {
  State& state = *state_;
  while (strategies > 0 && !state.round.empty()) {
    if (state.searched == state.round.size()) {
      state.close();
      continue;
    }
    planning::LayoutSearch& search = state.search_of(state.searched);
    strategies -= search.advance(strategies);
    if (search.done()) ++state.searched;
  }
  if (state.searched == state.round.size()) state.close();
  return !state.round.empty();
}

PlanProgress Planner::progress() const noexcept {
  const State& state = *state_;
  PlanProgress progress{state.first, state.layouts.size(), state.found.counts.tried};
  for (const auto& search : state.round) {
    if (!search) continue;
    progress.layouts += search->done() ? 1 : 0;
    progress.tried += search->found().counts.tried;
  }
  return progress;
}

Plan Planner::plan() const {
  planning::Found all = state_->found;
  for (const auto& search : state_->round)
    if (search) State::merge(all, *search);
  return {progress(), all.counts, all.ranking.best(), state_->candidates(all), all.front.plans()};
}

Plan plan(const PlanQuestion& question) {
  Planner planner{question};
  while (planner.advance(Count::kMax)) {}
  return planner.plan();
}

Inputs inputs_of(const PlanQuestion& question, const PlanChoice& choice) {
  Inputs inputs = planning::searched_inputs(question.variants[choice.variant]);
  planning::apply(choice, inputs.strategy, inputs.workload, inputs.implementation);
  planning::write_chunks(question.axes[choice.variant].pins, choice, inputs.strategy);
  return inputs;
}

} // namespace plimsoll
