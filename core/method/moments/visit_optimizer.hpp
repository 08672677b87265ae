#pragma once
// What the optimizer of a scenario keeps and makes: sink(Lifetime, Part, const Term&). Optimizers that treat all numbers alike are one
// sum; the others go tensor by tensor.

#include "method/memory/optimizers.hpp"
#include "method/memory/states.hpp"
#include "method/memory/trained.hpp"
#include "method/moments/lifetimes.hpp"
#include "method/parameters/kinds.hpp"
#include "method/parameters/visit.hpp"
#include "plimsoll/method/pipeline.hpp"
#include "plimsoll/method/scenario.hpp"
#include "plimsoll/method/sharding.hpp"

namespace plimsoll::moments {

inline memory::OptimizerSettings optimizer_settings(const Scenario& scenario) noexcept {
  const StateProfile& profile = scenario.profile.training.states;
  return {.optimizer = scenario.strategy.optimizer,
          .rank = Count{scenario.strategy.optimizer_rank},
          .moment = scenario.strategy.moment_dtype == MomentDtype::half ? Bytes{2} : Bytes{0},
          .in_backward = memory::steps_each(scenario.strategy),
          .embeddings_in_32_bits = profile.embeddings_in_32_bits,
          .flat = memory::precision_bytes(scenario.strategy.precision).master > Bytes{0},
          .replicas = Count{scenario.strategy.data_parallel}};
}

/// Puts on an optimizer's term what it is about. One type for all tensors that are stepped: what takes them is compiled once.
struct NamedTerm {
  const Formula* of = nullptr;
  const LayerGroup* group = nullptr;
  const Tensor* tensor = nullptr;
  std::string_view variant{};

