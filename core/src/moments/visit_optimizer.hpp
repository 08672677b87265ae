#pragma once
// What the optimizer of a scenario keeps and makes: sink(Block, Part, const Term&). Optimizers that treat all numbers alike are one
// sum; the others go tensor by tensor.

#include "memory/optimizers.hpp"
#include "memory/states.hpp"
#include "moments/blocks.hpp"
#include "parameters/kinds.hpp"
#include "plimsoll/pipeline.hpp"
#include "plimsoll/scenario.hpp"
#include "plimsoll/sharding.hpp"

namespace plimsoll::moments {

inline memory::OptimizerSettings optimizer_settings(const Scenario& scenario) noexcept {
  const StateProfile& profile = scenario.profile.training.states;
  return {.optimizer = scenario.strategy.optimizer,
          .rank = Count{scenario.strategy.optimizer_rank},
          .in_backward = memory::steps_each(scenario.strategy),
          .embeddings_in_32_bits = profile.embeddings_in_32_bits};
}

/// sink(const ModelTensor&, const LayerGroup*, const SteppedTensor&) for every trained tensor of the stage, as this GPU steps it. A
/// flat shard is a row of numbers; FSDP2 divides rows; optimizers of whole matrices hand out whole tensors.
template <class Sink> void visit_stepped(const Scenario& scenario, const Stage& stage, Sink&& sink) {
  const Model& model = scenario.model;
  const Strategy& strategy = scenario.strategy;
  const memory::RegimeBytes bytes = memory::regime_bytes(strategy.regime);
  const bool shards = strategy.sharding != Sharding::none;
  const bool by_rows = strategy.sharding == Sharding::parameters && scenario.profile.training.states.sharding.by_rows;
  const bool whole = memory::steps_matrices(strategy.optimizer);
  for (const ModelTensor& part : model.tensors) {
    const TensorKind kind = part.tensor.kind;
    if (!in_language_model(kind)) continue;
    const LayerGroup* const group = model.group_of(part);
    if (group == nullptr && !holds(stage, kind, model.tied_embeddings)) continue;
    const Count layers = group == nullptr ? part.layers : stage.held(*group);
    const TensorShare share = tensor_share(part.tensor, strategy);
    memory::SteppedTensor tensor{.kind = kind,
                                 .matrix = part.tensor.matrix,
                                 .tensors = layers * copies_per_gpu(part.tensor, strategy),
                                 .rows = share.rows,
                                 .columns = share.columns,
                                 .elements = layers * elements_per_gpu(part.tensor, strategy),
                                 .element = bytes.state,
                                 .master = bytes.master};
    if (shards && whole) {
      tensor.tensors = shard_of(tensor.tensors, kind, strategy);
      tensor.elements = tensor.tensors * (tensor.rows * tensor.columns);
    } else if (shards && by_rows) {
      tensor.rows = shard_of(tensor.rows, kind, strategy);
      tensor.elements = tensor.tensors * (tensor.rows * tensor.columns);
    } else if (shards) {
      tensor.elements = shard_of(tensor.elements, kind, strategy);
      tensor.rows = ceil_div(tensor.elements, max(tensor.tensors, Count{1}));
      tensor.columns = Count{1};
      tensor.matrix = false;
    }
    if (tensor.elements > Count{0}) sink(part, group, tensor);
  }
}

/// Tensors that the stage trains: each has a part on this GPU, however it is divided.
inline Count stepped_tensors(const Scenario& scenario, const Stage& stage) noexcept {
  const Model& model = scenario.model;
  Count tensors;
  for (const ModelTensor& part : model.tensors) {
    if (!in_language_model(part.tensor.kind)) continue;
    const LayerGroup* const group = model.group_of(part);
    if (group == nullptr && !holds(stage, part.tensor.kind, model.tied_embeddings)) continue;
    tensors += (group == nullptr ? part.layers : stage.held(*group)) * copies_per_gpu(part.tensor, scenario.strategy);
  }
  return tensors;
}

/// `stepped` parameters in all.
template <class Sink>
void visit_optimizer(const Scenario& scenario, const Stage& stage, const memory::StatePlan& plan, Count stepped, Sink&& sink) {
  const memory::OptimizerSettings settings = optimizer_settings(scenario);
  const Block states = plan.host_states ? Block::host : memory::lazy(settings.optimizer) ? Block::states : Block::resident;
  const Block copies = plan.host_states ? Block::host : settings.in_backward ? Block::step_copies_early : Block::step_copies;
  if (scenario.profile.training.states.step_scalars && memory::counts_steps(settings.optimizer)) {
    sink(states, Part::optimizer, memory::step_scalars(stepped_tensors(scenario, stage), settings));
  }
  if (memory::steps_numbers(settings)) {
    const memory::RegimeBytes bytes = memory::regime_bytes(scenario.strategy.regime);
    const memory::SteppedTensor all{.elements = stepped, .element = bytes.state, .master = bytes.master};
    sink(states, Part::optimizer, memory::kept_states(all, settings));
    sink(copies, Part::optimizer, memory::step_copies(all, settings));
    return;
  }
  const bool together = memory::steps_together(settings);
  Term largest;
  visit_stepped(scenario, stage, [&](const ModelTensor& part, const LayerGroup* group, const memory::SteppedTensor& tensor) {
    const auto named = [&](Term term) {
      term.of = parameters::kind_term(part.tensor.kind, group, Count{0}).formula;
      term.group = parameters::kind_term(part.tensor.kind, group, Count{0}).group;
      term.tensor = &part.tensor;
      return term;
    };
    sink(states, Part::optimizer, named(memory::kept_states(tensor, settings)));
    if (memory::pages(settings.optimizer)) sink(Block::managed, Part::optimizer, named(memory::paged_states(tensor, settings)));
    const Term made = memory::step_copies(tensor, settings);
    if (together) sink(copies, Part::optimizer, named(made));
    else if (largest.formula == nullptr || largest.amount < made.amount) largest = made;
  });
  if (largest.formula != nullptr) sink(copies, Part::optimizer, largest);
}

} // namespace plimsoll::moments
