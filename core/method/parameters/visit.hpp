#pragma once
// Walks the parameters of a model on one GPU, by kind and layer group.

#include "method/parameters/kind_counts.hpp"
#include "method/parameters/kinds.hpp"
#include "plimsoll/method/sharding.hpp"

#include <cstddef>
#include <span>

namespace plimsoll::parameters {

/// sink(const KindCount&) for every kind in every group of the model, in the order of a forward pass; or, with a group, in that one.
template <class Sink> void each_kind(const Model& model, const LayerGroup* group, const Strategy& strategy, const Stage& stage, Sink&& sink) {
  const KindCounts* const shared = stage.shared().kinds;
  const KindCounts* const counts = shared != nullptr && shared->are_of(strategy) ? shared : nullptr;
  const std::span<const TensorRun> runs = model.tensors.runs();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const KindCount of = counts != nullptr ? (*counts)[i] : count_of(model, runs[i], strategy);
    if (group == nullptr || of.group == group) sink(of);
  }
}

/// sink(const KindCount&, Count): the same, and in how many layers the stage holds it, where it holds any such tensor.
template <class Sink> void each_in_stage(const Model& model, const Strategy& strategy, const Stage& stage, Sink&& sink) {
  each_kind(model, nullptr, strategy, stage, [&](const KindCount& of) {
    if (of.group == nullptr && !holds(stage, of.kind, model.tied_embeddings)) return;
    sink(of, of.group == nullptr ? Count{of.layers} : stage.held(*of.group, of.kind));
  });
}

/// sink(const KindCount&, Count): the same, and how many numbers those are.
template <class Sink> void each_held(const Model& model, const Strategy& strategy, const Stage& stage, Sink&& sink) {
  each_in_stage(model, strategy, stage, [&](const KindCount& of, Count layers) { sink(of, layers * Count{of.numbers}); });
}

/// sink(const KindCount&, Count): the numbers in `layers` layers of one group.
template <class Sink>
void each_in_layers(const Model& model, const LayerGroup& group, Count layers, const Strategy& strategy, const Stage& stage, Sink&& sink) {
  each_kind(model, &group, strategy, stage, [&](const KindCount& of) { sink(of, layers * Count{of.numbers}); });
}

/// The tensors of one group, which stand together.
struct Run {
  const ModelTensor* first = nullptr;
  const ModelTensor* last = nullptr;
};
inline Run run_of(const Model& model, std::size_t group) noexcept {
  const ModelTensor* const end = model.tensors.data() + model.tensors.size();
  Run run{model.tensors.data(), end};
  while (run.first != end && run.first->group != group) ++run.first;
  run.last = run.first;
  while (run.last != end && run.last->group == group) ++run.last;
  return run;
}

/// sink(TensorKind, const Term&) for every kind in every group that one stage holds, in the order of a forward pass.
template <class Sink> void visit(const Model& model, const Strategy& strategy, const Stage& stage, Sink&& sink) {
  each_held(model, strategy, stage, [&](const KindCount& of, Count numbers) { sink(of.kind, kind_term(of.kind, of.group, numbers)); });
}

} // namespace plimsoll::parameters
