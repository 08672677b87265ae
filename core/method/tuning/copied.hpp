#pragma once
// Whole modules that train beside adapters. PEFT trains a copy and keeps what it copied, frozen: huggingface/peft, src/peft/utils/other.py,
// ModulesToSaveWrapper.update (modules_to_save). A head that shares its table with the embedding gets a copy of its own.

#include "method/tuning/sites.hpp"
#include "plimsoll/method/model.hpp"
#include "plimsoll/method/tuning.hpp"

namespace plimsoll::tuning {

/// sink(const ModelTensor&, TensorKind) for each tensor that is copied, and as what its copy works.
template <class Sink> void visit_copied(const Model& model, const Tuning& tuning, Sink&& sink) {
  const std::uint32_t copied = copied_modules(tuning);
  for (const ModelTensor& part : model.tensors) {
    const bool table = (targets_of(part.tensor) & kTargetEmbedding) != 0;
    if (table && (copied & kTargetEmbedding) != 0) sink(part, TensorKind::embedding);
    const bool works_as_head = part.tensor.kind == TensorKind::head || (table && model.tied_embeddings && model.has_head);
    if (works_as_head && (copied & kTargetHead) != 0) sink(part, TensorKind::head);
  }
}

} // namespace plimsoll::tuning
