#pragma once
// The terms of modules that train whole beside adapters, as copies of the frozen ones: core/method/tuning/copied.hpp. Few scenarios have any,
// so that the code stands once, behind a pointer to the sink.

#include "method/memory/states.hpp"
#include "method/moments/lifetimes.hpp"
#include "method/moments/visit_optimizer.hpp"
#include "plimsoll/method/estimate.hpp"
#include "plimsoll/method/pipeline.hpp"
#include "plimsoll/method/scenario.hpp"

#include <type_traits>

namespace plimsoll::moments {

using CopiedTerms = void (*)(void* into, Lifetime block, Part part, const Term& term);
using CopiedTensors = void (*)(void* into, const memory::SteppedTensor& tensor, const NamedTerm& named);
void visit_copies(const Scenario& scenario, const Stage& stage, const memory::StatePlan& plan, CopiedTerms sink, void* into);
void visit_copied_head_cast(const Scenario& scenario, const Stage& stage, CopiedTerms sink, void* into);
void visit_stepped_copies(const Scenario& scenario, const Stage& stage, CopiedTensors sink, void* into);

template <class Sink> void put_copied(void* into, Lifetime block, Part part, const Term& term) { (*static_cast<Sink*>(into))(block, part, term); }

/// Weights, gradients and what data parallelism keeps.
template <class Sink> void visit_copies(const Scenario& scenario, const Stage& stage, const memory::StatePlan& plan, Sink&& sink) {
  if (copied_modules(scenario.tuning) != 0) visit_copies(scenario, stage, plan, put_copied<std::remove_reference_t<Sink>>, untyped(sink));
}

/// Autocast multiplies with a 16-bit copy of an fp32 head that trains beside adapters.
template <class Sink> void visit_copied_head_cast(const Scenario& scenario, const Stage& stage, Sink&& sink) {
  if ((copied_modules(scenario.tuning) & kTargetHead) != 0) visit_copied_head_cast(scenario, stage, put_copied<std::remove_reference_t<Sink>>, untyped(sink));
}

/// sink(const SteppedTensor&, named) for what of the copies this GPU steps.
template <class Sink> void visit_stepped_copies(const Scenario& scenario, const Stage& stage, Sink&& sink) {
  using Each = std::remove_reference_t<Sink>;
  const auto put = [](void* into, const memory::SteppedTensor& tensor, const NamedTerm& named) { (*static_cast<Each*>(into))(tensor, named); };
  if (copied_modules(scenario.tuning) != 0) visit_stepped_copies(scenario, stage, put, untyped(sink));
}

} // namespace plimsoll::moments
