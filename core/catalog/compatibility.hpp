#pragma once
// Which weight formats a program loads, and on which devices: "loads" in its profile, and core/catalog/data/limits.json for what no program runs.
//
//   "formats"  ids of core/catalog/data/weights ('*' stands for any ending); "of": all that are named after one engine
//   "also"     formats that are loaded and never proposed       "refuses"  whether a format beyond these is an error
//   "runs_on"  makers of devices, and GPU architectures of theirs that are too old
//   "limited"  formats that do not run on some architectures, for "models" of these model_types alone where it has them, and why

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

/// Whether that program runs on the device, and loads weights stored so there, of a model of that model_type; nothing where it does, or where nothing is known.
std::optional<Incompatible> incompatible(const Catalog& catalog, std::string_view profile, const DeviceRow& device, std::string_view weights, std::string_view model = {});

/// Whether an inference engine loads such weights on any device; true where nothing is known of the profile.
bool loads_weights(std::string_view profile, const WeightSchemeRow& row);

} // namespace plimsoll::io
