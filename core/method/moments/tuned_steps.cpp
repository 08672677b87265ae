#include "method/moments/visit_tuning.hpp"

namespace plimsoll::moments {

bool trains_itself(const Scenario& scenario, const Stage& stage, TensorKind kind) noexcept {
  const Trains own = plimsoll::trains(scenario.workload.task, scenario.tuning);
  const bool is_head = kind == (scenario.model.tied_embeddings ? TensorKind::embedding : TensorKind::head);
  const bool outside = kind == TensorKind::embedding || kind == TensorKind::positions || kind == TensorKind::final_norm || kind == TensorKind::head || kind == TensorKind::pooler;
  return (own.matrices && in_language_model(kind) && !outside) || (own.norms && kind == TensorKind::norms) || (own.final_norm && kind == TensorKind::final_norm) || (own.head && is_head && stage.has_head());
}

SteppedCounts stepped_counts(const Scenario& scenario, const Stage& stage) {
  SteppedCounts counts;
  visit_tuned_tensors(scenario, stage, true, false, [&](const memory::SteppedTensor& tensor, const NamedTerm&) { counts.tensors += tensor.tensors; });
  visit_stepped_copies(scenario, stage, [&](const memory::SteppedTensor& tensor, const NamedTerm&) {
    counts.copied_tensors += tensor.tensors;
    counts.copied += tensor.elements;
  });
  return counts;
}

} // namespace plimsoll::moments
