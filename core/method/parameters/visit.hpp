#pragma once
// Walks the parameters of a model on one GPU, by kind and layer group: what bytes-per-parameter formulas multiply.

#include "method/parameters/kinds.hpp"
#include "method/term.hpp"
#include "plimsoll/method/sharding.hpp"

namespace plimsoll::parameters {

/// Layers of one group whose parameters count, and those of them whose routed experts do, and whose MLPs.
struct CountedLayers {
  Count all, with_experts, with_mlps;

  Count of(TensorKind kind) const noexcept { return is_routed(kind) ? with_experts : kind == TensorKind::mlp ? with_mlps : all; }
};

/// sink(TensorKind, const Term&): the parameters of each kind in so many layers of one group (or outside layers, with a null
/// group and Count{1}). `first` to `last` are that group's tensors, `elements` what each has on one GPU, or null.
template <class Sink>
void visit_run(const ModelTensor* first, const ModelTensor* last, const LayerGroup* group, CountedLayers layers, const Strategy& strategy,
               const Count* elements, Sink&& sink) {
  while (first != last) {
    const TensorKind kind = first->tensor.kind;
    Count one_layer;
    for (; first != last && first->tensor.kind == kind; ++first) one_layer += elements != nullptr ? *elements++ : elements_per_gpu(first->tensor, strategy);
    sink(kind, kind_term(kind, group, layers.of(kind) * one_layer));
  }
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

/// sink(TensorKind, const Term&) for `layers` layers of one group; `elements` are Stage::elements().
template <class Sink>
void visit_layers(const Model& model, const LayerGroup& group, Count layers, const Strategy& strategy, const Count* elements, Sink&& sink) {
  const Run run = run_of(model, static_cast<std::size_t>(&group - model.groups.data()));
  visit_run(run.first, run.last, &group, {layers, layers, layers}, strategy, elements == nullptr ? nullptr : elements + (run.first - model.tensors.data()), sink);
}
template <class Sink>
void visit_layers(const Model& model, const LayerGroup& group, Count layers, const Strategy& strategy, Sink&& sink) {
  visit_layers(model, group, layers, strategy, nullptr, sink);
}

/// sink(TensorKind, const Term&) for every kind in every group that one stage holds, in the order of a forward pass.
template <class Sink> void visit(const Model& model, const Strategy& strategy, const Stage& stage, Sink&& sink) {
  const ModelTensor* const end = model.tensors.data() + model.tensors.size();
  for (const ModelTensor* at = model.tensors.data(); at != end;) {
    const ModelTensor* const first = at;
    while (at != end && at->group == first->group) ++at;
    const LayerGroup* const group = model.group_of(*first);
    const Count* const elements = stage.elements() == nullptr ? nullptr : stage.elements() + (first - model.tensors.data());
    if (group != nullptr) visit_run(first, at, group, {stage.held(*group), stage.held(*group, TensorKind::experts), stage.held(*group, TensorKind::mlp)}, strategy, elements, sink);
    else visit_run(first, at, group, {first->layers, first->layers, first->layers}, strategy, elements, [&](TensorKind kind, const Term& term) {
      if (holds(stage, kind, model.tied_embeddings)) sink(kind, term);
    });
  }
}

} // namespace plimsoll::parameters
