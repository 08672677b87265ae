#pragma once
// What one layer exchanges with the other GPUs of its groups while it runs.

#include "plimsoll/method/formula.hpp"
#include "plimsoll/method/scenario.hpp"

namespace plimsoll::memory {

/// Sequence parallelism: the input of a column-parallel map, gathered from all parts.
Term gathered_sequence(const Scenario& scenario) noexcept;
/// Context parallelism: the keys and values, or the heads, of other parts of the sequence.
Term exchanged_context(const Scenario& scenario, const LayerGroup& group) noexcept;
/// Expert parallelism: tokens on their way to the experts and back.
Term dispatched_tokens(const Scenario& scenario, const LayerGroup& group) noexcept;

} // namespace plimsoll::memory
