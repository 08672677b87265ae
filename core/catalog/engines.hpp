#pragma once
// core/catalog/data/engines.json: which weight formats an inference engine loads.

#include "plimsoll/catalog/weights.hpp"

#include <string_view>

namespace plimsoll::io {

/// Whether an inference engine loads such weights; true where nothing is known of the profile.
bool loads_weights(std::string_view profile, const WeightSchemeRow& row);

} // namespace plimsoll::io
