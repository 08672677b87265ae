#include "method/moments/visit_copied.hpp"

#include "method/memory/buffers/buffers.hpp"
#include "method/moments/tuned_bytes.hpp"
#include "method/moments/visit_optimizer.hpp"
#include "method/parameters/visit.hpp"
#include "method/tuning/copied.hpp"

namespace plimsoll::moments {

namespace {

/// A module that is copied, as what the copy works; puts that on a term.
struct CopiedModule {
  const ModelTensor& part;
  TensorKind works_as;

  Term operator()(Term term) const noexcept {
    term.of = &parameters::formula_of(works_as);
    term.tensor = &part.tensor;
    return term;
  }
};

/// sink(const CopiedModule&, Count): what of its copy this GPU holds.
template <class Sink> void visit_held(const Scenario& scenario, const Stage& stage, Sink&& sink) {
  tuning::visit_copied(scenario.model, scenario.tuning, [&](const ModelTensor& part, TensorKind works_as) {
    if (works_as == TensorKind::embedding ? stage.embeds() : stage.has_head()) sink(CopiedModule{part, works_as}, part.layers * elements_per_gpu(part.tensor, scenario.strategy));
  });
}

} // namespace

void visit_copies(const Scenario& scenario, const Stage& stage, const memory::StatePlan& plan, CopiedTerms sink, void* into) {
  const memory::RegimeBytes bytes = copied_bytes(scenario);
  const StateProfile& states = scenario.profile.training.states;
  visit_held(scenario, stage, [&](const CopiedModule& module, Count numbers) {
    const memory::StateShare share = memory::state_share(scenario, module.works_as, numbers);
    const auto give = [&](Lifetime block, Part part, const Term& term) {
      if (term.amount != 0) sink(into, block, part, module(term));
    };
    const Lifetime made = module.works_as == TensorKind::head ? Lifetime::gradients_head : Lifetime::gradients_ends;
    give(plan.host_weights ? Lifetime::host : Lifetime::resident, Part::weights, tuning::copied_module(share.weights, scenario.tuning.adapters, bytes.weight));
    if (bytes.master > Bytes{0}) give(Lifetime::resident, Part::optimizer, tuning::adapter_master(share.states, bytes.master));
    give(states.preallocated_gradients ? Lifetime::resident : made, Part::gradients, tuning::adapter_gradients(share.gradients, bytes.gradient));
    if (plan.by_unit) give(Lifetime::gathered_root, Part::buffers, memory::gathered_frozen_root(numbers * bytes.weight));
    if (has_replicas(scenario.strategy)) give(Lifetime::resident, Part::buffers, tuning::adapter_buckets(numbers, states.gradient_copies, bytes.gradient));
  });
}

void visit_copied_head_cast(const Scenario& scenario, const Stage& stage, CopiedTerms sink, void* into) {
  if (copied_bytes(scenario).weight != Bytes{4}) return;
  visit_held(scenario, stage, [&](const CopiedModule& module, Count numbers) {
    if (module.works_as == TensorKind::head) sink(into, Lifetime::copies_head, Part::weights, memory::autocast_copies(parameters::kind_term(module.works_as, nullptr, numbers), numbers, memory::kAutocastCopy));
  });
}

void visit_stepped_copies(const Scenario& scenario, const Stage& stage, CopiedTensors sink, void* into) {
  const Bytes element = copied_bytes(scenario).state;
  visit_held(scenario, stage, [&](const CopiedModule& module, Count numbers) {
    const Tensor& tensor = module.part.tensor;
    const TensorShare share = tensor_share(tensor, scenario.strategy);
    const memory::SteppedTensor stepped = stepped_share(scenario, {.kind = module.works_as,
                                                                   .matrix = tensor.matrix,
                                                                   .tensors = module.part.layers * copies_per_gpu(tensor, scenario.strategy),
                                                                   .rows = share.rows,
                                                                   .columns = share.columns,
                                                                   .elements = numbers,
                                                                   .element = element});
    if (stepped.elements > Count{0}) sink(into, stepped, {.of = &parameters::formula_of(module.works_as), .tensor = &tensor});
  });
}

} // namespace plimsoll::moments
