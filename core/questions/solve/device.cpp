#include "questions/solve/candidates.hpp"

#include "method/sort_stably.hpp"

#include <algorithm>

namespace plimsoll::io {

std::vector<Candidate> devices_by_size(const Catalog& catalog) {
  std::vector<Candidate> devices;
  for (const DeviceRow& row : catalog.devices()) devices.push_back({row.hardware.id, row.hardware.usable_bytes});
  sort_stably(devices, {}, &Candidate::size);
  return devices;
}

} // namespace plimsoll::io
