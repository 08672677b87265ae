#include "plimsoll/io/catalog.hpp"

#include "embedded/data.hpp"
#include "io/json.hpp"
#include "io/profile_data.hpp"
#include "io/value.hpp"

#include <algorithm>
#include <stdexcept>

namespace plimsoll::io {

namespace {

Json read(std::string_view name) {
  ParsedJson parsed = parse_json(data::file(name));
  if (!parsed.ok) throw std::runtime_error("catalogue: " + std::string{name} + ": " + parsed.error);
  return std::move(parsed.value);
}

std::vector<std::string_view> names_in(std::string_view folder) {
  std::vector<std::string_view> names;
  for (const data::File& file : data::files())
    if (file.name.starts_with(folder)) names.push_back(file.name);
  return names;
}

std::string text(const Json& row, const char* key) { return row.value(key, std::string{}); }

std::vector<std::string> texts(const Json& row, const char* key) { return row.value(key, std::vector<std::string>{}); }

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
  rates.memory = row.value("memory_bandwidth_bytes_per_s", std::int64_t{0});
  rates.link = part("interconnect").value("bytes_per_s_per_direction", std::int64_t{0});
  rates.host = pcie_bytes(text(part("interconnect"), "pcie"));
  rates.watts = row.value("power_watts", std::int64_t{0});
  return rates;
}

DeviceRow device_of(const Json& row) {
  DeviceRow device;
  device.hardware = {.id = row.at("id"),
                     .name = row.at("name"),
                     .arch = row.at("arch"),
                     .label_gb = row.value("memory_label_gb", std::int64_t{0}),
                     .nominal_bytes = row.value("memory_nominal_bytes", std::int64_t{0}),
                     .usable_bytes = row.at("memory_usable_bytes"),
                     .usable_basis = row.at("memory_usable_basis"),
                     .rates = rates_of(row)};
  if (const auto links = row.find("interconnect"); links != row.end())
    device.hardware.gpus_per_node = links->value("domain_devices", device.hardware.gpus_per_node);
  device.aliases = texts(row, "aliases");
  device.vendor = row.at("vendor");
  device.kind = row.at("class");
  device.release_year = row.value("release_year", std::int64_t{0});
  device.notes = text(row, "notes");
  device.sources = texts(row, "sources");
  device.evidence = text(row, "evidence");
  device.date = row.at("date");
  return device;
}

ModelRow model_of(const Json& row) {
  ModelRow model;
  model.id = row.at("id");
  model.name = row.at("name");
  model.aliases = texts(row, "aliases");
  model.family = text(row, "family");
  model.config = dump(row.at("config"));
  model.published_parameters = row.at("published_parameters");
  model.published_is_exact = row.at("published_is_exact");
  model.published_active_parameters = row.value("published_active_parameters", std::int64_t{0});
  model.active_source = text(row, "active_source");
  if (const auto terms = row.find("differences"); terms != row.end())
    for (const Json& term : *terms) model.differences.push_back({text(term, "what"), term.at("parameters").get<std::int64_t>()});
  model.note = text(row, "note");
  model.source = text(row, "parameters_source") + "; config: " + text(row, "config_source");
  model.date = row.at("date");
  return model;
}

template <class Row> const Row* find_by_id(const std::vector<Row>& rows, std::string_view id, auto&& id_of) {
  const std::string wanted = lower_case(id);
  for (const Row& row : rows) {
    if (lower_case(id_of(row)) == wanted) return &row;
    for (const std::string& alias : row.aliases)
      if (lower_case(alias) == wanted) return &row;
  }
  return nullptr;
}

const std::string& model_id(const ModelRow& row) { return row.id; }
const std::string& device_id(const DeviceRow& row) { return row.hardware.id; }

} // namespace

ImportedModel import_model(const ModelRow& row, const Overrides& overrides) {
  ImportedModel imported = import_huggingface_config(row.config, overrides);
  if (imported.model) {
    imported.model->id = row.id;
    imported.model->name = row.name;
  }
  return imported;
}

Catalog Catalog::load() {
  Catalog catalog;
  for (std::string_view name : names_in("devices/"))
    for (const Json& row : read(name)) catalog.devices_.push_back(device_of(row));
  for (std::string_view name : names_in("models/"))
    for (const Json& row : read(name)) catalog.models_.push_back(model_of(row));
  for (const Json& row : read("citations.json")) catalog.citations_.push_back({row.at("id"), row.at("text"), row.at("url")});
  for (std::string_view name : names_in("profiles/")) {
    const Json& row = profile_data(name);
    const auto tasks = texts(row, "tasks");
    const auto has = [&](std::string_view task) { return std::ranges::find(tasks, task) != tasks.end(); };
    catalog.profiles_.push_back({row.at("id"), row.at("name"), row.at("about"), has("training"), has("inference")});
  }
  catalog.weights_ = WeightCatalog::load();
  return catalog;
}

const ModelRow* Catalog::find_model(std::string_view id) const noexcept { return find_by_id(models_, id, model_id); }

const DeviceRow* Catalog::find_device(std::string_view id) const noexcept { return find_by_id(devices_, id, device_id); }

const CitationRow* Catalog::find_citation(std::string_view id) const noexcept {
  const auto at = std::ranges::find(citations_, id, &CitationRow::id);
  return at == citations_.end() ? nullptr : &*at;
}

std::string_view Catalog::default_profile(bool for_training) const noexcept { return for_training ? "pytorch" : "paged_serving"; }

std::vector<std::string> Catalog::similar_models(std::string_view id, std::size_t most) const {
  std::vector<std::string> ids;
  for (const ModelRow& row : models_) ids.push_back(row.id);
  return most_similar(id, ids, most);
}

std::vector<std::string> Catalog::similar_devices(std::string_view id, std::size_t most) const {
  std::vector<std::string> ids;
  for (const DeviceRow& row : devices_) ids.push_back(row.hardware.id);
  return most_similar(id, ids, most);
}

} // namespace plimsoll::io
