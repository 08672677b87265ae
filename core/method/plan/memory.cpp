#include "method/plan/memory.hpp"

#include "method/moments/visit.hpp"
#include "method/moments/visit_each.hpp"

#include <algorithm>

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
    : scenario_(scenario), recomputes_(std::max<std::size_t>(recomputes, 1)), frozen_(is_frozen(scenario)), one_group_(scenario.model.groups.size() == 1), layers_(recomputes_) {}

/// visit(sink) gives the terms.
template <class Visit> PeakMemory::AtMoments PeakMemory::sum(Visit&& visit) const {
  moments::MomentTotals totals{*moments_};
  visit([&](moments::Lifetime block, Part, const Term& term) { totals.take(block, term); });
  AtMoments at;
  totals.write(at.data());
  return at;
}

void PeakMemory::find_ranks() {
  rank_count_ = 0;
  for (std::int64_t rank = 0; rank < scenario_.strategy.pipeline_parallel; ++rank) {
    const Stage stage{scenario_.model, scenario_.strategy, scenario_.workload, rank, {.kinds = &*kinds_, .plan = &plan_, .sum = &sum_}};
    const auto covered = [&](const Rank& other) { return covers(scenario_.model, *other.stage, stage); };
    if (std::any_of(ranks_.begin(), ranks_.begin() + static_cast<std::ptrdiff_t>(rank_count_), covered)) continue;
    if (rank_count_ == ranks_.size()) {
      Rank added;
      added.gradients.resize(scenario_.model.groups.size() + 1);
      added.gradients_there.resize(scenario_.model.groups.size() + 1);
      ranks_.push_back(std::move(added));
      kept_.resize(ranks_.size() * recomputes_);
    }
    ranks_[rank_count_++].stage.emplace(stage);
  }
}

void PeakMemory::open_layout() {
  if (!kinds_) kinds_.emplace(scenario_.model, scenario_.strategy);
  find_ranks();
  for (std::optional<LayerSums>& layers : layers_) layers.reset();
  for (std::size_t i = 0; i < rank_count_ * recomputes_; ++i) kept_[i].computed = {};
  for (std::size_t i = 0; i < rank_count_; ++i) {
    Rank& rank = ranks_[i];
    rank.beside = Bytes{0};
    moments::visit_states(scenario_, *rank.stage, [&](moments::Lifetime, Part, const Term& term) { rank.beside += Bytes{term.amount}; }, moments::OfStates::beside);
  }
}

void PeakMemory::open_states() {
  moments_.emplace(scenario_);
  plan_ = memory::state_plan(scenario_);
  whole_ = moments_->lifetimes().whole_gradients ? 1 : 0;
  states_ = Bytes{0};
  for (std::size_t i = 0; i < rank_count_; ++i) {
    Rank& rank = ranks_[i];
    const Stage& stage = *rank.stage;
    rank.gradients_there.assign(rank.gradients_there.size(), false);
    rank.states = sum([&](auto&& sink) {
      moments::visit_states(scenario_, stage, sink, moments::OfStates::model);
      if (one_group_ && !frozen_) moments::visit_gradients_on_the_way(scenario_, stage, moments::heaviest_group(scenario_, stage), sink);
    });
    for (std::size_t moment = 0; moment < moments_->order().size(); ++moment) {
      rank.states[moment] += rank.beside;
      states_ = max(states_, rank.states[moment]);
    }
  }
}

const LayerSums& PeakMemory::layers(std::size_t recompute) {
  std::optional<LayerSums>& layers = layers_[recompute];
  return layers ? *layers : layers.emplace(scenario_);
}

const PeakMemory::Kept& PeakMemory::kept(std::size_t recompute, std::size_t rank) {
  Kept& kept = kept_[rank * recomputes_ + recompute];
  if (kept.computed[whole_]) return kept;
  Stage stage = *ranks_[rank].stage;
  stage.share({.kinds = &*kinds_, .layers = &layers(recompute), .sum = &sum_});
  kept.heaviest = moments::heaviest_group(scenario_, stage);
  kept.at[whole_] = sum([&](auto&& sink) {
    moments::visit_inside_layers(scenario_, stage, kept.heaviest, sink);
    moments::visit_outside_layers(scenario_, stage, kept.heaviest, sink);
  });
  kept.computed[whole_] = true;
  return kept;
}

const PeakMemory::AtMoments& PeakMemory::gradients(Rank& rank, const Kept& kept) {
  const std::vector<LayerGroup>& groups = scenario_.model.groups;
  const std::size_t group = kept.heaviest == nullptr ? groups.size() : static_cast<std::size_t>(kept.heaviest - groups.data());
  AtMoments& gradients = rank.gradients[group];
  if (rank.gradients_there[group]) return gradients;
  gradients = sum([&](auto&& sink) { moments::visit_gradients_on_the_way(scenario_, *rank.stage, kept.heaviest, sink); });
  rank.gradients_there[group] = true;
  return gradients;
}

Bytes PeakMemory::peak(std::size_t recompute) {
  Bytes peak;
  for (std::size_t i = 0; i < rank_count_; ++i) {
    Rank& rank = ranks_[i];
    if (frozen_) {
      const AtMoments at = sum([&](auto&& sink) { moments::visit_each(scenario_, *rank.stage, sink); });
      for (std::size_t moment = 0; moment < moments_->order().size(); ++moment) peak = max(peak, at[moment]);
      continue;
    }
    const Kept& layers = kept(recompute, i);
    const AtMoments none{};
    const AtMoments& grads = one_group_ ? none : gradients(rank, layers);
    for (std::size_t moment = 0; moment < moments_->order().size(); ++moment) peak = max(peak, rank.states[moment] + layers.at[whole_][moment] + grads[moment]);
  }
  return peak;
}

} // namespace plimsoll::planning
