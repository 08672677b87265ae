// Files of the user's own: docs/prices.md, and results that were exported.
#include "broken.hpp"
#include "catalogue.hpp"
#include "targets.hpp"

#include "plimsoll/catalog/device_file.hpp"
#include "plimsoll/catalog/given_file.hpp"
#include "text/json.hpp"

namespace plimsoll::fuzz::targets {

std::string prices(std::string_view text) {
  return guarded([&]() -> std::string {
    const io::ReadPrices read = io::read_prices(catalog(), text);
    for (const io::PriceRow& row : read.rows) {
      if (row.hourly <= Money{0} || row.gpus < Count{1}) return "a price of nothing";
      if (catalog().find_device(row.gpu) == nullptr) return "a price of no device: " + row.gpu;
      if (!io::days_between(row.date, row.date)) return "a price of no date: " + row.date;
    }
    return broken_issues(read.issues);
  });
}

std::string devices(std::string_view text) {
  return guarded([&]() -> std::string {
    const io::ReadDevices read = io::read_devices(text);
    for (const io::DeviceRow& row : read.rows) {
      const Hardware& hardware = row.hardware;
      if (hardware.id.empty() || hardware.usable_bytes <= 0 || hardware.rates.memory < 0 || hardware.rates.link < 0 || hardware.gpus_per_node < 0) return "a device of nothing: " + hardware.id;
    }
    return broken_issues(read.issues);
  });
}

std::string given_file(std::string_view text) {
  return guarded([&]() -> std::string {
    const io::GivenFile file = io::read_given_file(catalog(), text);
    if (file.ok() && file.kind != io::GivenKind::result && file.prices.empty() && file.devices.empty()) return "ok, and nothing was given";
    if (once_in(64, text) && !io::parse_json(io::given_file_json(catalog(), text, "")).ok) return "given_file_json did not return JSON";
    return broken_issues(file.issues);
  });
}

} // namespace plimsoll::fuzz::targets
