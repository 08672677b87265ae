#pragma once
// core/catalog/data/efficiency/inference.json: what engines reach of a device's rates.

#include "plimsoll/method/profile.hpp"

#include <string_view>
#include <vector>

namespace plimsoll::io {

/// Entries of an engine of the file for a GPU architecture, in the order in which classes of devices are tried; none for an unknown one.
std::vector<Efficiency> efficiencies(std::string_view engine, std::string_view arch);
/// Those of the engine that a profile describes.
std::vector<Efficiency> efficiencies_of_profile(std::string_view profile, std::string_view arch);

} // namespace plimsoll::io
