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

/// `run` is one of the model's.
KindCount count_of(const Model& model, const TensorRun& run, const Strategy& strategy) noexcept;

/// The counts of all of a model's runs, kept: all ranks of a pipeline have the same ones, and so have all walks of one strategy's terms.
class KindCounts {
public:
  /// `model` and `strategy` must outlive it.
  KindCounts(const Model& model, const Strategy& strategy) noexcept;

  /// Whether these are the counts of that strategy: not of a model with more runs than there is room for.
  bool are_of(const Strategy& strategy) const noexcept { return strategy_ == &strategy; }
  /// Of the run at that index.
  const KindCount& operator[](std::size_t run) const noexcept { return counts_[run]; }

private:
  const Strategy* strategy_;
  std::array<KindCount, 96> counts_;
};

} // namespace plimsoll
