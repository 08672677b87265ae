#pragma once

#include "plimsoll/questions/changes.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace plimsoll::io {

/// How many inputs a scenario that fits is asked about: how far those that people raise may rise, and GPUs fall.
inline constexpr std::size_t kLimits = 6;

/// One of them, below kLimits; nothing where that input means nothing here.
std::optional<InputLimit> limit_at(const Catalog& catalog, const Answer& answer, std::size_t index);

/// The nearest first.
void sort_limits(std::vector<InputLimit>& limits);

} // namespace plimsoll::io
