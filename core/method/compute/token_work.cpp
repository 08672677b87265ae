#include "plimsoll/method/compute.hpp"

#include "method/compute/visit.hpp"
#include "method/memory/activations/layer_tensors.hpp"
#include "method/memory/activations/products.hpp"
#include "method/memory/layers.hpp"
#include "method/memory/trained.hpp"
#include "method/parameters/kinds.hpp"
#include "method/tuning/last_layers.hpp"
#include "plimsoll/method/tuning_parameters.hpp"

#include <algorithm>

namespace plimsoll {

namespace compute {

namespace {

constexpr bool predicts(TensorKind kind) noexcept { return kind == TensorKind::prediction || kind == TensorKind::prediction_experts; }

/// What layers hold, and with it what can run again.
bool in_stack(const ModelTensor& part) noexcept { return part.group != ModelTensor::kNoGroup; }

/// Multiplications and additions of a token's forward pass that a policy by operation does not run again (torchtitan, activation_checkpoint.py):
/// products that it keeps, and the last of each layer where nothing reads it. FLOP.
Count kept_by_operation(const Scenario& scenario) noexcept {
  const OperationProfile& policy = scenario.profile.training.operations;
  Count kept;
  for (const LayerGroup& group : scenario.model.groups) {
    const memory::Products products{group, kUnsharded, scenario.model.hidden_size, policy.router};
    kept += group.layers * (Count{2} * products.not_again(policy.products.value, policy.unread || group.norms > Count{2}));
  }
  return kept;
}

/// Whether all multiplications of a kind of tensor run again with its module.
bool is_in_module(const Strategy& strategy, TensorKind kind, const LayerGroup& group) noexcept {
  const std::uint32_t modules = strategy.recompute_modules;
  switch (kind) {
    case TensorKind::mlp: return (modules & kRecomputeMlp) != 0 && !memory::has_experts(group);
    case TensorKind::router:
    case TensorKind::experts: return (modules & kRecomputeExperts) != 0;
    case TensorKind::shared_experts: return (modules & (kRecomputeExperts | kRecomputeSharedExperts)) != 0;
    default: return false;
  }
}

/// Multiplications and additions of a token's forward pass in the maps that expand latent vectors. FLOP.
Count latent_up(const Scenario& scenario) noexcept {
  Count sum;
  if ((scenario.strategy.recompute_modules & kRecomputeLatentUp) == 0) return sum;
  for (const LayerGroup& group : scenario.model.groups) {
    if (!group.expands_vectors()) continue;
    const LayerShare share = layer_share(group, kUnsharded);
    const Count queries = share.query_vector > Count{0} ? share.query_vector : scenario.model.hidden_size;
    sum += group.layers * (Count{2} * (queries * share.query_width + group.attention_shape.key_value_vector * (share.expanded_keys + share.value_width)));
  }
  return sum;
}

} // namespace

// Megatron-LM's "block" counts layers of each stage, and torchtitan's every k-th layer those of the whole stack.
Count layers_again(const Strategy& strategy, Count layers) noexcept {
  const std::int64_t n = std::max<std::int64_t>(strategy.recompute_layers, 1);
  switch (strategy.recompute) {
    case Recompute::none:
    case Recompute::selective:
    case Recompute::per_op: return Count{0};
    case Recompute::full:
    case Recompute::sqrt:
    case Recompute::offloaded: return layers;
    case Recompute::block: return min(layers, Count{n} * Count{strategy.pipeline_parallel * strategy.virtual_stages});
    case Recompute::every_k: return Count{layers.value / n};
  }
  return Count{0};
}

Count stack_of(const Model& model) noexcept {
  Count layers;
  for (const LayerGroup& group : model.groups) layers += group.layers;
  return layers;
}

void visit(const Scenario& scenario, void (*sink)(void* into, Part part, const Term& term), void* into) noexcept {
  const Model& model = scenario.model;
  const Count context{scenario.workload.context_tokens}, passes = passes_over_weights(scenario);
  const std::int64_t last = memory::layers_with_gradients(scenario), stack = std::ssize(model.pattern);
  const Count passes_in_layers = trains(scenario.workload.task, scenario.tuning).matrices ? kPasses : passes;
  const bool head_beside = is_frozen(scenario) && (copied_modules(scenario.tuning) & kTargetHead) != 0; // it multiplies for its own gradient too
  const Count passes_of_head = head_beside ? kPasses : passes;
  const auto reached = [&](const Term& whole, const LayerGroup& group, Count all) { // of the group's layers, those that gradients pass
    return last == stack ? whole : reached_by_gradients(whole, all, group.layers, tuning::last_of(model, group, last));
  };
  const bool selective = scenario.strategy.recompute == Recompute::selective;
  const Count logits = Count{1} + model.prediction_depths; // each depth has its own, by the same head
  Count in_layers, in_modules, scores, recurrences; // one forward pass
  for (const ModelTensor* at = model.tensors.data(), *const end = at + model.tensors.size(); at != end;) {
    const ModelTensor* const first = at;
    Count parameters;
    for (; at != end && at->group == first->group && at->tensor.kind == first->tensor.kind; ++at) parameters += multiplied(*at);
    if (parameters == Count{0}) continue;
    if (model.prediction_depths > Count{0} && predicts(first->tensor.kind)) {
      const Part part = is_routed(first->tensor.kind) ? Part::prediction_experts : Part::prediction;
      sink(into, part, matrices(parameters::kind_term(first->tensor.kind, nullptr, parameters), parameters, passes));
      continue;
    }
    if (!in_language_model(first->tensor.kind)) continue;
    if (first->tensor.kind == TensorKind::head) parameters = logits * parameters;
    parameters = per_token(model, model.group_of(*first), parameters, context);
    const Term kind = parameters::kind_term(first->tensor.kind, model.group_of(*first), parameters);
    const Part part = is_routed(first->tensor.kind) ? Part::experts : Part::matrices;
    if (in_stack(*first)) {
      sink(into, part, reached(matrices(kind, parameters, passes_in_layers), *model.group_of(*first), passes_in_layers));
      in_layers += Count{2} * parameters;
      if (selective && is_in_module(scenario.strategy, first->tensor.kind, *model.group_of(*first))) in_modules += Count{2} * parameters;
    } else {
      sink(into, part, matrices(kind, parameters, first->tensor.kind == TensorKind::head ? passes_of_head : passes));
    }
  }
  if (model.tied_embeddings && model.has_head) {
    const Count parameters = logits * (model.vocab_size * model.hidden_size);
    sink(into, Part::matrices, matrices(parameters::kind_term(TensorKind::head, nullptr, parameters), parameters, passes_of_head));
  }
  const auto add = [&](Part part, Count& forward, const LayerGroup& group, const Term& term) {
    sink(into, part, reached(term, group, kPasses));
    forward += Count{term.amount / kPasses.value};
  };
  for (const LayerGroup& group : model.groups) {
    if (group.attends()) add(Part::scores, scores, group, attention(model, group, context));
    if (group.cross.query_heads > Count{0}) add(Part::scores, scores, group, cross_attention(group, model.encoder_sequence(context)));
    if (group.recurrence_shape.inner > Count{0}) add(Part::recurrences, recurrences, group, recurrence(group));
  }
  for (const LayerGroup& group : model.prediction)
    if (group.attends()) sink(into, Part::prediction_scores, attention(model, group, context, model.prediction_depths));
  const bool beside = scenario.tuning.method != TuningMethod::last_layers && scenario.tuning.method != TuningMethod::head; // of the model's own, counted above
  if (is_frozen(scenario) && beside) sink(into, Part::matrices, adapters(trainable_parameters(model, scenario.tuning) - copied_parameters(model, scenario.tuning)));
  const Count layers = stack_of(model);
  if (layers == Count{0}) return;
  const Count backward = min(layers, Count{last}), again = selective ? backward : layers_again(scenario.strategy, backward);
  if (scenario.strategy.recompute == Recompute::per_op) {
    const Count forward = max(in_layers - kept_by_operation(scenario), Count{0});
    if (forward > Count{0}) sink(into, Part::matrices_again, run_again(Part::matrices_again, forward, backward, layers));
    return; // what attention makes is kept
  }
  const Count forward = selective ? in_modules + latent_up(scenario) : in_layers;
  if (again > Count{0} && forward > Count{0}) sink(into, Part::matrices_again, run_again(Part::matrices_again, forward, again, layers));
  if (again == Count{0} || (selective && !memory::reruns_scores(scenario.strategy))) return;
  if (scores > Count{0}) sink(into, Part::scores_again, run_again(Part::scores_again, scores, again, layers));
  if (recurrences > Count{0} && !selective) sink(into, Part::recurrences_again, run_again(Part::recurrences_again, recurrences, again, layers));
}

} // namespace compute

TokenWork token_work(const Scenario& scenario) noexcept {
  TokenWork work;
  compute::visit(scenario, [&](compute::Part part, const Term& term) { (compute::runs_again(part) ? work.recomputed : work.model) += term.count(); });
  return work;
}

} // namespace plimsoll
