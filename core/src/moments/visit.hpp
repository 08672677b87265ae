#pragma once
// Every term of a scenario, once, with the block it belongs to: sink(Block, Part, const Term&).

#include "memory/activations.hpp"
#include "memory/layers.hpp"
#include "memory/loss.hpp"
#include "memory/runtime.hpp"
#include "memory/serving.hpp"
#include "memory/states.hpp"
#include "moments/blocks.hpp"
#include "parameters/visit.hpp"
#include "plimsoll/estimate.hpp"
#include "plimsoll/scenario.hpp"

namespace plimsoll::moments {

/// What one layer group keeps for the backward pass of `layers` layers: sink(const Term&).
template <class Sink> void visit_saved(const Scenario& scenario, const LayerGroup& group, Count layers, Sink&& sink) {
  sink(memory::saved_norms(scenario, group, layers));
  if (group.attention.qk_norm != QkNorm::none) sink(memory::saved_qk_norms(scenario, group, layers));
  if (memory::attends(group)) sink(memory::saved_attention(scenario, group, layers));
  if (group.latent.heads > Count{0}) sink(memory::saved_latent(scenario, group, layers));
  if (memory::recurs(group)) sink(memory::saved_recurrence(scenario, group, layers));
  if (group.mlp.intermediate_size > Count{0}) sink(memory::saved_mlp(scenario, group, layers));
  if (memory::has_experts(group)) sink(memory::saved_experts(scenario, group, layers));
}

/// The group whose layer needs the most at once: backward moments and forward passes are judged by it.
const LayerGroup& heaviest_group(const Scenario& scenario) noexcept;

/// The block of a tensor's gradient, where it is there whole. A table that is also the head gets its first part with the head.
constexpr Block gradient_block(TensorKind kind, bool tied) noexcept {
  switch (kind) {
    case TensorKind::head:
    case TensorKind::pooler: return Block::gradients_head;
    case TensorKind::embedding: return tied ? Block::gradients_head : Block::gradients_ends;
    case TensorKind::positions: return Block::gradients_ends;
    case TensorKind::final_norm: return Block::gradients_final_norm;
    default: return Block::gradients_layers;
  }
}

/// Autocast copies the matrices of linear maps; lookups and norms are not cast. Biases and states, which are small, are counted along.
constexpr bool autocast_copies(TensorKind kind) noexcept {
  return kind != TensorKind::embedding && kind != TensorKind::positions && kind != TensorKind::norms && kind != TensorKind::final_norm;
}

/// The weights of serving, in the order of the model's tensors: towers serve along, prediction layers do not. Where all numbers have
/// one size, what counts is how many of a kind there are; otherwise each tensor counts for itself.
template <class Sink> void visit_stored(const Scenario& scenario, Sink&& sink) {
  const Model& model = scenario.model;
  const StoredWeights& weights = scenario.weights;
  if (weights.formats.size() == 1 && is_plain(weights.formats.front())) {
    const Bytes each = weights.formats.front().parts.front().bytes;
    parameters::visit(model, scenario.strategy, [&](TensorKind kind, const Term& term) {
      if (kind != TensorKind::prediction) sink(memory::weights(term, each));
    });
  } else {
    for (const StoredTensor& stored : weights.tensors)
      if (model.tensors[stored.tensor].tensor.kind != TensorKind::prediction)
        sink(memory::stored_weights(model, weights, stored, scenario.strategy));
  }
  if (weights.tables > Bytes{0}) sink(memory::weight_tables(weights.tables));
}

template <class Sink> void visit_states(const Scenario& scenario, Sink&& sink) {
  const bool training = trains(scenario.workload.task);
  const Strategy& strategy = scenario.strategy;
  const memory::RegimeBytes regime = memory::regime_bytes(strategy.regime);
  Count held;
  if (!training) visit_stored(scenario, [&](const Term& term) { sink(Block::resident, Part::weights, term); });
  else parameters::visit(scenario.model, strategy, [&](TensorKind kind, const Term& term) {
    if (!in_language_model(kind)) return; // training is of the language model
    held += term.count();
    sink(Block::resident, Part::weights, memory::weights(term, regime.weight));
    sink(gradient_block(kind, scenario.model.tied_embeddings), Part::gradients, memory::gradients(term, regime.gradient));
    if (kind == TensorKind::embedding && scenario.model.tied_embeddings)
      sink(Block::gradients_tied, Part::gradients, memory::tied_gradient_copies(term, strategy.regime));
  });
  if (training) {
    sink(Block::resident, Part::optimizer, memory::optimizer(held, strategy));
    sink(Block::step_copies, Part::optimizer, memory::optimizer_step_copies(held, strategy));
    if (has_replicas(strategy)) sink(Block::resident, Part::buffers, memory::gradient_buckets(held, scenario));
  }
  sink(Block::resident, Part::runtime, memory::device_context(scenario.profile.runtime));
  sink(Block::resident, Part::runtime, memory::library_workspaces(scenario.profile.runtime));
}

/// Autocast keeps each matrix's copy for its backward; with full recomputation its cache drops them when the forward pass ends,
/// and the layer that runs again makes its own.
template <class Sink> void visit_autocast(const Scenario& scenario, Sink&& sink) {
  const Model& model = scenario.model;
  const bool full_recompute = scenario.strategy.recompute == Recompute::full;
  parameters::visit(model, scenario.strategy, [&](TensorKind kind, const Term& term) {
    const bool is_head = kind == TensorKind::head || (kind == TensorKind::embedding && model.tied_embeddings);
    if (!in_language_model(kind) || (!is_head && !autocast_copies(kind))) return;
    const Block in_layers = full_recompute ? Block::copies_cached : Block::copies_layers;
    sink(is_head ? Block::copies_head : in_layers, Part::weights, memory::autocast_copies(term));
  });
  parameters::visit_layers(model, heaviest_group(scenario), Count{1}, scenario.strategy, [&](TensorKind kind, const Term& term) {
    if (!autocast_copies(kind)) return;
    sink(Block::copies_remaining, Part::weights, memory::autocast_copies(term));
    if (full_recompute) sink(Block::copies_recomputed, Part::weights, memory::autocast_copies(term));
  });
}

template <class Sink> void visit_serving(const Scenario& scenario, Sink&& sink) {
  const LayerGroup& heaviest = heaviest_group(scenario);
  for (const LayerGroup& group : scenario.model.groups) {
    if (memory::attends(group)) sink(Block::cache, Part::kv_cache, memory::kv_cache(scenario, group));
    if (group.cross.query_heads > Count{0}) sink(Block::cache, Part::kv_cache, memory::cross_kv_cache(scenario, group));
    if (memory::recurs(group)) sink(Block::cache, Part::kv_cache, memory::recurrent_state(scenario, group));
  }
  sink(Block::prefill_pass, Part::workspace,
       memory::forward_workspace(scenario, heaviest, memory::prefill_pass_tokens(scenario.workload)));
  sink(Block::decode_pass, Part::workspace, memory::forward_workspace(scenario, heaviest, Count{scenario.workload.batch}));
  if (!scenario.model.has_head) return;
  sink(Block::sampling, Part::workspace, memory::logits(scenario));
  sink(Block::sampling, Part::workspace, memory::sampler(scenario));
}

template <class Sink> void visit_training(const Scenario& scenario, Sink&& sink) {
  const Model& model = scenario.model;
  const TrainingProfile& profile = scenario.profile.training;
  const LossProfile& loss = scenario.strategy.regime == Regime::fp32 ? profile.loss_fp32 : profile.loss;
  const LayerGroup& heaviest = heaviest_group(scenario);
  const bool full_recompute = scenario.strategy.recompute == Recompute::full;
  const auto into = [&](Block block) { return [&sink, block](const Term& term) { sink(block, Part::activations, term); }; };

  for (const LayerGroup& group : model.groups) {
    if (full_recompute) into(Block::layers)(memory::checkpoints(scenario, group, group.layers));
    else visit_saved(scenario, group, group.layers, into(Block::layers));
  }
  into(Block::head_input)(memory::saved_head(scenario));
  if (full_recompute) {
    visit_saved(scenario, heaviest, Count{1}, into(Block::recomputed_layer));
    if (!memory::norm_keeps_its_input(scenario)) into(Block::remaining_layer)(memory::checkpoints(scenario, heaviest, Count{1}));
  }
  visit_saved(scenario, heaviest, Count{1}, into(Block::remaining_layer));
  into(Block::temporaries)(memory::backward_temporaries(scenario, heaviest));
  into(Block::head_gradient)(memory::head_gradient(scenario));

  const Bytes gradient = memory::regime_bytes(scenario.strategy.regime).gradient;
  sink(Block::working_gradient, Part::gradients, memory::working_gradient(scenario, heaviest));
  for (const LayerGroup& group : model.groups) {
    const Count others = group.layers - Count{&group == &heaviest ? 1 : 0};
    parameters::visit_layers(model, group, others, scenario.strategy, [&](TensorKind, const Term& term) {
      sink(Block::gradients_but_one, Part::gradients, memory::gradients(term, gradient));
    });
  }
  if (scenario.strategy.regime == Regime::mixed_bf16) visit_autocast(scenario, sink);

  sink(Block::loss_forward, Part::loss, memory::loss(scenario, loss.forward));
  sink(Block::loss_backward, Part::loss, memory::loss(scenario, loss.backward));
  sink(Block::loss_head, Part::loss, memory::loss(scenario, loss.head_backward));
  sink(Block::loss_after, Part::loss, memory::loss(scenario, loss.after));
}

template <class Sink> void visit(const Scenario& scenario, Sink&& sink) {
  visit_states(scenario, sink);
  if (trains(scenario.workload.task)) visit_training(scenario, sink);
  else visit_serving(scenario, sink);
}

} // namespace plimsoll::moments
