#pragma once
// The terms of a scenario cut into tensors: an allocator needs sizes, not sums.

#include "method/moments/lifetimes.hpp"
#include "plimsoll/method/estimate.hpp"
#include "plimsoll/method/formula.hpp"
#include "plimsoll/method/pipeline.hpp"
#include "plimsoll/method/scenario.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace plimsoll::footprint_detail {

/// The tensors of one block, by place: 0 is outside layers, then layer by layer in the order of the groups.
struct LifetimeTensors {
  std::vector<Bytes> bytes;
  std::vector<std::uint16_t> names; ///< of each of `bytes`, in TensorSizes::names; empty unless they were asked for
  std::vector<std::size_t> first; ///< of each place in `bytes`, and the end of the last one
  bool by_tokens = false; ///< activations and losses: a shorter batch has less of them
};

struct TensorSizes {
  std::array<LifetimeTensors, moments::kLifetimes> blocks;
  std::size_t places = 1;
  std::size_t remaining = 0; ///< the layer that goes backward last, as the moments have it; 0 without layers
  std::vector<std::string> names; ///< as people read them: category, then what it is
  Bytes process; ///< what stands outside the allocator: driver context, communicators, memory that the driver pages
};

/// Their sums are exactly the terms'. Weights and what follows them are cut as the model's tensors are, activations into as many
/// pieces as hidden states fill them; beyond some 10,000 pieces, what comes from one term in one layer stays in one.
TensorSizes tensor_sizes_of(const Scenario& scenario, const Stage& stage, bool named = false);

} // namespace plimsoll::footprint_detail
