#pragma once
// Exact parameter counts from tensor shapes.

#include "plimsoll/formula.hpp"
#include "plimsoll/model.hpp"
#include "plimsoll/strategy.hpp"

namespace plimsoll {

/// All parameters of `model`, tied matrices counted once. Llama-3-8B: 8,030,261,248.
Count count_parameters(const Model& model) noexcept;

/// The parameters that one GPU holds under `strategy`.
Count count_parameters_per_gpu(const Model& model, const Strategy& strategy) noexcept;

} // namespace plimsoll
