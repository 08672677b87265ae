#include "plimsoll/catalog/given_file.hpp"

#include "plimsoll/catalog/device_file.hpp"
#include "plimsoll/method/format.hpp"
#include "text/issues_json.hpp"
#include "text/json.hpp"

#include <algorithm>
#include <utility>

namespace plimsoll::io {

namespace {

constexpr JsonLimits kLimits{.keys = 100'000}; // an exported result opens to every formula

bool has(const Json& object, const char* key) { return object.find(key) != object.end(); }

GivenKind kind_of(const Json& value) {
  if (value.is_array()) {
    const bool rows = !value.empty() && value.front().is_object() && has(value.front(), "memory_usable_bytes");
    return rows ? GivenKind::devices : GivenKind::other;
  }
  if (!value.is_object()) return GivenKind::other;
  if (has(value, "prices")) return GivenKind::prices;
  if (has(value, "devices")) return GivenKind::devices;
  const auto query = value.find("query");
  return query != value.end() && query->is_string() && has(value, "estimate") ? GivenKind::result : GivenKind::other;
}

std::string counted(std::size_t n, const char* what) {
  return format_count(Count{static_cast<std::int64_t>(n)}) + " " + what + (n == 1 ? "" : "s");
}

/// "2 prices of 2026-05 to 2026-11-01": dates of this form stand in the order of their texts.
template <class Row> std::string summary_of(const std::vector<Row>& rows, const char* what) {
  std::string text = counted(rows.size(), what);
  if (rows.empty()) return text;
  const auto [first, last] = std::ranges::minmax_element(rows, {}, &Row::date);
  text += " of " + first->date;
  if (last->date != first->date) text += " to " + last->date;
  return text;
}

Issue nothing_in(const char* field, const char* what) {
  return {Severity::error, field, std::string{"The file has no "} + what + " that could be used.", "See docs/prices.md for its form."};
}

} // namespace

const char* name_of(GivenKind kind) noexcept {
  switch (kind) {
    case GivenKind::prices: return "prices";
    case GivenKind::devices: return "devices";
    case GivenKind::result: return "result";
    case GivenKind::other: break;
  }
  return "other";
}

GivenFile read_given_file(const Catalog& catalog, std::string_view text) {
  GivenFile file;
  const ParsedJson parsed = parse_json(text, kLimits);
  if (!parsed.ok) return file;
  file.kind = kind_of(parsed.value);
  if (file.kind == GivenKind::prices) {
    ReadPrices read = read_prices(catalog, text);
    file.prices.assign(read.rows.begin(), read.rows.end());
    file.prices.insert(file.prices.end(), read.apis.begin(), read.apis.end());
    file.issues = std::move(read.issues);
    file.summary = summary_of(file.prices, "price");
    if (file.prices.empty() && !has_errors(file.issues)) file.issues.push_back(nothing_in("prices", "price"));
  } else if (file.kind == GivenKind::devices) {
    ReadDevices read = read_devices(text);
    file.devices = std::move(read.rows);
    file.issues = std::move(read.issues);
    file.summary = summary_of(file.devices, "device");
    for (std::size_t i = 0; i < file.devices.size(); ++i) file.summary += (i == 0 ? ": " : ", ") + file.devices[i].hardware.name;
    if (file.devices.empty() && !has_errors(file.issues)) file.issues.push_back(nothing_in("devices", "device"));
  } else if (file.kind == GivenKind::result) {
    file.query = parsed.value["query"].get<std::string>();
    file.summary = "A result that was exported before";
  }
  return file;
}

std::string given_file_json(const Catalog& catalog, std::string_view text, std::string_view devices) {
  Issues ignored; // of devices that were given before, and told about then
  const GivenFile file = devices.empty() ? read_given_file(catalog, text) : read_given_file(catalog_with(catalog, devices, ignored), text);
  Json rows = Json::array();
  for (const DeviceRow& row : file.devices) rows.push_back({{"id", row.hardware.id}, {"name", row.hardware.name}, {"vendor", row.vendor}, {"class", row.kind}});
  return dump(Json{{"kind", name_of(file.kind)}, {"ok", file.ok()}, {"issues", issues_result(file.issues)}, {"summary", file.summary},
                   {"query", file.kind == GivenKind::result ? Json(file.query) : Json(nullptr)}, {"devices", std::move(rows)}});
}

} // namespace plimsoll::io
