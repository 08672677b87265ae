#pragma once
// The terms of a composition's other models, with the block each belongs to.

#include "method/memory/roles/passes.hpp"
#include "method/memory/serving.hpp"
#include "method/memory/states.hpp"
#include "method/moments/heaviest_group.hpp"
#include "method/moments/lifetimes.hpp"
#include "method/parameters/visit.hpp"
#include "plimsoll/method/composition.hpp"
#include "plimsoll/method/estimate.hpp"
#include "plimsoll/method/pipeline.hpp"
#include "plimsoll/method/scenario.hpp"

namespace plimsoll::moments {

inline Stage stage_of(const Scenario& scenario, const Stage& stage) noexcept {
  const bool whole = scenario.strategy.pipeline_parallel == 1; // an engine that divides its copy in its own way
  return Stage{scenario.model, scenario.strategy, scenario.workload, whole ? 0 : stage.rank()};
}

/// The weights of a model that does not train: sink(const Term&).
template <class Sink> void visit_role_weights(const AuxiliaryModel& auxiliary, const Stage& stage, Sink&& sink) {
  const Scenario& scenario = auxiliary.scenario;
  const Bytes each = memory::precision_bytes(scenario.strategy.precision).weight;
  parameters::visit(scenario.model, scenario.strategy, stage_of(scenario, stage), [&](TensorKind kind, const Term& term) {
    if (!in_language_model(kind)) return;
    Term weights = memory::weights(term, memory::state_share(scenario, kind, term.count()).weights, each);
    weights.role = &text_of(auxiliary.role);
    sink(weights);
  });
}

/// A pass without gradients over given tokens: sink(const Term&).
template <class Sink> void visit_scoring_pass(const AuxiliaryModel& auxiliary, const Stage& stage, Sink&& sink) {
  const Scenario& scenario = auxiliary.scenario;
  const Stage own = stage_of(scenario, stage);
  const auto named = [&](Term term) {
    term.variant = text_of(auxiliary.role).id;
    sink(term);
  };
  if (const LayerGroup* const heaviest = heaviest_group(scenario, own))
    named(memory::forward_workspace(scenario, *heaviest, memory::tokens_inside(scenario)));
  if (own.has_head() && scenario.model.has_head) named(memory::scored_logits(scenario));
}

/// Whether the weights are on the GPU only while the model makes its pass.
inline bool comes_and_goes(const Scenario& policy, const AuxiliaryModel& auxiliary) noexcept {
  return auxiliary.holds_weights && auxiliary.scores && policy.composition.offload_roles;
}

/// Models score one after the other, so the one that needs the most while it does so decides.
template <class Sink> void visit_scoring(const Scenario& policy, const Stage& stage, Sink&& sink) {
  const AuxiliaryModel* fullest = nullptr;
  Bytes most;
  for (const AuxiliaryModel& auxiliary : policy.auxiliary_models) {
    if (!auxiliary.scores) continue;
    Bytes need;
    const auto add = [&](const Term& term) { need += term.bytes(); };
    visit_scoring_pass(auxiliary, stage, add);
    if (comes_and_goes(policy, auxiliary)) visit_role_weights(auxiliary, stage, add);
    if (fullest == nullptr || most < need) most = need, fullest = &auxiliary;
  }
  if (fullest == nullptr) return;
  visit_scoring_pass(*fullest, stage, [&](const Term& term) { sink(Lifetime::scoring_pass, Part::workspace, term); });
  if (comes_and_goes(policy, *fullest))
    visit_role_weights(*fullest, stage, [&](const Term& term) { sink(Lifetime::scoring_pass, Part::other_models, term); });
}

/// Generating answers: an engine's own weights, or the shards that the trainer's lack, and cache and passes over the answers.
template <class Sink> void visit_rollout(const Scenario& policy, const AuxiliaryModel& engine, const Stage& stage, Sink&& sink) {
  const Scenario& scenario = engine.scenario;
  const bool stays = policy.composition.engine == RolloutEngine::copy;
  if (engine.holds_weights) {
    visit_role_weights(engine, stage, [&](const Term& term) { sink(stays ? Lifetime::resident : Lifetime::engine, Part::other_models, term); });
  } else if (scenario.strategy.sharding == Sharding::parameters) {
    const Bytes each = memory::precision_bytes(scenario.strategy.precision).weight;
    parameters::visit(scenario.model, scenario.strategy, stage, [&](TensorKind kind, const Term& term) {
      if (!in_language_model(kind)) return;
      const memory::StateShare share = memory::state_share(scenario, kind, term.count());
      sink(Lifetime::engine, Part::weights, memory::gathered_weights(term, share.held - share.weights, each));
    });
  }
  const LayerGroup* const heaviest = heaviest_group(scenario, stage_of(scenario, stage));
  if (heaviest == nullptr) return;
  const Lifetime cache = stays ? Lifetime::resident : Lifetime::cache; // vLLM takes its cache when it starts
  const Count sequences{scenario.workload.batch};
  Bytes taken;
  const auto cached = [&](const Term& term) {
    taken += term.bytes();
    sink(cache, Part::kv_cache, term);
  };
  for (const LayerGroup& group : scenario.model.groups) {
    if (memory::attends(group)) memory::kv_cache(scenario, group, group.layers, sequences).each(cached);
    if (group.cross.query_heads > Count{0}) cached(memory::cross_kv_cache(scenario, group, group.layers, sequences));
    if (memory::recurs(group)) cached(memory::recurrent_state(scenario, group, group.layers, sequences));
  }
  if (engine.holds_weights && policy.composition.rollout_memory_permille > 0) {
    visit_role_weights(engine, stage, [&](const Term& term) { taken += term.bytes(); });
    if (const Term rest = memory::reserved_cache(policy, taken); rest.amount > 0) sink(cache, Part::kv_cache, rest);
  }
  const Count tokens = max(memory::prefill_pass_tokens(scenario, *heaviest), Count{scenario.workload.batch});
  sink(Lifetime::prefill_pass, Part::workspace, memory::forward_workspace(scenario, *heaviest, tokens));
  if (!scenario.model.has_head) return;
  sink(Lifetime::sampling, Part::workspace, memory::logits(scenario, sequences));
  sink(Lifetime::sampling, Part::workspace, memory::sampler(scenario, sequences));
}

} // namespace plimsoll::moments
