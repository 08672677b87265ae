#pragma once

#include "io/json.hpp"
#include "plimsoll/io/catalog.hpp"

namespace plimsoll::io {

/// A device from a row of the form of core/data/devices. Throws where a member that must be there is not, or is of another type:
/// device_file.cpp looks first.
DeviceRow device_of(const Json& row);

} // namespace plimsoll::io
