#include "broken.hpp"
#include "targets.hpp"

#include "plimsoll/catalog/weights.hpp"

namespace plimsoll::fuzz::targets {

std::string weights(std::string_view text) {
  return guarded([&]() -> std::string {
    static const io::WeightCatalog kWeights = io::WeightCatalog::load();
    const auto scheme = kWeights.find(text);
    if (!scheme) return "";
    if (scheme->formats.empty()) return "a scheme without formats";
    const auto again = kWeights.find(scheme->id);
    return again && again->id == scheme->id ? "" : "the scheme's own id, " + scheme->id + ", is not found";
  });
}

} // namespace plimsoll::fuzz::targets
