#include "method/parameters/kind_counts.hpp"

#include "plimsoll/method/sharding.hpp"

#include <span>

namespace plimsoll {

KindCount count_of(const Model& model, const TensorRun& run, const Strategy& strategy) noexcept {
  const HeldTensor held = held_per_gpu(model.tensors, run, strategy);
  const LayerGroup* const group = run.group == ModelTensor::kNoGroup ? nullptr : &model.groups[run.group];
  return {run.kind, group, run.layers.value, held.numbers.value, held.copies.value};
}

KindCounts::KindCounts(const Model& model, const Strategy& strategy) noexcept : strategy_(nullptr) {
  const std::span<const TensorRun> runs = model.tensors.runs();
  if (runs.size() > counts_.size()) return; // nobody's: walks count as they go
  for (std::size_t i = 0; i < runs.size(); ++i) counts_[i] = count_of(model, runs[i], strategy);
  strategy_ = &strategy;
}

} // namespace plimsoll
