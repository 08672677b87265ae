// Megatron-LM, megatron/core/transformer/transformer_layer.py, multi_latent_attention.py, moe/moe_layer.py and moe/experts.py. A module
// runs again in one of two ways. As a checkpoint (core_attn, mlp, moe, shared_experts) it keeps its input and drops all that it made;
// where its norm is one operation with its first map, its input is what that norm read. As CheckpointWithoutOutput (layernorm,
// mla_up_proj, moe_act) it drops what it gave to the next operation, once that has read it. Offloading: docs/user-guide/features/
// fine_grained_activation_offloading.md; what a module computes again is not moved.
#include "method/memory/activations/visit_layer.hpp"

#include "method/memory/activations.hpp"
#include "method/memory/activations/layer_tensors.hpp"
#include "method/memory/layers.hpp"

namespace plimsoll::memory {

namespace {

/// Transformer Engine's maps begin with their norm, but for those that make latent vectors, and for experts.
bool has_mixer_norm(const Scenario& scenario, const LayerGroup& group) noexcept { return !scenario.profile.training.modules.norms_in_maps || group.expands_vectors(); }
bool has_mlp_norm(const Scenario& scenario, const LayerGroup& group) noexcept { return !scenario.profile.training.modules.norms_in_maps || has_experts(group); }

constexpr LayerTensors kExpertLayer = kRouterScores | kExpertInputs | kExpertHidden | kExpertActivated | kSharedInside;

} // namespace

bool reruns_scores(const Strategy& strategy) noexcept {
  return strategy.recompute == Recompute::selective && (strategy.recompute_modules & kRecomputeCoreAttention) != 0;
}

LayerTensors run_again(const Scenario& scenario, const LayerGroup& group) noexcept {
  const Strategy& strategy = scenario.strategy;
  if (strategy.recompute != Recompute::selective) return 0;
  const std::uint32_t modules = strategy.recompute_modules;
  LayerTensors dropped = 0;
  if ((modules & kRecomputeNorms) != 0) {
    if (has_mixer_norm(scenario, group)) dropped |= kMixerInput;
    if (has_mlp_norm(scenario, group)) dropped |= kMlpInput;
  }
  if ((modules & kRecomputeLatentUp) != 0 && group.expands_vectors()) dropped |= kQueriesKeysValues | kExpandedKeys | kLatentOutputs;
  if ((modules & kRecomputeMlp) != 0 && !has_experts(group)) dropped |= kMlpInside | (has_mlp_norm(scenario, group) ? LayerTensors{0} : LayerTensors{kMlpInput});
  if ((modules & kRecomputeExperts) != 0) dropped |= kExpertLayer;
  if ((modules & kRecomputeSharedExperts) != 0) dropped |= kSharedInside;
  if ((modules & kRecomputeExpertActivation) != 0) dropped |= kExpertActivated;
  return dropped;
}

LayerTensors on_host(const Scenario& scenario, const LayerGroup& group) noexcept {
  const Strategy& strategy = scenario.strategy;
  const std::uint32_t modules = strategy.offload_modules;
  if (modules == 0 || (strategy.recompute != Recompute::selective && strategy.recompute != Recompute::none)) return 0;
  LayerTensors away = 0;
  if ((modules & kOffloadAttentionNorm) != 0 && has_mixer_norm(scenario, group)) away |= kMixerNormInput;
  if ((modules & kOffloadQueryKeyValue) != 0)
    away |= kMixerInput | kLatentInputs | kLatentOutputs | kExpandedKeys | (has_mixer_norm(scenario, group) ? LayerTensors{0} : LayerTensors{kMixerNormInput});
  if ((modules & kOffloadCoreAttention) != 0) away |= kQueriesKeysValues | kScoreMatrix;
  if ((modules & kOffloadAttentionOutput) != 0) away |= kAttentionOutput;
  if ((modules & kOffloadMlpNorm) != 0 && has_mlp_norm(scenario, group)) away |= kMlpNormInput;
  if ((modules & kOffloadExperts) != 0) away |= kExpertInputs;
  if ((modules & kOffloadExpertActivation) != 0) away |= kExpertHidden;
  return away & ~run_again(scenario, group);
}

LayerTensors on_device(const Scenario& scenario, const LayerGroup& group) noexcept {
  return kAllTensors & ~(run_again(scenario, group) | on_host(scenario, group));
}

void visit_layer(const Scenario& scenario, const LayerGroup& group, Count layers, LayerTensors counted, LayerSink sink, void* into) noexcept {
  const auto add = [&](const Term& term) {
    if (counted == kAllTensors || term.amount != 0) sink(into, term);
  };
  const bool others = (counted & kOtherTensors) != 0;
  add(saved_norms(scenario, group, layers, counted));
  if (quantises_inputs(scenario)) add(quantised_inputs(scenario, group, layers, counted));
  if (others && keeps_gathered_inputs(scenario)) add(gathered_inputs(scenario, group, layers));
  if (others && group.attention.qk_norm != QkNorm::none) add(saved_qk_norms(scenario, group, layers));
  if (attends(group)) add(saved_attention(scenario, group, layers, counted));
  if (others && group.cross.query_heads > Count{0}) add(saved_cross_attention(scenario, group, layers));
  if (group.expands_vectors()) add(saved_vectors(scenario, group, layers, counted));
  if (others && recurs(group)) add(saved_recurrence(scenario, group, layers));
  if ((counted & kMlpInside) != 0 && group.mlp.intermediate_size > Count{0}) add(saved_mlp(scenario, group, layers));
  if (has_experts(group)) {
    if ((counted & kRouterScores) != 0) add(saved_router(scenario, group, layers));
    add(saved_experts(scenario, group, layers, counted));
    if ((counted & kSharedInside) != 0 && group.moe.shared_size > Count{0}) add(saved_shared_experts(scenario, group, layers));
  }
  if (others && scenario.implementation.hidden_dropout) add(saved_dropout(scenario, group, layers));
}

Bytes layer_bytes(const Scenario& scenario, const LayerGroup& group, LayerTensors counted) noexcept {
  Bytes sum;
  visit_layer(scenario, group, Count{1}, counted & ~kOtherTensors, [&](const Term& term) { sum += term.bytes(); });
  return sum;
}

} // namespace plimsoll::memory
