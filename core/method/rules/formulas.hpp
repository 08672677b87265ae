#pragma once
// Each rule as its authors state it. None of these numbers goes into an estimate.

#include "plimsoll/method/formula.hpp"
#include "plimsoll/method/scenario.hpp"

namespace plimsoll::rules {

/// parameters × bits / 8; bits are those of the format that most weights have, as people call it.
Term weights(const Scenario& scenario) noexcept;
/// The same and a fifth more for everything else.
Term serving(const Scenario& scenario) noexcept;
/// Keys and values as wide as the hidden state, two bytes each.
Term kv_cache(const Scenario& scenario) noexcept;

Term eight_bytes(const Scenario& scenario) noexcept;
Term sixteen_bytes(const Scenario& scenario) noexcept;
Term eighteen_bytes(const Scenario& scenario) noexcept;
Term twenty_four_bytes(const Scenario& scenario) noexcept;
/// What ZeRO's figure 1 says of the scenario's stage of sharding and its data-parallel GPUs.
Term zero(const Scenario& scenario) noexcept;
Term activations(const Scenario& scenario) noexcept;

} // namespace plimsoll::rules
