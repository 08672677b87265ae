#pragma once
// JSON files that people give to a screen and that are no models: prices and devices of their own (docs/prices.md), and a result
// that was exported before. A model file has none of the members that these are known by.

#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/catalog/prices.hpp"
#include "plimsoll/method/issue.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

enum class GivenKind : unsigned char {
  other,   ///< nothing of these: perhaps a model file
  prices,  ///< has a list "prices"
  devices, ///< has a list "devices", or is a list whose rows have memory_usable_bytes
  result,  ///< what estimate_json or explain_json wrote: "query" and "estimate"
};
const char* name_of(GivenKind kind) noexcept;

struct GivenFile {
  GivenKind kind = GivenKind::other;
  Issues issues;                  ///< what is wrong with its rows; fields are "prices[3].gpu"
  std::vector<PriceSource> prices; ///< of GPUs and of APIs, those without errors
  std::vector<DeviceRow> devices; ///< those without errors
  std::string query;              ///< of a result: the question that it answers
  std::string summary;            ///< "2 prices of 2026-05 to 2026-11-01", "1 device of 2026-11: My accelerator"

  /// Worth using: a file with errors is refused as a whole, so that nobody relies on half of it.
  bool ok() const noexcept { return kind != GivenKind::other && !has_errors(issues); }
};

/// Reads a text of any kind. The devices of prices must be in the catalogue. Never throws.
GivenFile read_given_file(const Catalog& catalog, std::string_view text);

/// {"kind", "ok", "issues", "summary", "query", "devices": [{"id", "name", "vendor", "class"}]}. `devices` is a text with devices that
/// join the catalogue, "" for none.
std::string given_file_json(const Catalog& catalog, std::string_view text, std::string_view devices);

} // namespace plimsoll::io
