// A trainer makes room for an engine on the same GPUs: what it keeps waits in the host's memory while answers are generated; while it trains,
// the weights of an engine that sleeps do. Each goes and comes once in a step, and nothing hides it. Gradients are given up and made anew.
#include "method/time/learning/places.hpp"

#include "method/moments/visit_each.hpp"
#include "method/time/learning/rollout.hpp"
#include "method/time/training/rate.hpp"

namespace plimsoll::timing {

namespace {

constexpr SymbolText kPlaceRate{"rate", "bytes/s", "of the device's link to its host in one direction, by its data sheet; or of copies to pageable memory", "device"};
constexpr SymbolText kPlaceShare{"share", "thousandths", "of that", ""};

constexpr FormulaText place_formula(std::string_view id, std::string_view label, SymbolText bytes) {
  return {.id = id,
          .label = label,
          .unit = "ns",
          .text = "2 * ceil_div(bytes * 1000000000000, rate * share)",
          .citation = "nemo_rl_offload",
          .basis = Basis::assumed,
          .symbols = {{bytes, kPlaceRate, kPlaceShare}}};
}

constexpr Formula kStatesAway{[] { return place_formula("time.places.states", "Optimizer states to the host and back", {"bytes", "bytes", "of main weights and optimizer states on one GPU", "trainer_offload"}); }};
constexpr Formula kWeightsAway{[] { return place_formula("time.places.weights", "Weights that train to the host and back", {"bytes", "bytes", "of weights on one GPU", "trainer_offload"}); }};
constexpr Formula kEngineAway{[] { return place_formula("time.places.engine", "The engine's weights to the host and back", {"bytes", "bytes", "of the engine's weights on one GPU, in 16 bits", "rollout_tensor_parallel"}); }};

/// Where nobody has published the link's rate, what is pinned takes no time that anybody knows.
Term there_and_back(const Formula& formula, const Scenario& policy, Bytes bytes, bool pageable) noexcept {
  static const Constant kAllOfIt{.value = 1000, .low = 1000, .high = 1000, .citation = {}, .basis = Basis::counted};
  const TrainingEfficiency& efficiency = policy.profile.efficiency;
  const Constant& share = pageable ? kAllOfIt : efficiency.link;
  const auto rate = [&](End end) { return pageable ? share_at(efficiency.pageable, end) : policy.hardware.rates.host; };
  if (bytes <= Bytes{0} || rate(End::expected) <= 0) return {};
  return timed(formula, [&](End end) { return Count{2} * time_of(bytes, rate(end), share_at(share, end)); }, {bytes.value, rate(End::expected), share.value});
}

struct Away {
  Bytes states, weights;
};

/// All wait for the stage of a pipeline that moves the most.
Away away_from_fullest(const Scenario& policy) {
  Away most;
  for (std::int64_t rank = 0; rank < policy.strategy.pipeline_parallel; ++rank) {
    Away away;
    auto add = [&](moments::Lifetime block, Part part, const Term& term) {
      if (block == moments::Lifetime::trainer_weights) away.weights += term.bytes();
      if (block == moments::Lifetime::trainer_states || (block == moments::Lifetime::states && part != Part::gradients)) away.states += term.bytes();
    };
    moments::visit_each(policy, Stage{policy.model, policy.strategy, policy.workload, rank}, add);
    if (away.states + away.weights > most.states + most.weights) most = away;
  }
  return most;
}

} // namespace

void visit_places(const Scenario& policy, const std::function<void(const Term&)>& sink) {
  const Composition& composition = policy.composition;
  if (!generates(composition.method) || composition.engine == RolloutEngine::separate) return;
  const auto some = [&](const Term& term) {
    if (term.high > 0) sink(term);
  };
  const RolloutProfile& profile = policy.profile.training.rollout;
  if (composition.trainer_offload != TrainerOffload::none) {
    const Away away = away_from_fullest(policy);
    some(there_and_back(kStatesAway, policy, away.states, profile.pageable != PageableCopies::none));
    some(there_and_back(kWeightsAway, policy, away.weights, profile.pageable == PageableCopies::all));
  }
  if (composition.engine == RolloutEngine::sleeping && profile.engine_waits) some(there_and_back(kEngineAway, policy, engine_weights(policy), false));
}

} // namespace plimsoll::timing
