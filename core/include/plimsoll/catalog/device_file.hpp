#pragma once
// Devices from a text of the user's own, in the form of core/catalog/data/devices: docs/prices.md describes it.

#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/method/issue.hpp"

#include <string_view>
#include <vector>

namespace plimsoll::io {

struct ReadDevices {
  std::vector<DeviceRow> rows; ///< those without errors, in the order of the text
  Issues issues;               ///< fields are "devices[0].memory_usable_bytes"
};

/// Reads {"devices": [...]} or a list of devices. Each needs id, name, arch and memory_usable_bytes, sources and a date; other members
/// may be left out, and what they say is then not known. Put them into a catalogue with Catalog::put_devices(). Never throws.
ReadDevices read_devices(std::string_view json);

/// The catalogue with the devices of that text; what is wrong with it goes to `issues`.
Catalog catalog_with(Catalog catalog, std::string_view devices, Issues& issues);

} // namespace plimsoll::io
