#pragma once

#include "plimsoll/catalog/catalog.hpp"
#include "text/json.hpp"

#include <vector>

namespace plimsoll::io {

/// A device from a row of the form of core/catalog/data/devices. Throws where a member that must be there is not, or is of another type:
/// device_file.cpp looks first.
DeviceRow device_of(const Json& row);

/// The devices that are compiled in.
std::vector<DeviceRow> built_in_devices();

} // namespace plimsoll::io
