#pragma once
// The terms of modules that train whole beside adapters, as copies of the frozen ones: core/method/tuning/copied.hpp.

#include "method/memory/buffers/buffers.hpp"
#include "method/moments/lifetimes.hpp"
#include "method/moments/tuned_bytes.hpp"
#include "method/moments/visit_optimizer.hpp"
#include "method/parameters/visit.hpp"
#include "method/tuning/copied.hpp"

namespace plimsoll::moments {

/// A term of a module that is copied, as what the copy works.
inline Term of_module(Term term, const ModelTensor& part, TensorKind works_as) noexcept {
  term.of = &parameters::formula_of(works_as);
  term.tensor = &part.tensor;
  return term;
}

/// sink(const ModelTensor&, TensorKind, Count) for each module that trains whole beside adapters: what of its copy this GPU holds.
template <class Sink> void visit_copied(const Scenario& scenario, const Stage& stage, Sink&& sink) {
  tuning::visit_copied(scenario.model, scenario.tuning, [&](const ModelTensor& part, TensorKind works_as) {
    if (works_as == TensorKind::embedding ? stage.embeds() : stage.has_head()) sink(part, works_as, part.layers * elements_per_gpu(part.tensor, scenario.strategy));
  });
}

/// sink(const SteppedTensor&, named) for their copies, as this GPU steps them.
template <class Sink> void visit_stepped_copies(const Scenario& scenario, const Stage& stage, Sink&& sink) {
  const Bytes element = copied_bytes(scenario).state;
  visit_copied(scenario, stage, [&](const ModelTensor& part, TensorKind works_as, Count numbers) {
    const TensorShare share = tensor_share(part.tensor, scenario.strategy);
    const memory::SteppedTensor tensor = stepped_share(scenario, {.kind = works_as,
                                                                  .matrix = part.tensor.matrix,
                                                                  .tensors = part.layers * copies_per_gpu(part.tensor, scenario.strategy),
                                                                  .rows = share.rows,
                                                                  .columns = share.columns,
                                                                  .elements = numbers,
                                                                  .element = element});
    if (tensor.elements > Count{0}) sink(tensor, [&](const Term& term) { return of_module(term, part, works_as); });
  });
}

/// Weights, gradients and what data parallelism keeps of modules that train whole beside adapters.
template <class Sink> void visit_copies(const Scenario& scenario, const Stage& stage, const memory::StatePlan& plan, Sink&& sink) {
  const memory::RegimeBytes bytes = copied_bytes(scenario);
  const StateProfile& states = scenario.profile.training.states;
  visit_copied(scenario, stage, [&](const ModelTensor& part, TensorKind works_as, Count numbers) {
    const memory::StateShare share = memory::state_share(scenario, works_as, numbers);
    const auto give = [&](Lifetime block, Part what, const Term& term) {
      if (term.amount != 0) sink(block, what, of_module(term, part, works_as));
    };
    const Lifetime made = works_as == TensorKind::head ? Lifetime::gradients_head : Lifetime::gradients_ends;
    give(plan.host_weights ? Lifetime::host : Lifetime::resident, Part::weights, tuning::copied_module(share.weights, scenario.tuning.adapters, bytes.weight));
    if (bytes.master > Bytes{0}) give(Lifetime::resident, Part::optimizer, tuning::adapter_master(share.states, bytes.master));
    give(states.preallocated_gradients ? Lifetime::resident : made, Part::gradients, tuning::adapter_gradients(share.gradients, bytes.gradient));
    if (plan.by_unit) give(Lifetime::gathered_root, Part::buffers, memory::gathered_frozen_root(numbers * bytes.weight));
    if (has_replicas(scenario.strategy)) give(Lifetime::resident, Part::buffers, tuning::adapter_buckets(numbers, states.gradient_copies, bytes.gradient));
  });
}

/// Autocast multiplies with a 16-bit copy of an fp32 head that trains beside adapters.
template <class Sink> void visit_copied_head_cast(const Scenario& scenario, const Stage& stage, Sink&& sink) {
  if (copied_bytes(scenario).weight != Bytes{4}) return;
  visit_copied(scenario, stage, [&](const ModelTensor&, TensorKind works_as, Count numbers) {
    if (works_as == TensorKind::head) sink(Lifetime::copies_head, Part::weights, memory::autocast_copies(parameters::kind_term(works_as, nullptr, numbers)));
  });
}

} // namespace plimsoll::moments
