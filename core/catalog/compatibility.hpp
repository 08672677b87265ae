#pragma once
// core/catalog/data/engines.json: which weight formats a program loads, and on which devices.

#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/catalog/weights.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace plimsoll::io {

/// Why a program does not run something, by the field that would have to change.
struct Incompatible {
  std::string field, message, remedy, citation;
};

/// Whether that program runs on the device, and loads weights stored so there; nothing where it does, or where nothing is known.
std::optional<Incompatible> incompatible(const Catalog& catalog, std::string_view profile, const DeviceRow& device, std::string_view weights);

/// Whether an inference engine loads such weights on any device; true where nothing is known of the profile.
bool loads_weights(std::string_view profile, const WeightSchemeRow& row);

} // namespace plimsoll::io
