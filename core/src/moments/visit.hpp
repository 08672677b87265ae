#pragma once
// Every term of a scenario, once, with the block it belongs to: sink(Block, Part, const Term&).

#include "memory/activations.hpp"
#include "memory/loss.hpp"
#include "memory/runtime.hpp"
#include "memory/serving.hpp"
#include "memory/states.hpp"
#include "moments/blocks.hpp"
#include "parameters/visit.hpp"
#include "plimsoll/estimate.hpp"
#include "plimsoll/scenario.hpp"

namespace plimsoll::moments {

using parameters::Tensors;

/// What one layer group keeps for the backward pass of `layers` layers: sink(const Term&).
template <class Sink> void visit_saved(const Scenario& scenario, const LayerGroup& group, Count layers, Sink&& sink) {
  sink(memory::saved_norms(scenario, group, layers));
  if (group.attention.qk_norm != QkNorm::none) sink(memory::saved_qk_norms(scenario, group, layers));
  sink(memory::saved_attention(scenario, group, layers));
  sink(memory::saved_mlp(scenario, group, layers));
}

/// The group whose layer needs the most at once: backward moments and forward passes are judged by it.
const LayerGroup& heaviest_group(const Scenario& scenario) noexcept;

/// The block of a tensor's gradient, where it is there whole. A table that is also the head gets its first part with the head.
constexpr Block gradient_block(Tensors tensors, bool tied) noexcept {
  switch (tensors) {
    case Tensors::head: return Block::gradients_head;
    case Tensors::embedding: return tied ? Block::gradients_head : Block::gradients_ends;
    case Tensors::positions: return Block::gradients_ends;
    case Tensors::final_norm: return Block::gradients_final_norm;
    case Tensors::attention:
    case Tensors::mlp:
    case Tensors::layer_norms: break;
  }
  return Block::gradients_layers;
}

/// Autocast copies the matrices of linear maps; lookups and norms are not cast. Biases, which are small, are counted along.
constexpr bool autocast_copies(Tensors tensors) noexcept {
  return tensors == Tensors::attention || tensors == Tensors::mlp || tensors == Tensors::head;
}

template <class Sink> void visit_states(const Scenario& scenario, Sink&& sink) {
  const bool training = trains(scenario.workload.task);
  const Strategy& strategy = scenario.strategy;
  const memory::RegimeBytes regime = memory::regime_bytes(strategy.regime);
  const Bytes weight = training ? regime.weight : bytes_per_element(strategy.weight_dtype);
  Count held;
  parameters::visit(scenario.model, strategy, [&](Tensors tensors, const Term& term) {
    held += term.count();
    sink(Block::resident, Part::weights, memory::weights(term, weight));
    if (!training) return;
    sink(gradient_block(tensors, scenario.model.tied_embeddings), Part::gradients, memory::gradients(term, regime.gradient));
    if (tensors == Tensors::embedding && scenario.model.tied_embeddings)
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
  parameters::visit(model, scenario.strategy, [&](Tensors tensors, const Term& term) {
    const bool is_head = tensors == Tensors::head || (tensors == Tensors::embedding && model.tied_embeddings);
    if (!is_head && !autocast_copies(tensors)) return;
    const Block in_layers = full_recompute ? Block::copies_cached : Block::copies_layers;
    sink(is_head ? Block::copies_head : in_layers, Part::weights, memory::autocast_copies(term));
  });
  parameters::visit_layers(model, heaviest_group(scenario), Count{1}, scenario.strategy, [&](Tensors tensors, const Term& term) {
    if (!autocast_copies(tensors)) return;
    sink(Block::copies_remaining, Part::weights, memory::autocast_copies(term));
    if (full_recompute) sink(Block::copies_recomputed, Part::weights, memory::autocast_copies(term));
  });
}

template <class Sink> void visit_serving(const Scenario& scenario, Sink&& sink) {
  const LayerGroup& heaviest = heaviest_group(scenario);
  for (std::size_t i = 0; i < scenario.model.group_count; ++i)
    sink(Block::cache, Part::kv_cache, memory::kv_cache(scenario, scenario.model.groups[i]));
  sink(Block::prefill_pass, Part::workspace,
       memory::forward_workspace(scenario, heaviest, memory::prefill_pass_tokens(scenario.workload)));
  sink(Block::decode_pass, Part::workspace, memory::forward_workspace(scenario, heaviest, Count{scenario.workload.batch}));
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

  for (std::size_t i = 0; i < model.group_count; ++i) {
    const LayerGroup& group = model.groups[i];
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
  for (std::size_t i = 0; i < model.group_count; ++i) {
    const LayerGroup& group = model.groups[i];
    const Count others = group.layers - Count{&group == &heaviest ? 1 : 0};
    parameters::visit_layers(model, group, others, scenario.strategy, [&](Tensors, const Term& term) {
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
