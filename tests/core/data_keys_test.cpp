// Every key of core/catalog/data is asked for by some reader: a misspelt one would silently be as if it were left out. Those of prices and
// devices, which people write too, are warned of where they stand.
//
// Hidden from an ordinary run, in which readers may have read before this case listens: ctest starts it by itself.
#include "json.hpp"

#include "catalog/abilities.hpp"
#include "catalog/defaults.hpp"
#include "catalog/flags.hpp"
#include "catalog/kernels.hpp"
#include "catalog/compatibility.hpp"
#include "embedded/citations.hpp"
#include "embedded/devices.hpp"
#include "embedded/kernels.hpp"
#include "embedded/prices.hpp"
#include "embedded/profiles.hpp"
#include "embedded/records.hpp"
#include "embedded/weights.hpp"
#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/catalog/device_file.hpp"
#include "plimsoll/catalog/prices.hpp"
#include "plimsoll/method/fields.hpp"
#include "text/compiled_value.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

using namespace plimsoll;
using io::Json;

namespace {

std::set<std::string, std::less<>>& asked() {
  static std::set<std::string, std::less<>> kAsked{"about", "basis", "citation", "date", "note", "source"}; // for people, and for conventions
  return kAsked;
}

void note(std::string_view key) {
  if (!asked().contains(key)) asked().emplace(key);
}

void check_written(std::string_view name, const Issues& issues) {
  for (const Issue& issue : issues) {
    INFO("core/catalog/data/" << name << ": " << issue.field << ": " << issue.message);
    CHECK(issue.message.empty());
  }
}

/// Every choice of implementation once, on every architecture.
void read_everything() {
  const io::Catalog catalog = io::Catalog::load();
  REQUIRE(catalog.citations().size() > 100);
  REQUIRE(!io::record_of(catalog.models().front()).config_source.empty());
  REQUIRE(!io::record_of(catalog.devices().front()).sources.empty());
  REQUIRE(io::kernel_table().rows.size() > 100);
  std::set<std::string> archs{""};
  for (const io::DeviceRow& device : catalog.devices()) archs.insert(device.hardware.arch);
  std::vector<Implementation> implementations(1);
  const auto add = [&](std::string_view field, auto&& set) {
    for (const Choice& choice : find_field(field)->choices) set(implementations.emplace_back(), choice.value);
  };
  add("norms", [](Implementation& one, std::int64_t value) { one.norms = static_cast<Fusion>(value); });
  add("mlp", [](Implementation& one, std::int64_t value) { one.mlp = static_cast<Fusion>(value); });
  add("experts_kernel", [](Implementation& one, std::int64_t value) { one.experts = static_cast<Fusion>(value); });
  add("loss", [](Implementation& one, std::int64_t value) { one.loss = static_cast<LossKernel>(value); });
  add("attention", [](Implementation& one, std::int64_t value) { one.attention = static_cast<AttentionKernel>(value); });
  implementations.emplace_back().deterministic = true;
  for (const io::WeightSchemeRow& row : catalog.weights().schemes()) REQUIRE(catalog.weights().find(row.id));
  for (const io::Catalog::ProfileRow& profile : catalog.profiles()) {
    io::abilities_of(profile.id);
    for (const Field& field : fields()) {
      io::default_of(io::defaults_of(profile.id), field.name, "", 1);
      for (const char* value : {"fp8", "q8_0", "8192"}) io::flag_of(profile.id, field.name, value, 1);
    }
    for (const io::WeightSchemeRow& row : catalog.weights().schemes()) io::loads_weights(profile.id, row);
    for (const std::string& arch : archs)
      for (const Implementation& one : implementations) (void)catalog.profile(profile.id, arch, one);
  }
}

/// A model's config is another program's file, in which that program's readers know the keys.
void collect_unread(const Json& value, const std::string& path, std::vector<std::string>& unread) {
  for (const auto& [key, member] : value.items()) {
    const std::string here = path + "." + key;
    if (!asked().contains(key)) unread.push_back(here);
    else if (key != "config") collect_unread(member, here, unread);
  }
  if (value.is_array())
    for (std::size_t i = 0; i < value.size(); ++i) collect_unread(value[i], path + "[" + std::to_string(i) + "]", unread);
}

} // namespace

TEST_CASE("every key of a preset is asked for by its reader", "[.][data_keys]") {
  io::json_key_asked = note;
  read_everything();
  io::json_key_asked = nullptr;
  REQUIRE(asked().size() > 200);
  std::vector<std::string> unread;
  const auto collect = [&](const auto& files) {
    for (const auto& file : files) {
      if constexpr (std::is_invocable_v<decltype(file.bytes)>) collect_unread(io::read_compiled(file.bytes()), std::string{file.name}, unread);
      else collect_unread(io::read_compiled(file.bytes), std::string{file.name}, unread);
    }
  };
  collect(data::profiles::files());
  collect(data::weights::files());
  collect(data::kernels::files());
  collect(data::records::files());
  collect(data::citations::files());
  std::string list;
  for (const std::string& path : unread) list += "\n  core/catalog/data/" + path;
  INFO("nobody reads" << list);
  CHECK(unread.empty());
}

TEST_CASE("every member of the devices and prices that are built in is one that people can write", "[data_keys]") {
  const io::Catalog catalog = io::Catalog::load();
  for (const data::devices::File& file : data::devices::files())
    check_written(file.name, io::read_devices(io::dump(test::parsed_file("core/catalog/data/" + std::string{file.name}))).issues);
  for (const data::prices::File& file : data::prices::files()) check_written(file.name, io::read_prices(catalog, file.bytes).issues);
}
