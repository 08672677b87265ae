#pragma once
// MaxText's other keys.

#include "files/training/format.hpp"

#include <span>
#include <string_view>

namespace plimsoll::io::configs {

/// Without effect on the memory and the time of a step; names as in Format::harmless.
std::string_view maxtext_harmless() noexcept;
std::span<const Effect> maxtext_effects() noexcept;

} // namespace plimsoll::io::configs
