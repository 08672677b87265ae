#include "method/plan/memory.hpp"

#include "method/moments/visit.hpp"
#include "method/moments/visit_each.hpp"

#include <algorithm>
#include <bit>

namespace plimsoll::planning {

namespace {

/// Whether `one` needs at least what `other` does: the same layers, no fewer micro-batches of them alive, no less at the ends.
bool covers(const Model& model, const Stage& one, const Stage& other) noexcept {
  if (one.embeds() < other.embeds() || one.has_head() < other.has_head()) return false;
  if (one.embeddings_alive() < other.embeddings_alive() || one.heads_alive() < other.heads_alive()) return false;
  return std::ranges::all_of(model.groups, [&](const LayerGroup& group) {
    return one.held(group) == other.held(group) && one.alive(group) >= other.alive(group);
  });
}

} // namespace

PeakMemory::PeakMemory(const Scenario& scenario, std::size_t recomputes)
    : scenario_(scenario), recomputes_(std::max<std::size_t>(recomputes, 1)), frozen_(is_frozen(scenario)), one_group_(scenario.model.groups.size() == 1), kinds_(scenario.model, scenario.strategy) {}

template <class Visit> PeakMemory::AtMoments PeakMemory::sum(const Stage& stage, Visit&& visit) const {
  std::array<Bytes, moments::kLifetimes> blocks{};
  visit(stage, [&](moments::Lifetime block, Part, const Term& term) { blocks[static_cast<std::size_t>(block)] += term.bytes(); });
  AtMoments at{};
  for (std::size_t moment = 0; moment < moment_count_; ++moment)
    for (moments::LifetimeSet alive = alive_[moment]; alive != 0; alive &= alive - 1) at[moment] += blocks[static_cast<std::size_t>(std::countr_zero(alive))];
  return at;
}

void PeakMemory::find_ranks() {
  rank_count_ = 0;
  for (std::int64_t rank = 0; rank < scenario_.strategy.pipeline_parallel; ++rank) {
    const Stage stage = stage_of(rank);
    const auto covered = [&](const Rank& other) { return covers(scenario_.model, stage_of(other.rank), stage); };
    if (std::any_of(ranks_.begin(), ranks_.begin() + static_cast<std::ptrdiff_t>(rank_count_), covered)) continue;
    if (rank_count_ == ranks_.size()) {
      Rank added;
      added.gradients.resize(scenario_.model.groups.size() + 1);
      added.gradients_there.resize(scenario_.model.groups.size() + 1);
      ranks_.push_back(std::move(added));
      kept_.resize(ranks_.size() * recomputes_);
    }
    ranks_[rank_count_++].rank = rank;
  }
}

void PeakMemory::open_layout() {
  kinds_ = KindCounts{scenario_.model, scenario_.strategy};
  find_ranks();
  for (std::size_t i = 0; i < rank_count_ * recomputes_; ++i) kept_[i].computed = {};
}

void PeakMemory::open_states() {
  const moments::Lifetimes lifetimes = moments::lifetimes_of(scenario_);
  whole_ = lifetimes.whole_gradients ? 1 : 0;
  moment_count_ = 0;
  for (Moment moment : moments::of(scenario_)) alive_[moment_count_++] = moments::alive_at(moment, lifetimes);
  states_ = Bytes{0};
  for (std::size_t i = 0; i < rank_count_; ++i) {
    Rank& rank = ranks_[i];
    const Stage stage = stage_of(rank.rank);
    rank.states = sum(stage, [&](const Stage& of, auto&& sink) { moments::visit_states(scenario_, of, sink); });
    rank.gradients_there.assign(rank.gradients_there.size(), false);
    if (one_group_ && !frozen_) {
      const LayerGroup* const heaviest = moments::heaviest_group(scenario_, stage);
      const AtMoments gradients = sum(stage, [&](const Stage& of, auto&& sink) { moments::visit_gradients_on_the_way(scenario_, of, heaviest, sink); });
      for (std::size_t moment = 0; moment < moment_count_; ++moment) rank.states[moment] += gradients[moment];
    }
    for (std::size_t moment = 0; moment < moment_count_; ++moment) states_ = max(states_, rank.states[moment]);
  }
}

const PeakMemory::Kept& PeakMemory::kept(std::size_t recompute, std::size_t rank) {
  Kept& kept = kept_[rank * recomputes_ + recompute];
  if (kept.computed[whole_]) return kept;
  const Stage stage = stage_of(ranks_[rank].rank);
  kept.heaviest = moments::heaviest_group(scenario_, stage);
  kept.at[whole_] = sum(stage, [&](const Stage& of, auto&& sink) {
    moments::visit_inside_layers(scenario_, of, kept.heaviest, sink);
    moments::visit_outside_layers(scenario_, of, kept.heaviest, sink);
  });
  kept.computed[whole_] = true;
  return kept;
}

const PeakMemory::AtMoments& PeakMemory::gradients(Rank& rank, const Kept& kept) {
  const std::vector<LayerGroup>& groups = scenario_.model.groups;
  const std::size_t group = kept.heaviest == nullptr ? groups.size() : static_cast<std::size_t>(kept.heaviest - groups.data());
  AtMoments& gradients = rank.gradients[group];
  if (rank.gradients_there[group]) return gradients;
  const Stage stage = stage_of(rank.rank);
  gradients = sum(stage, [&](const Stage& of, auto&& sink) { moments::visit_gradients_on_the_way(scenario_, of, kept.heaviest, sink); });
  rank.gradients_there[group] = true;
  return gradients;
}

Bytes PeakMemory::peak(std::size_t recompute) {
  Bytes peak;
  for (std::size_t i = 0; i < rank_count_; ++i) {
    Rank& rank = ranks_[i];
    if (frozen_) {
      const Stage stage = stage_of(rank.rank);
      const AtMoments at = sum(stage, [&](const Stage& of, auto&& sink) { moments::visit_each(scenario_, of, sink); });
      for (std::size_t moment = 0; moment < moment_count_; ++moment) peak = max(peak, at[moment]);
      continue;
    }
    const Kept& layers = kept(recompute, i);
    const AtMoments none{};
    const AtMoments& grads = one_group_ ? none : gradients(rank, layers);
    for (std::size_t moment = 0; moment < moment_count_; ++moment) peak = max(peak, rank.states[moment] + layers.at[whole_][moment] + grads[moment]);
  }
  return peak;
}

} // namespace plimsoll::planning
