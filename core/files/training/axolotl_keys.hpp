#pragma once
// Axolotl's other keys.

#include "files/training/format.hpp"

#include <span>
#include <string_view>

namespace plimsoll::io::configs {

std::string_view axolotl_harmless() noexcept;
std::span<const Effect> axolotl_effects() noexcept;

} // namespace plimsoll::io::configs
