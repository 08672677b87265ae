#pragma once
// Which of an engine's entries speaks of a device.

#include "plimsoll/method/hardware.hpp"
#include "plimsoll/method/profile.hpp"

#include <algorithm>

namespace plimsoll::timing {

/// The first entry whose class has the device; null where nobody has said how fast the engine is on it.
inline const Efficiency* efficiency_of(const InferenceProfile& engine, const Hardware& hardware) noexcept {
  const auto has = [&](const Efficiency& entry) {
    const bool named = entry.devices.empty() || std::ranges::find(entry.devices, hardware.id) != entry.devices.end();
    return named && hardware.rates.memory >= entry.least_memory_rate;
  };
  const auto found = std::ranges::find_if(engine.efficiencies, has);
  return found == engine.efficiencies.end() ? nullptr : &*found;
}

} // namespace plimsoll::timing
