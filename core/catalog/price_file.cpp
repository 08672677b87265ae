// Prices as JSON: what all rows of a text share stands beside "prices", what only one has stands in its row.
#include "plimsoll/catalog/prices.hpp"

#include "text/json.hpp"
#include "text/unknown_members.hpp"
#include "text/value.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <vector>

namespace plimsoll::io {

namespace {

constexpr std::array<std::string_view, kPriceKinds> kKinds{"on_demand", "spot", "committed", "historical"};
// As docs/prices.md lists them.
const std::vector<std::string> kPriceMembers{"cloud", "instance", "gpu", "gpus", "usd_per_hour", "source", "date", "alone", "kind", "region", "dated", "since", "evidence", "id", "note",
                                             "model", "usd_per_million_in", "usd_per_million_cached", "usd_per_million_out"};
constexpr std::size_t kMostKeys = 20'000; // of all rows together: some two thousand prices
constexpr double kMostDollars = 1'000'000.0;

/// Reads the members of one row, its own before those of the whole text, and says what is wrong with them.
class RowReader {
public:
  RowReader(const Json& shared, const Json& own, std::string path, Issues& issues) : shared_(shared), own_(own), path_(std::move(path)), issues_(issues) {}

  std::string text(const char* key, bool needed, const char* remedy) {
    const Json* value = find(key);
    if (value != nullptr && value->is_string()) {
      const auto& text = value->text();
      if (!text.empty() || !needed) return text;
    }
    if (value != nullptr && !value->is_null() && !value->is_string()) refuse(key, "is " + quoted(*value) + ", which is not text", remedy);
    else if (needed) refuse(key, "is missing", remedy);
    return {};
  }

  bool flag(const char* key, bool standard) {
    const Json* value = find(key);
    if (value == nullptr) return standard;
    if (value->is_boolean()) return value->get<bool>();
    refuse(key, "is " + quoted(*value), "Write true or false.");
    return standard;
  }

  Count count(const char* key) {
    const Json* value = find(key);
    constexpr std::int64_t kMost = 1'000'000;
    if (value == nullptr) return Count{1};
    if (value->is_number_unsigned() && value->get<std::uint64_t>() >= 1 && value->get<std::uint64_t>() <= kMost) return Count{value->get<std::int64_t>()};
    refuse(key, "is " + quoted(*value), "Write the number of GPUs in one instance, a whole number from 1 on.");
    return Count{1};
  }

  bool has(const char* key) const { return find(key) != nullptr; }

  /// Dollars, to the nearest micro-dollar.
  Money dollars(const char* key, const char* remedy) {
    constexpr double kMicroDollars = 1'000'000.0;
    const Json* value = find(key);
    if (value == nullptr) {
      refuse(key, "is missing", remedy);
      return {};
    }
    if (value->is_number()) {
      const double amount = value->get<double>();
      if (amount > 0 && amount < kMostDollars) return Money{static_cast<std::int64_t>(amount * kMicroDollars + 0.5)};
    }
    refuse(key, "is " + quoted(*value), remedy);
    return {};
  }

  void refuse(std::string_view key, const std::string& what, std::string remedy) {
    issues_.push_back({Severity::error, path_ + "." + std::string{key}, std::string{key} + " " + what + ".", std::move(remedy)});
  }

private:
  const Json* find(const char* key) const {
    for (const Json* object : {&own_, &shared_})
      if (const auto at = object->find(key); at != object->end()) return &*at;
    return nullptr;
  }

