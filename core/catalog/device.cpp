#include "catalog/device.hpp"

#include "catalog/records.hpp"
#include "embedded/devices.hpp"
#include "text/compiled_value.hpp"

#include <string>
#include <string_view>

namespace plimsoll::io {

namespace {

/// Bytes per second of one PCIe lane in one direction, after line coding (PCI-SIG base specifications 3.0 to 6.0): 8, 16 and 32 GT/s
/// with 128 of 130 bits, 64 GT/s with 242 of 256 bytes.
std::int64_t pcie_lane(char generation) {
  switch (generation) {
    case '3': return 984'615'385;
    case '4': return 1'969'230'769;
    case '5': return 3'938'461'538;
    case '6': return 7'562'500'000;
    default: return 0;
  }
}

/// Of e.g. "4.0 x16"; of "5.0/6.0 x16" the first. 0 for devices that share their host's memory.
std::int64_t pcie_bytes(std::string_view text) {
  const std::size_t lanes = text.find(" x");
  if (text.empty() || lanes == std::string_view::npos) return 0;
  return pcie_lane(text.front()) * (text.substr(lanes + 2) == "8" ? 8 : 16);
}

Rates rates_of(const Json& row) {
  const Json none = Json::object();
  const auto part = [&](const char* key) -> const Json& { const auto at = row.find(key); return at == row.end() ? none : *at; };
  Rates rates;
  for (std::size_t i = 0; i < kArithmetics; ++i) {
    const std::string format{kArithmeticIds[i]};
    rates.flop[i] = part("peak_dense_flop_per_s").value(format, std::int64_t{0});
    rates.measured[i] = part("measured_matmul_flop_per_s").value(format, std::int64_t{0});
  }
  rates.narrow_sums = part("peak_dense_flop_per_s").value("fp16_acc16", std::int64_t{0});
  rates.memory = row.value("memory_bandwidth_bytes_per_s", std::int64_t{0});
  rates.link = part("interconnect").value("bytes_per_s_per_direction", std::int64_t{0});
  rates.host = pcie_bytes(part("interconnect").value("pcie", std::string{}));
  rates.watts = row.value("power_watts", std::int64_t{0});
  return rates;
}

DeviceRecord device_record(const Json& row) { return {row.value("notes", std::string{}), row.at("sources").get<std::vector<std::string>>(), row.value("evidence", std::string{})}; }

} // namespace

DeviceRow device_of(const Json& row) {
  DeviceRow device;
  device.hardware = {.id = row.at("id").text(),
                     .name = row.at("name").text(),
                     .arch = row.at("arch").text(),
                     .label_gb = row.value("memory_label_gb", std::int64_t{0}),
                     .nominal_bytes = row.value("memory_nominal_bytes", std::int64_t{0}),
                     .usable_bytes = row.at("memory_usable_bytes").get<std::int64_t>(),
                     .usable_each = {},
                     .usable_basis = row.at("memory_usable_basis").text(),
                     .rates = rates_of(row)};
  if (const auto links = row.find("interconnect"); links != row.end()) {
    device.hardware.gpus_per_node = links->value("domain_devices", device.hardware.gpus_per_node);
    device.hardware.linked = links->value("link_devices", std::int64_t{0});
    device.hardware.peers = links->value("peers", true);
  }
  device.aliases = row.value("aliases", std::vector<std::string>{});
  device.vendor = row.at("vendor").text();
  device.kind = row.at("class").text();
  device.release_year = row.value("release_year", std::int64_t{0});
  device.date = row.at("date").text();
  if (row.contains("sources")) device.own = device_record(row);
  return device;
}

std::vector<DeviceRow> built_in_devices() {
  std::vector<DeviceRow> devices;
  for (const data::devices::File& file : data::devices::files())
    for (const Json& row : read_compiled(file.bytes)) devices.push_back(device_of(row));
  return devices;
}

const DeviceRecord& record_of(const DeviceRow& row) {
  static const auto all = read_records("devices/", device_record);
  return row.own ? *row.own : all.at(row.hardware.id);
}

} // namespace plimsoll::io
