#include "catalog/efficiency.hpp"

#include "catalog/constant.hpp"
#include "catalog/profile_data.hpp"
#include "text/json.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace plimsoll::io {

namespace {

/// Never more than the device has.
Constant share_of(const Json& entry, const char* key) {
  Constant share = read_constant(entry.at(key));
  constexpr std::int64_t kWhole = 1000;
  if (share.low <= 0 || share.high > kWhole || share.value < share.low || share.value > share.high) throw std::runtime_error(std::string{"efficiency: "} + key);
  return share;
}

Arithmetic arithmetic_of(const std::string& id) {
  const auto found = std::ranges::find(kArithmeticIds, id);
  if (found == kArithmeticIds.end()) throw std::runtime_error("efficiency: there is no format " + id);
  return static_cast<Arithmetic>(found - kArithmeticIds.begin());
}

Efficiency efficiency_of(const Json& device_class, const Json& entry) {
  Efficiency efficiency{.device_class = device_class.at("id").text(),
                        .devices = device_class.value("devices", std::vector<std::string>{}),
                        .least_memory_rate = device_class.value("least_memory_rate", std::int64_t{0}),
                        .plain_share = share_of(entry, "plain_share"),
                        .quantised_share = share_of(entry, "quantised_share"),
                        .cache_share = share_of(entry, "cache_share"),
                        .layer_ns = read_constant(entry.at("layer_ns")),
                        .sequence_ns = read_constant(entry.at("sequence_ns")),
                        .reduction_ns = read_constant(entry.at("reduction_ns")),
                        .link_share = share_of(entry, "link_share"),
                        .compute_share = share_of(entry, "compute_share"),
                        .host_rate = read_constant(entry.at("host_rate")),
                        .packed_in_int8 = entry.value("packed_in_int8", false),
                        .multiplies = {}};
  if (const auto formats = entry.find("multiplies"); formats != entry.end())
    for (const Json& pair : *formats) efficiency.multiplies.emplace_back(pair.at(0).text(), arithmetic_of(pair.at(1).text()));
  return efficiency;
}

} // namespace

std::vector<Efficiency> efficiencies(std::string_view engine, std::string_view arch) {
  const Json& data = profile_data("efficiency/inference.json");
  std::vector<Efficiency> entries;
  const auto found = data.at("engines").find(std::string{engine});
  if (found == data.at("engines").end()) return entries;
  for (const Json& device_class : data.at("classes")) {
    const auto archs = device_class.find("archs");
    if (archs != device_class.end() && std::ranges::find(*archs, Json(arch)) == archs->end()) continue;
    auto own = found->find(device_class.at("id").get<std::string>());
    if (own == found->end()) own = found->find("any");
    if (own == found->end()) continue;
    Json entry = found->at("common");
    entry.update(*own);
    entries.push_back(efficiency_of(device_class, entry));
  }
  return entries;
}

std::vector<Efficiency> efficiencies_of_profile(std::string_view profile, std::string_view arch) {
  const Json& profiles = profile_data("efficiency/inference.json").at("profiles");
  const auto engine = profiles.find(std::string{profile});
  return engine == profiles.end() ? std::vector<Efficiency>{} : efficiencies(engine->get<std::string>(), arch);
}

} // namespace plimsoll::io
