#include "method/parameters/kind_counts.hpp"

#include "plimsoll/method/sharding.hpp"

namespace plimsoll {

namespace {

/// sink(KindCount) for every kind in every group, or in one.
template <class Sink> void each_kind(const Model& model, const LayerGroup* only, const Strategy& strategy, Sink&& sink) {
  const bool whole = holds_whole_tensors(strategy);
  const ModelTensor* const end = model.tensors.data() + model.tensors.size();
  for (const ModelTensor* at = model.tensors.data(); at != end;) {
    const std::size_t group = at->group;
    const LayerGroup* const layers = model.group_of(*at);
    const std::int64_t count = at->layers.value; // of all tensors that stand together
    if (only != nullptr && layers != only) {
      ++at;
      continue;
    }
    while (at != end && at->group == group) {
      const TensorKind kind = at->tensor.kind;
      Count numbers, tensors;
      for (; at != end && at->group == group && at->tensor.kind == kind; ++at) {
        const Tensor& tensor = at->tensor;
        const HeldTensor held = whole ? HeldTensor{tensor.copies, elements(tensor)} : held_per_gpu(tensor, strategy);
        numbers += held.numbers;
        tensors += held.copies;
      }
      sink(KindCount{kind, layers, count, numbers.value, tensors.value});
    }
  }
}

} // namespace

void count_kinds(const Model& model, const LayerGroup* only, const Strategy& strategy, KindCountSink sink, void* into) noexcept {
  each_kind(model, only, strategy, [&](const KindCount& of) { sink(into, of); });
}

KindCounts::KindCounts(const Model& model, const Strategy& strategy) noexcept : strategy_(&strategy) {
  each_kind(model, nullptr, strategy, [&](const KindCount& of) {
    if (size_ == counts_.size()) strategy_ = nullptr; // nobody's: walks count as they go
    else counts_[size_++] = of;
  });
}

} // namespace plimsoll
