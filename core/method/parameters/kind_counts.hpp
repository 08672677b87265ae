#pragma once
// How many numbers each kind of tensor has on one GPU, layer by layer: what bytes-per-parameter formulas multiply.

#include "plimsoll/method/model.hpp"
#include "plimsoll/method/strategy.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace plimsoll {

/// Tensors of one kind that stand together in a model.
struct KindCount {
  TensorKind kind;
  const LayerGroup* group; ///< whose layers have them; null for what stands outside layers
  std::int64_t layers;     ///< of the model
  std::int64_t numbers;    ///< in one of them, on one GPU
  std::int64_t tensors;    ///< likewise
};

using KindCountSink = void (*)(void* into, const KindCount& of);

/// Every kind in every group, in the order of a forward pass; or, with a group, in that one.
void count_kinds(const Model& model, const LayerGroup* group, const Strategy& strategy, KindCountSink sink, void* into) noexcept;

/// The same, kept: all ranks of a pipeline have the same counts, and so have all walks of one strategy's terms.
class KindCounts {
public:
  /// `model` and `strategy` must outlive it.
  KindCounts(const Model& model, const Strategy& strategy) noexcept;

  /// Whether these are the counts of that strategy: not of a model with more kinds than there is room for.
  bool are_of(const Strategy& strategy) const noexcept { return strategy_ == &strategy; }
  const KindCount* begin() const noexcept { return counts_.data(); }
  const KindCount* end() const noexcept { return counts_.data() + size_; }

private:
  const Strategy* strategy_;
  std::size_t size_ = 0;
  std::array<KindCount, 96> counts_;
};

} // namespace plimsoll
