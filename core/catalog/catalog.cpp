#include "plimsoll/catalog/catalog.hpp"

#include "catalog/built_in.hpp"
#include "catalog/device.hpp"
#include "catalog/names/nearest.hpp"
#include "catalog/profile_data.hpp"
#include "embedded/citations.hpp"
#include "embedded/data.hpp"
#include "embedded/sources.hpp"
#include "text/json.hpp"
#include "text/value.hpp"
#include "text/words.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace plimsoll::io {

namespace {

Json read(std::string_view name) { return built_in(name, data::file(name)); }

std::vector<CitationRow> read_citations() {
  std::vector<CitationRow> rows;
  for (const data::citations::File& file : data::citations::files())
    for (const Json& row : built_in(file.name, file.bytes)) rows.push_back({row.at("id").text(), row.at("text").text(), row.at("url").text()});
  return rows;
}

std::vector<std::string_view> names_in(std::string_view folder) {
  std::vector<std::string_view> names;
  for (const data::File& file : data::files())
    if (file.name.starts_with(folder)) names.push_back(file.name);
  return names;
}

std::map<std::string, ModelSources, std::less<>> read_sources() {
  std::map<std::string, ModelSources, std::less<>> all;
  for (const data::sources::File& file : data::sources::files())
    for (const Json& row : built_in(file.name, file.bytes))
      all.emplace(row.at("id").text(), ModelSources{row.value("parameters_source", std::string{}), row.value("active_source", std::string{}), row.value("config_source", std::string{})});
  return all;
}

ModelRow model_of(const Json& row) {
  ModelRow model;
  model.id = row.at("id").text();
  model.name = row.at("name").text();
  model.aliases = row.value("aliases", std::vector<std::string>{});
  model.tuned = row.value("tuned", std::vector<std::string>{});
  model.family = row.value("family", std::string{});
  model.config = dump(row.at("config"));
  model.published_parameters = row.at("published_parameters").get<std::int64_t>();
  model.published_is_exact = row.at("published_is_exact").get<bool>();
  model.published_active_parameters = row.value("published_active_parameters", std::int64_t{0});
  if (const auto terms = row.find("differences"); terms != row.end())
    for (const Json& term : *terms) model.differences.push_back({term.value("what", std::string{}), term.at("parameters").get<std::int64_t>()});
  model.note = row.value("note", std::string{});
  model.date = row.at("date").text();
  return model;
}

bool is_same(std::string_view a, std::string_view b) noexcept {
  const auto lower = [](char c) { return lower_case(c); };
  return a.size() == b.size() && std::ranges::equal(a, b, {}, lower, lower);
}

template <class Row> const Row* find_by_id(const std::vector<Row>& rows, std::string_view id, auto&& id_of) {
  for (const Row& row : rows)
    if (is_same(id_of(row), id) || std::ranges::any_of(row.aliases, [&](const std::string& alias) { return is_same(alias, id); })) return &row;
  return nullptr;
}

/// Ids of the rows nearest to `wanted`; `names_of` tells all names of a row.
template <class Row> std::vector<std::string> similar(const std::vector<Row>& rows, std::string_view wanted, std::size_t most, auto&& id_of, auto&& names_of) {
  std::vector<std::vector<names::Words>> all;
  for (const Row& row : rows) {
    std::vector<names::Words>& list = all.emplace_back();
    for (const std::string& name : names_of(row)) list.push_back(names::words_of(std::string_view{name}.substr(name.rfind('/') + 1)));
  }
  std::vector<std::string> ids;
  for (const std::size_t i : names::nearest(names::words_of(wanted.substr(wanted.rfind('/') + 1)), all, most)) ids.push_back(id_of(rows[i]));
  return ids;
}

const std::string& model_id(const ModelRow& row) { return row.id; }
const std::string& device_id(const DeviceRow& row) { return row.hardware.id; }

} // namespace

ModelSources sources_of(const ModelRow& row) {
  static const std::map<std::string, ModelSources, std::less<>> all = read_sources();
  const auto at = all.find(row.id);
  return at == all.end() ? ModelSources{} : at->second;
}

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
  for (std::string_view name : names_in("profiles/")) {
    const Json& row = profile_data(name);
    const auto tasks = row.value("tasks", std::vector<std::string>{});
    for (const std::string& task : tasks)
      if (task != "training" && task != "inference") throw std::runtime_error("catalogue: " + std::string{name} + ": there is no task " + task);
    const auto has = [&](std::string_view task) { return std::ranges::find(tasks, task) != tasks.end(); };
    catalog.profiles_.push_back({row.at("id").text(), row.at("name").text(), row.at("about").text(), has("training"), has("inference"),
                                 row.value("called", std::vector<std::string>{})});
  }
  catalog.weights_ = WeightCatalog::load();
  return catalog;
}

const ModelRow* Catalog::find_model(std::string_view id) const noexcept { return find_by_id(models_, id, model_id); }

const DeviceRow* Catalog::find_device(std::string_view id) const noexcept { return find_by_id(devices_, id, device_id); }

void Catalog::put_devices(std::vector<DeviceRow> rows) {
  for (DeviceRow& row : rows) {
    const auto at = std::ranges::find(devices_, row.hardware.id, [](const DeviceRow& device) -> const std::string& { return device.hardware.id; });
    if (at != devices_.end()) *at = std::move(row);
    else devices_.push_back(std::move(row));
  }
}

const std::vector<CitationRow>& Catalog::citations() const {
  static const std::vector<CitationRow> rows = read_citations();
  return rows;
}

const CitationRow* Catalog::find_citation(std::string_view id) const {
  const std::vector<CitationRow>& rows = citations();
  const auto at = std::ranges::find(rows, id, &CitationRow::id);
  return at == rows.end() ? nullptr : &*at;
}

std::string_view Catalog::default_profile(bool for_training) const noexcept { return for_training ? "pytorch" : "paged_serving"; }

std::vector<std::string> Catalog::similar_models(std::string_view id, std::size_t most) const {
  return similar(models_, id, most, model_id, [](const ModelRow& row) {
    std::vector<std::string> all{row.id};
    for (const auto* list : {&row.aliases, &row.tuned}) all.insert(all.end(), list->begin(), list->end());
    return all;
  });
}

std::vector<std::string> Catalog::similar_devices(std::string_view id, std::size_t most) const {
  return similar(devices_, id, most, device_id, [](const DeviceRow& row) {
    std::vector<std::string> all{row.hardware.id, row.hardware.name};
    all.insert(all.end(), row.aliases.begin(), row.aliases.end());
    return all;
  });
}

} // namespace plimsoll::io
