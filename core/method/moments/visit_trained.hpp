#pragma once
// Weights, gradients and optimizer states of a model that trains itself: sink(Lifetime, Part, const Term&).

#include "method/memory/states.hpp"
#include "method/moments/kind_terms.hpp"
#include "method/moments/lifetimes.hpp"
#include "method/moments/visit_optimizer.hpp"
#include "method/moments/visit_replicas.hpp"
#include "method/parameters/visit.hpp"
#include "plimsoll/method/pipeline.hpp"
#include "plimsoll/method/scenario.hpp"

#include <array>

namespace plimsoll::moments {

/// The block of a tensor's gradient, where it is there whole. A table that is also the head gets its first part with the head.
constexpr Lifetime gradient_block(TensorKind kind, bool tied) noexcept {
  switch (kind) {
    case TensorKind::head:
    case TensorKind::pooler: return Lifetime::gradients_head;
    case TensorKind::embedding: return tied ? Lifetime::gradients_head : Lifetime::gradients_ends;
    case TensorKind::positions: return Lifetime::gradients_ends;
    case TensorKind::final_norm: return Lifetime::gradients_final_norm;
    default: return Lifetime::gradients_layers;
  }
}

/// Autocast copies the matrices of linear maps; lookups and norms are not cast. Biases and states, which are small, are counted along.
constexpr bool autocast_copies(TensorKind kind) noexcept {
  return kind != TensorKind::embedding && kind != TensorKind::positions && kind != TensorKind::norms && kind != TensorKind::final_norm;
}

/// The stage's own, where it shares one.
inline memory::StatePlan plan_of(const Scenario& scenario, const Stage& stage) noexcept {
  const memory::StatePlan* const shared = stage.shared().plan;
  return shared == nullptr ? memory::state_plan(scenario) : *shared;
}

/// Gradients by the block that they are made in, where each is made when its tensor goes backward.
struct GradientSums {
  std::array<OfKinds, 4> by_block;

  GradientSums(const memory::StatePlan& plan, Lifetime states_away, Bytes each) noexcept
      : by_block{sum(plan, states_away, Lifetime::gradients_head, each), sum(plan, states_away, Lifetime::gradients_final_norm, each),
                 sum(plan, states_away, Lifetime::gradients_layers, each), sum(plan, states_away, Lifetime::gradients_ends, each)} {}

  OfKinds& of(Lifetime made) noexcept {
    return by_block[made == Lifetime::gradients_head ? 0 : made == Lifetime::gradients_final_norm ? 1 : made == Lifetime::gradients_layers ? 2 : 3];
  }

private:
  static OfKinds sum(const memory::StatePlan& plan, Lifetime states_away, Lifetime made, Bytes each) noexcept {
    const bool reduced_last = plan.by_unit && made != Lifetime::gradients_layers;
    const Lifetime block = plan.host_gradients ? states_away : plan.preallocated ? Lifetime::resident : reduced_last ? Lifetime::gradients_ends : made;
    return {block, Part::gradients, memory::gradients, each};
  }
};

/// Weights, gradients and optimizer states of training, kind by kind.
template <class Sink> void visit_trained(const Scenario& scenario, const Stage& stage, Sink&& sink) {
  const Model& model = scenario.model;
  const Strategy& strategy = scenario.strategy;
  const memory::RegimeBytes precision = memory::state_bytes(strategy);
  const Bytes gradient = memory::gradient_bytes(scenario);
  const memory::StatePlan plan = plan_of(scenario, stage);
  const Lifetime states_away = plan.nvme_states ? Lifetime::nvme : Lifetime::host;
  const memory::StateShares shares{scenario, plan};
  const Fp8Profile& fp8 = scenario.profile.training.fp8;
  const bool keeps_fp8 = strategy.fp8 == Fp8::parameters && !scales_blocks(strategy.fp8_recipe) && fp8.of_tensor.value > 0;
  const Lifetime weights_at = plan.host_weights ? Lifetime::host : Lifetime::resident;
  OfKinds weights{weights_at, Part::weights, memory::weights, precision.weight};
  OfKinds in_fp8{weights_at, Part::weights, memory::weights, Bytes{fp8.of_tensor.value}}; // the copy, and its transpose, that is multiplied
  OfKinds master{plan.host_master ? states_away : Lifetime::resident, Part::optimizer, memory::master_weights, precision.master};
  GradientSums gradients{plan, states_away, plan.host_gradients ? precision.state : gradient};
  Count held, kept, outside, head;
  Stepped all;
  KindTerms terms{stage, sink};
  parameters::each_in_stage(model, strategy, stage, [&](const KindCount& of, Count layers) {
    if (!is_trained(model, of.kind)) return; // training is of the language model
    const Count numbers = layers * Count{of.numbers};
    const memory::StateShare share = shares.of(of.kind, numbers);
    const Lifetime made = gradient_block(of.kind, model.tied_embeddings);
    held += share.held;
    kept += share.weights;
    all.numbers += share.states;
    all.tensors += layers * Count{of.tensors};
    if (made != Lifetime::gradients_layers) outside += share.held;
    if (made == Lifetime::gradients_head) head += share.held;
    if (!plan.nvme_weights) terms.add(keeps_fp8 && autocast_copies(of.kind) && made == Lifetime::gradients_layers ? in_fp8 : weights, of, numbers, share.weights);
    if (precision.master > Bytes{0}) terms.add(master, of, numbers, share.states);
    terms.add(gradients.of(made), of, numbers, share.gradients);
    if (!plan.preallocated && of.kind == TensorKind::embedding && model.tied_embeddings && stage.embeds() && stage.has_head())
      sink(Lifetime::gradients_tied, Part::gradients,
           memory::tied_gradient_copies(parameters::kind_term(of.kind, of.group, numbers), scenario, plan.by_unit ? memory::gathered_bytes(strategy.precision) : gradient));
  });
  for (const OfKinds* sum : {&weights, &in_fp8, &master}) terms.close(*sum);
  for (const OfKinds& sum : gradients.by_block) terms.close(sum);
  const Count stepped = all.numbers;
  visit_optimizer(scenario, stage, plan, all, sink);
  if (strategy.ema) sink(Lifetime::resident, Part::optimizer, memory::moving_average(kept));
  visit_gathered(scenario, stage, plan, held, outside, head, sink);
  visit_buckets(scenario, stage, plan, stepped, sink);
  visit_nvme(scenario, plan, kept, stepped, sink);
  // DeepSpeed's engine takes the place of DistributedDataParallel where it divides anything.
  const bool engine = strategy.sharding != Sharding::none && scenario.profile.training.states.sharding.method == ShardingMethod::buckets;
  if (has_replicas(strategy) && !plan.by_unit && !engine && strategy.sharding < Sharding::gradients)
    visit_replica_buckets(scenario, held, sink);
  if (scenario.profile.training.states.casts_gradients && precision.master > Bytes{0} && gradient < precision.master)
    sink(Lifetime::cast_gradients, Part::gradients, memory::cast_gradients(stepped));
}

} // namespace plimsoll::moments
