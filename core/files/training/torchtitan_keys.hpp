#pragma once
// torchtitan's other keys.

#include "files/training/format.hpp"

#include <span>
#include <string_view>

namespace plimsoll::io::configs {

std::string_view torchtitan_harmless() noexcept;
std::span<const Effect> torchtitan_effects() noexcept;

} // namespace plimsoll::io::configs