  Term operator()(Term term) const noexcept {
    term.of = of;
    term.group = group;
    term.tensor = tensor;
    term.variant = variant;
    return term;
  }
};

/// Prediction depths train where the framework runs them; what else is beside the language model does not.
inline bool is_trained(const Model& model, TensorKind kind) noexcept {
  const bool predicts = kind == TensorKind::prediction || kind == TensorKind::prediction_experts;
  return in_language_model(kind) || (predicts && model.prediction_depths > Count{0});
}

/// The part of alike tensors of a kind that this GPU steps. A flat shard is a row of numbers; FSDP2 divides rows; optimizers of whole
/// matrices hand out whole tensors.
inline memory::SteppedTensor stepped_share(const Scenario& scenario, memory::SteppedTensor tensor) noexcept {
  const Strategy& strategy = scenario.strategy;
  if (strategy.sharding == Sharding::none) return tensor;
  if (memory::steps_matrices(strategy.optimizer)) {
    tensor.tensors = shard_of(tensor.tensors, tensor.kind, strategy);
    tensor.elements = tensor.tensors * (tensor.rows * tensor.columns);
  } else if (strategy.sharding == Sharding::parameters && scenario.profile.training.states.sharding.by_rows) {
    tensor.rows = shard_of(tensor.rows, tensor.kind, strategy);
    tensor.elements = tensor.tensors * (tensor.rows * tensor.columns);
  } else {
    tensor.elements = shard_of(tensor.elements, tensor.kind, strategy);
    tensor.rows = ceil_div(tensor.elements, max(tensor.tensors, Count{1}));
    tensor.columns = Count{1};
    tensor.matrix = false;
  }
  return tensor;
}

/// Layers of the group whose own weights may train.
inline Count trained_layers(const Scenario& scenario, const Stage& stage, const LayerGroup& group) noexcept {
  const bool last = is_frozen(scenario) && scenario.tuning.method == TuningMethod::last_layers;
  return last ? memory::backward_layers(scenario, stage, group).held : stage.held(group);
}

/// sink(const ModelTensor&, const LayerGroup*, const SteppedTensor&) for every tensor of the stage of kinds for which `wanted` holds,
/// as this GPU steps it.
template <class Wanted, class Sink> void visit_stepped(const Scenario& scenario, const Stage& stage, Wanted&& wanted, Sink&& sink) {
  const Model& model = scenario.model;
  const memory::RegimeBytes bytes = memory::precision_bytes(scenario.strategy.precision);
  for (const ModelTensor& part : model.tensors) {
    const TensorKind kind = part.tensor.kind;
    if (!wanted(kind)) continue;
    const LayerGroup* const group = model.group_of(part);
    if (group == nullptr && !holds(stage, kind, model.tied_embeddings)) continue;
    const Count layers = group == nullptr ? part.layers : trained_layers(scenario, stage, *group);
    const TensorShare share = tensor_share(part.tensor, scenario.strategy);
    const memory::SteppedTensor tensor = stepped_share(scenario, {.kind = kind,
                                                                  .matrix = part.tensor.matrix,
                                                                  .tensors = layers * copies_per_gpu(part.tensor, scenario.strategy),
                                                                  .rows = share.rows,
                                                                  .columns = share.columns,
                                                                  .elements = layers * elements_per_gpu(part.tensor, scenario.strategy),
                                                                  .element = bytes.state});
    if (tensor.elements > Count{0}) sink(part, group, tensor);
  }
}

/// What a GPU steps: the parameters, and the tensors, of each of which it has a part, however they are divided.
struct Stepped {
  Count numbers, tensors;
};

/// The optimizer's terms of what visit_tensors(sink(const SteppedTensor&, named)) visits; named(Term) says what a term is about. `all`
/// counts the numbers together, `tensors` the tensors.
template <class Visit, class Sink>
void visit_optimizer_of(const Scenario& scenario, const memory::StatePlan& plan, const memory::SteppedTensor& all, Count tensors, Visit&& visit_tensors,
                  Sink&& sink) {
  const memory::OptimizerSettings settings = optimizer_settings(scenario);
  const Lifetime states = plan.nvme_states ? Lifetime::nvme : plan.host_states ? Lifetime::host : memory::lazy(settings.optimizer) ? Lifetime::states : Lifetime::resident;
  const Lifetime copies = plan.host_states ? Lifetime::host : settings.in_backward ? Lifetime::step_copies_early : Lifetime::step_copies;
  if (scenario.profile.training.states.step_scalars && memory::counts_steps(settings.optimizer))
    sink(states, Part::optimizer, memory::step_scalars(tensors, settings));
  if (memory::steps_numbers(settings)) {
    sink(states, Part::optimizer, memory::kept_states(all, settings));
    sink(copies, Part::optimizer, memory::step_copies(all, settings));
    return;
  }
  const bool together = memory::steps_together(settings);
  Term largest;
  visit_tensors([&](const memory::SteppedTensor& tensor, const auto& named) {
    sink(states, Part::optimizer, named(memory::kept_states(tensor, settings)));
    if (memory::pages(settings.optimizer)) sink(Lifetime::managed, Part::optimizer, named(memory::paged_states(tensor, settings)));
    const Term made = memory::step_copies(tensor, settings);
    if (together) sink(copies, Part::optimizer, named(made));
    else if (largest.formula == nullptr || largest.amount < made.amount) largest = made;
  });
  if (largest.formula != nullptr) sink(copies, Part::optimizer, largest);
}

/// sink(const SteppedTensor&, named) for the model's own tensors.
template <class Wanted, class Sink> void visit_own_stepped(const Scenario& scenario, const Stage& stage, Wanted&& wanted, Sink&& sink) {
  visit_stepped(scenario, stage, wanted, [&](const ModelTensor& part, const LayerGroup* group, const memory::SteppedTensor& tensor) {
    const Term kind = parameters::kind_term(part.tensor.kind, group, Count{0});
    sink(tensor, NamedTerm{.of = kind.formula, .group = kind.group, .tensor = &part.tensor});
  });
}

template <class Sink>
void visit_optimizer(const Scenario& scenario, const Stage& stage, const memory::StatePlan& plan, const Stepped& stepped, Sink&& sink) {
  const memory::RegimeBytes bytes = memory::precision_bytes(scenario.strategy.precision);
  const auto trained = [&](TensorKind kind) { return is_trained(scenario.model, kind); };
  visit_optimizer_of(scenario, plan, {.elements = stepped.numbers, .element = bytes.state}, stepped.tensors,
               [&](auto&& each) { visit_own_stepped(scenario, stage, trained, each); }, sink);
}

} // namespace plimsoll::moments
