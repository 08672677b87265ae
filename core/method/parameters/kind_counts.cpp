#include "method/parameters/kind_counts.hpp"

#include "plimsoll/method/sharding.hpp"

namespace plimsoll {

void count_kinds(const Model& model, const LayerGroup* only, const Strategy& strategy, KindCountSink sink, void* into) noexcept {
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
      sink(into, {kind, layers, count, numbers.value, tensors.value});
    }
  }
}

KindCounts::KindCounts(const Model& model, const Strategy& strategy) noexcept : strategy_(&strategy) {
  const auto keep = [](void* into, const KindCount& of) {
    auto& counts = *static_cast<KindCounts*>(into);
    if (counts.size_ == counts.counts_.size()) counts.strategy_ = nullptr; // nobody's: walks count as they go
    else counts.counts_[counts.size_++] = of;
  };
  count_kinds(model, nullptr, strategy, keep, this);
}

} // namespace plimsoll
