#pragma once
// The arguments of verl and of OpenRLHF, which have no files that are exported.

#include "files/training/format.hpp"

namespace plimsoll::io::programs {

const configs::Format& verl() noexcept;     ///< reinforcement learning
const configs::Format& verl_sft() noexcept; ///< supervised tuning
const configs::Format& openrlhf() noexcept;

} // namespace plimsoll::io::programs
