#pragma once
// Which bytes are alive at which moment of a step. The only place that knows; estimate() adds what it hears, explain()
// writes it down, so numbers and words cannot disagree.
//
// A training step, with S what stays for the whole step:
//   forward_end           S + all activations + loss forward
//   loss_backward         S + all activations + loss backward
//   head_backward         S + all activations + loss + gradients of the head
//   last_layer_backward   S + activations of all layers + that layer's temporaries + gradients so far
//   first_layer_backward  S + activations of one layer + its temporaries + gradients of all layers
//   backward_end          S + all gradients
//   optimizer_step        S + all gradients + copies made by the step
// Between the last and the first layer the total changes linearly, so the two ends decide.

#include "memory/activations.hpp"
#include "memory/loss.hpp"
#include "memory/runtime.hpp"
#include "memory/serving.hpp"
#include "memory/states.hpp"
#include "parameters/visit.hpp"
#include "plimsoll/estimate.hpp"
#include "plimsoll/scenario.hpp"

#include <span>

namespace plimsoll::moments {

/// The moments of a task, in order of time.
std::span<const Moment> of(Task task) noexcept;

/// The group whose layer needs the most at once: the one a backward moment is judged by.
std::size_t heaviest_group(const Scenario& scenario) noexcept;

using parameters::Tensors;

/// sink(Part, const Term&) for what one layer group saves for the backward pass of `layers` layers.
template <class Sink>
void visit_saved(const Scenario& scenario, const LayerGroup& group, Count layers, Sink&& sink) {
  sink(Part::activations, memory::saved_norms(scenario, group, layers));
  if (group.attention.qk_norm != QkNorm::none) sink(Part::activations, memory::saved_qk_norms(scenario, group, layers));
  sink(Part::activations, memory::saved_attention(scenario, group, layers));
  sink(Part::activations, memory::saved_mlp(scenario, group, layers));
}

/// sink(Part, const Term&) for what stays from the first moment of a step to the last.
template <class Sink> void visit_resident(const Scenario& scenario, Sink&& sink) {
  const bool training = trains(scenario.workload.task);
  const Strategy& strategy = scenario.strategy;
  const Bytes weight = training ? memory::regime_bytes(strategy.regime).weight : bytes_per_element(strategy.weight_dtype);
  Count held;
  parameters::visit(scenario.model, strategy, [&](Tensors, const Term& term) {
    held += term.count();
    sink(Part::weights, memory::weights(term, weight));
  });
  if (training) {
    sink(Part::optimizer, memory::optimizer(held, strategy));
    if (has_replicas(strategy)) sink(Part::buffers, memory::gradient_buckets(held, scenario));
  }
  sink(Part::runtime, memory::device_context(scenario.profile.runtime));
  sink(Part::runtime, memory::library_workspaces(scenario.profile.runtime));
}

/// What serving holds besides: the cache, and a forward pass over `tokens` tokens.
template <class Sink> void visit_serving(const Scenario& scenario, Count tokens, Sink&& sink) {
  for (std::size_t i = 0; i < scenario.model.group_count; ++i)
    sink(Part::kv_cache, memory::kv_cache(scenario, scenario.model.groups[i]));
  sink(Part::workspace, memory::forward_workspace(scenario, scenario.model.groups[heaviest_group(scenario)], tokens));
  sink(Part::workspace, memory::logits(scenario));
  sink(Part::workspace, memory::sampler(scenario));
}

/// Gradients that exist at a moment, and the matrices whose autocast copies are still held there.
bool has_gradient(Moment moment, Tensors tensors, bool tied) noexcept;
bool has_autocast_copy(Moment moment, Tensors tensors) noexcept;

template <class Sink> void visit_training(const Scenario& scenario, Moment moment, Sink&& sink) {
  const Model& model = scenario.model;
  const Strategy& strategy = scenario.strategy;
  const LossProfile& loss = scenario.profile.training.loss;
  const Bytes gradient = memory::regime_bytes(strategy.regime).gradient;

  Count held;
  parameters::visit(model, strategy, [&](Tensors tensors, const Term& term) {
    held += term.count();
    if (has_gradient(moment, tensors, model.tied_embeddings)) sink(Part::gradients, memory::gradients(term, gradient));
    if (strategy.regime == Regime::mixed_bf16 && has_autocast_copy(moment, tensors))
      sink(Part::weights, memory::autocast_copies(term));
  });

  const bool full_recompute = strategy.recompute == Recompute::full;
  const auto all_layers = [&] {
    for (std::size_t i = 0; i < model.group_count; ++i) {
      const LayerGroup& group = model.groups[i];
      if (full_recompute) sink(Part::activations, memory::checkpoints(scenario, group, group.layers));
      else visit_saved(scenario, group, group.layers, sink);
    }
  };
  const LayerGroup& heaviest = model.groups[heaviest_group(scenario)];

  switch (moment) {
    case Moment::forward_end:
    case Moment::loss_backward:
    case Moment::head_backward:
      all_layers();
      sink(Part::activations, memory::saved_head(scenario));
      sink(Part::loss, memory::loss(scenario, moment == Moment::forward_end     ? loss.forward
                                              : moment == Moment::loss_backward ? loss.backward
                                                                                : loss.head_backward));
      break;
    case Moment::last_layer_backward:
      all_layers();
      if (full_recompute) visit_saved(scenario, heaviest, Count{1}, sink);
      sink(Part::activations, memory::backward_temporaries(scenario, heaviest));
      sink(Part::loss, memory::loss(scenario, loss.after));
      break;
    case Moment::first_layer_backward:
      if (full_recompute) sink(Part::activations, memory::checkpoints(scenario, heaviest, Count{1}));
      visit_saved(scenario, heaviest, Count{1}, sink);
      sink(Part::activations, memory::backward_temporaries(scenario, heaviest));
      sink(Part::loss, memory::loss(scenario, loss.after));
      break;
    case Moment::optimizer_step:
      sink(Part::optimizer, memory::optimizer_step_copies(held, strategy));
      sink(Part::loss, memory::loss(scenario, loss.after));
      break;
    case Moment::backward_end:
      sink(Part::loss, memory::loss(scenario, loss.after));
      break;
    case Moment::prefill:
    case Moment::decode: break;
  }
}

/// sink(Part, const Term&) for what one moment holds on top of what is resident.
template <class Sink> void visit_moment(const Scenario& scenario, Moment moment, Sink&& sink) {
  if (moment == Moment::prefill) visit_serving(scenario, memory::prefill_pass_tokens(scenario.workload), sink);
  else if (moment == Moment::decode) visit_serving(scenario, Count{scenario.workload.batch}, sink);
  else visit_training(scenario, moment, sink);
}

} // namespace plimsoll::moments
