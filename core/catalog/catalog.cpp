#include "plimsoll/catalog/catalog.hpp"

#include "catalog/device.hpp"
#include "catalog/kept.hpp"
#include "catalog/models.hpp"
#include "catalog/names/nearest.hpp"
#include "catalog/profile_data.hpp"
#include "embedded/citations.hpp"
#include "text/compiled_value.hpp"
#include "text/value.hpp"
#include "text/words.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>

namespace plimsoll::io {

namespace {

std::vector<CitationRow> read_citations() {
  std::vector<CitationRow> rows;
  for (const data::citations::File& file : data::citations::files())
    for (const Json& row : read_compiled(file.bytes)) rows.push_back({row.at("id").text(), row.at("text").text(), row.at("url").text()});
  return rows;
}

Catalog::ProfileRow profile_row(std::string_view id) {
  const Json& row = profile_data("profiles/" + std::string{id} + ".json");
  const auto tasks = row.value("tasks", std::vector<std::string>{});
  for (const std::string& task : tasks)
    if (task != "training" && task != "inference") throw std::runtime_error("catalogue: " + std::string{id} + ": there is no task " + task);
  const auto has = [&](std::string_view task) { return std::ranges::find(tasks, task) != tasks.end(); };
  return {row.at("id").text(), row.at("name").text(), row.at("about").text(), has("training"), has("inference"), row.value("called", std::vector<std::string>{})};
}

std::vector<Catalog::ProfileRow> read_profiles() {
  std::vector<Catalog::ProfileRow> rows;
  for (const std::string_view id : profile_ids()) rows.push_back(profile_row(id));
  return rows;
}

bool is_same(std::string_view a, std::string_view b) noexcept {
  const auto lower = [](char c) { return lower_case(c); };
  return a.size() == b.size() && std::ranges::equal(a, b, {}, lower, lower);
}

/// The row of that id, or with an alias that is so called.
template <class Row> const Row* find_by_id(const std::vector<Row>& rows, std::string_view id, auto&& id_of, auto&& aliases_of) {
  const auto is_it = [&](std::string_view name) { return is_same(name, id); };
  for (const Row& row : rows)
    if (is_it(id_of(row))) return &row;
  for (const Row& row : rows)
    if (std::ranges::any_of(std::invoke(aliases_of, row), is_it)) return &row;
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

Catalog::Catalog() : kept_(std::make_shared<Kept>()) {}

Catalog Catalog::load() {
  Catalog catalog;
  catalog.models_ = built_in_models();
  catalog.devices_ = built_in_devices();
  catalog.weights_ = WeightCatalog::load();
  return catalog;
}

const ModelRow* Catalog::find_model(std::string_view id) const noexcept { return find_by_id(models_, id, model_id, &ModelRow::aliases); }

const ImportedModel& Catalog::model(const ModelRow& row) const { return kept_->model(row); }

const DeviceRow* Catalog::find_device(std::string_view id) const noexcept { return find_by_id(devices_, id, device_id, &DeviceRow::aliases); }

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

const std::vector<Catalog::ProfileRow>& Catalog::profiles() const {
  static const std::vector<ProfileRow> rows = read_profiles();
  return rows;
}

std::optional<Catalog::ProfileRow> Catalog::find_profile(std::string_view id) const {
  return is_profile(id) ? std::optional{profile_row(id)} : std::nullopt;
}

std::string_view Catalog::default_profile(bool for_training) const noexcept { return for_training ? "pytorch" : "paged_serving"; }

std::vector<std::string> Catalog::similar_models(std::string_view id, std::size_t most) const {
  return similar(models_, id, most, model_id, [](const ModelRow& row) {
    std::vector<std::string> all{row.id};
    for (const auto* list : {&row.aliases(), &row.tuned()}) all.insert(all.end(), list->begin(), list->end());
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