  const Json& shared_;
  const Json& own_;
  std::string path_;
  Issues& issues_;
};

void read_kind(RowReader& reader, PriceSource& row) {
  const std::string kind = reader.text("kind", false, "Write on_demand, spot, committed or historical.");
  if (kind.empty()) return;
  const auto at = std::ranges::find(kKinds, lower_case(kind));
  if (at == kKinds.end()) reader.refuse("kind", "is " + quoted(std::string_view{kind}), "Write on_demand, spot, committed or historical.");
  else row.kind = static_cast<PriceKind>(at - kKinds.begin());
}

void read_device(const Catalog& catalog, RowReader& reader, PriceRow& row) {
  row.gpu = reader.text("gpu", true, "Write the id of a device, such as h100-80-sxm; `plimsoll catalog devices` lists them.");
  if (row.gpu.empty()) return;
  if (const DeviceRow* device = catalog.find_device(row.gpu)) row.gpu = device->hardware.id;
  else reader.refuse("gpu", "is " + quoted(std::string_view{row.gpu}) + ", which is not in the catalogue",
                     "Did you mean " + joined_with_or(catalog.similar_devices(row.gpu)) + "?");
}

std::string id_of(const PriceSource& row, const std::string& what) {
  std::string id = row.cloud + "-" + what + "-" + name_of(row.kind);
  if (row.kind == PriceKind::historical) id += "-" + row.date;
  std::ranges::replace(id, ' ', '-');
  return lower_case(id);
}

void read_source(RowReader& reader, PriceSource& row) {
  read_kind(reader, row);
  row.date = reader.text("date", true, "Write when the price was asked, as YYYY-MM-DD or YYYY-MM.");
  if (!row.date.empty() && !days_between(row.date, row.date))
    reader.refuse("date", "is " + quoted(std::string_view{row.date}) + ", which is not a date", "Write it as YYYY-MM-DD or YYYY-MM.");
  row.dated = reader.flag("dated", true);
  row.since = reader.text("since", false, "Write a date, or leave it out.");
  row.source = reader.text("source", true, "Write where the price was read.");
  row.evidence = reader.text("evidence", false, "Write read or secondary, or leave it out.");
  row.note = reader.text("note", false, "Write a sentence, or leave it out.");
  row.id = reader.text("id", false, "Write an id, or leave it out.");
}

PriceRow read_row(const Catalog& catalog, RowReader reader) {
  PriceRow row;
  row.cloud = reader.text("cloud", true, "Write whose instances they are, such as AWS.");
  row.region = reader.text("region", false, "Write the cloud's name of the region, or leave it out.");
  row.instance = reader.text("instance", true, "Write the cloud's name of the instance, such as p4d.24xlarge.");
  read_device(catalog, reader, row);
  row.gpus = reader.count("gpus");
  row.hourly = reader.dollars("usd_per_hour", "Write the dollars for one instance for an hour, such as 21.96.");
  row.alone = reader.flag("alone", false);
  read_source(reader, row);
  if (row.id.empty()) row.id = id_of(row, row.instance + "-" + row.region);
  return row;
}

ApiPriceRow read_api_row(const Catalog& catalog, RowReader reader) {
  constexpr const char* kRemedy = "Write the dollars for a million tokens, such as 0.50.";
  ApiPriceRow row;
  row.cloud = reader.text("cloud", true, "Write whose API it is, such as Fireworks.");
  row.model = reader.text("model", true, "Write the id of a model, such as llama-3.3-70b; `plimsoll catalog models` lists them.");
  if (const ModelRow* const model = catalog.find_model(row.model)) row.model = model->id;
  else if (!row.model.empty()) reader.refuse("model", "is " + quoted(std::string_view{row.model}) + ", which is not in the catalogue", "Did you mean " + joined_with_or(catalog.similar_models(row.model)) + "?");
  row.million.in = reader.dollars("usd_per_million_in", kRemedy);
  row.million.cached = reader.has("usd_per_million_cached") ? reader.dollars("usd_per_million_cached", kRemedy) : row.million.in;
  row.million.out = reader.dollars("usd_per_million_out", kRemedy);
  read_source(reader, row);
  if (row.id.empty()) row.id = id_of(row, row.model);
  return row;
}

} // namespace

const char* name_of(PriceKind kind) noexcept { return kKinds[static_cast<std::size_t>(kind)].data(); }

ReadPrices read_prices(const Catalog& catalog, std::string_view json) {
  ReadPrices read;
  const auto refuse = [&](std::string message, std::string remedy) { read.issues.push_back({Severity::error, "prices", std::move(message), std::move(remedy)}); };
  const ParsedJson parsed = parse_json(json, {.keys = kMostKeys});
  constexpr const char* kRemedy = "Write an object with source, date and a list \"prices\".";
  if (!parsed.ok) {
    refuse("The prices are not JSON: " + parsed.error, kRemedy);
    return read;
  }
  const Json none = Json::array();
  const auto list = parsed.value.is_object() ? parsed.value.find("prices") : parsed.value.end();
  const bool is_list = parsed.value.is_object() && list != parsed.value.end() && list->is_array();
  if (!is_list) refuse("There is no list of prices.", kRemedy);
  else {
    std::vector<std::string> shared = kPriceMembers;
    shared.emplace_back("prices");
    warn_of_unknown(parsed.value, shared, "", read.issues);
  }
  for (std::size_t i = 0; is_list && i < list->size(); ++i) {
    const std::string path = "prices[" + std::to_string(i) + "]";
    const Json& own = (*list)[i];
    if (!own.is_object()) {
      read.issues.push_back({Severity::error, path, "The price is " + quoted(own) + ".", "Write an object with cloud, instance, gpu, gpus and usd_per_hour, or with cloud, model, usd_per_million_in and usd_per_million_out."});
      continue;
    }
    Issues of_row;
    const RowReader reader{parsed.value, own, path, of_row};
    const auto keep = [&](auto row, auto& rows) {
      if (of_row.empty()) rows.push_back(std::move(row));
    };
    if (reader.has("model")) keep(read_api_row(catalog, reader), read.apis);
    else keep(read_row(catalog, reader), read.rows);
    std::ranges::move(of_row, std::back_inserter(read.issues));
    warn_of_unknown(own, kPriceMembers, path, read.issues);
  }
  return read;
}

} // namespace plimsoll::io
