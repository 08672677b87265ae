#include "plimsoll/catalog/device_file.hpp"

#include "catalog/device.hpp"
#include "text/json.hpp"
#include "text/unknown_members.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace plimsoll::io {

namespace {

enum class Type : unsigned char { text, amount, texts, amounts, link };

struct Member {
  const char* key;
  Type type;
  bool needed;
  const char* remedy;
};
constexpr Member kMembers[] = {
    {"id", Type::text, true, "Write a short name, such as h100-80-sxm."},
    {"name", Type::text, true, "Write the name as people know it."},
    {"arch", Type::text, true, "Write the architecture, such as Hopper."},
    {"memory_usable_bytes", Type::amount, true, "Write the bytes that a process can allocate, as torch.cuda.mem_get_info reports them."},
    {"memory_usable_basis", Type::text, true, "Write how memory_usable_bytes is known."},
    {"vendor", Type::text, true, "Write the maker."},
    {"class", Type::text, true, "Write consumer, workstation or datacenter."},
    {"date", Type::text, true, "Write when the figures were read, as YYYY-MM."},
    {"sources", Type::texts, true, "Write a list of the places where the figures were read."},
    {"aliases", Type::texts, false, "Write a list of other names."},
    {"notes", Type::text, false, "Write a sentence."},
    {"evidence", Type::text, false, "Write read or recalled."},
    {"release_year", Type::amount, false, "Write a year."},
    {"memory_label_gb", Type::amount, false, "Write the number on the box."},
    {"memory_label_means", Type::text, false, "Write GB (decimal) or GiB (binary)."},
    {"memory_nominal_bytes", Type::amount, false, "Write what that label means in bytes."},
    {"memory_bandwidth_bytes_per_s", Type::amount, false, "Write bytes per second."},
    {"power_watts", Type::amount, false, "Write the board's power limit."},
    {"peak_dense_flop_per_s", Type::amounts, false, "Write an object of number formats and operations per second."},
    {"measured_matmul_flop_per_s", Type::amounts, false, "Write an object of number formats and operations per second."},
    {"interconnect", Type::link, false, "Write an object with bytes_per_s_per_direction and pcie, such as 5.0 x16."},
};
constexpr std::uint64_t kLeastMemory = 1'000'000, kMostMemory = 1'000'000'000'000'000;

bool is_amount(const Json& value) {
  return value.is_number_unsigned() && value.get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
}

bool is_of(const Json& value, Type type) {
  switch (type) {
    case Type::text: return value.is_string();
    case Type::amount: return is_amount(value);
    case Type::texts:
      if (!value.is_array()) return false;
      for (const Json& one : value)
        if (!one.is_string()) return false;
      return true;
    case Type::amounts:
      if (!value.is_object()) return false;
      for (const Json& one : value)
        if (!is_amount(one)) return false;
      return true;
    case Type::link: break;
  }
  if (!value.is_object()) return false;
  const auto is_none_or = [&](const char* key, bool (*is)(const Json&)) {
    const auto at = value.find(key);
    return at == value.end() || is(*at);
  };
  return is_none_or("bytes_per_s_per_direction", is_amount) && is_none_or("domain_devices", is_amount) && is_none_or("link_devices", is_amount) &&
         is_none_or("peers", [](const Json& flag) { return flag.is_boolean(); }) && is_none_or("pcie", [](const Json& text) { return text.is_string(); });
}

std::vector<std::string> members() {
  std::vector<std::string> names;
  for (const Member& member : kMembers) names.emplace_back(member.key);
  return names;
}

/// Formats that data sheets state besides those that are computed in.
std::vector<std::string> formats() {
  std::vector<std::string> names{kArithmeticIds.begin(), kArithmeticIds.end()};
  names.insert(names.end(), {"fp16_acc16", "fp8_acc16"});
  return names;
}

void warn_of_unknown_in(const Json& row, const std::string& path, Issues& issues) {
  static const std::vector<std::string> kNames = members(), kFormats = formats(), kLink{"link", "bytes_per_s_per_direction", "domain_devices", "link_devices", "peers", "pcie"};
  warn_of_unknown(row, kNames, path, issues);
  for (const Member& member : kMembers)
    if (const auto at = row.find(member.key); at != row.end() && at->is_object())
      warn_of_unknown(*at, member.type == Type::link ? kLink : kFormats, path + "." + member.key, issues);
}

void check(const Json& row, const std::string& path, Issues& issues) {
  const auto refuse = [&](const char* key, const std::string& what, const char* remedy) {
    issues.push_back({Severity::error, path + "." + key, std::string{key} + " " + what + ".", remedy});
  };
  for (const Member& member : kMembers) {
    const auto at = row.find(member.key);
    const bool is_there = at != row.end() && !(at->is_string() && at->text().empty());
    if (!is_there && member.needed) refuse(member.key, "is missing", member.remedy);
    else if (at != row.end() && !is_of(*at, member.type)) refuse(member.key, "is " + quoted(*at), member.remedy);
  }
  if (!issues.empty()) return;
  const auto bytes = row["memory_usable_bytes"].get<std::uint64_t>();
  if (bytes < kLeastMemory || bytes > kMostMemory) refuse("memory_usable_bytes", "is " + std::to_string(bytes), kMembers[3].remedy);
}

} // namespace

ReadDevices read_devices(std::string_view json) {
  ReadDevices read;
  const ParsedJson parsed = parse_json(json);
  const Json* list = &parsed.value;
  if (parsed.ok && list->is_object())
    if (const auto at = list->find("devices"); at != list->end()) list = &*at;
  if (!parsed.ok || !list->is_array()) {
    read.issues.push_back({Severity::error, "devices", parsed.ok ? "There is no list of devices." : "The devices are not JSON: " + parsed.error,
                           "Write an object with a list \"devices\", in the form of core/catalog/data/devices."});
    return read;
  }
  for (std::size_t i = 0; i < list->size(); ++i) {
    const std::string path = "devices[" + std::to_string(i) + "]";
    const Json& row = (*list)[i];
    Issues of_row;
    if (row.is_object()) check(row, path, of_row);
    else of_row.push_back({Severity::error, path, "The device is " + quoted(row) + ".", "Write an object with id, name, arch and memory_usable_bytes."});
    if (of_row.empty()) read.rows.push_back(device_of(row));
    for (Issue& issue : of_row) read.issues.push_back(std::move(issue));
    if (row.is_object()) warn_of_unknown_in(row, path, read.issues);
  }
  return read;
}

Catalog catalog_with(Catalog catalog, std::string_view devices, Issues& issues) {
  ReadDevices read = read_devices(devices);
  std::ranges::move(read.issues, std::back_inserter(issues));
  catalog.put_devices(std::move(read.rows));
  return catalog;
}

} // namespace plimsoll::io
