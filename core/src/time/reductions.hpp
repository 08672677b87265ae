#pragma once
// What a pass waits for besides its own reads and multiplications.

#include "plimsoll/formula.hpp"
#include "plimsoll/scenario.hpp"

namespace plimsoll::timing {

/// `passes` passes over that many layers.
Term launches(Count passes, Count layers, const Constant& each) noexcept;
/// Scheduling and sampling of the sequences of a step.
Term sequences_apart(Count sequences, const Constant& each) noexcept;
/// All-reduces of a tensor-parallel group in so many passes: before the first byte, and the bytes of `tokens` tokens in all. The bytes
/// take no time where nobody has published how fast they go.
Term reductions(const Scenario& scenario, const Constant& each, Count passes, Count layers) noexcept;
Term sent(const Scenario& scenario, Count layers, Count tokens) noexcept;

} // namespace plimsoll::timing
