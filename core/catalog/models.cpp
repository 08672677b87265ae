// The models that are compiled in. What every question may need, their ids, is a table, since all of it is read at each start: a
// JSON reader would take a third of the time to the first answer for it. Their other names are a second one. What their configs say was read when the program was built (architectures/tables), and
// is looked up where a question asks for its model; the configs themselves are for who changes a fact. What was published about the models is
// read with the first question about it.
#include "catalog/models.hpp"

#include "architectures/tables/table.hpp"
#include "catalog/model_tables.hpp"
#include "catalog/records.hpp"
#include "embedded/configs.hpp"
#include "embedded/model_names.hpp"
#include "embedded/models.hpp"
#include "text/words.hpp"

#include <stdexcept>
#include <string_view>

namespace plimsoll::io {

namespace {

std::vector<std::string> texts_in(std::string_view cell) {
  std::vector<std::string> texts;
  if (!cell.empty())
    for (const std::string_view text : parts_of(cell, '|')) texts.emplace_back(text);
  return texts;
}

/// In the order of the columns in core/CMakeLists.txt, each followed by a tab.
template <std::size_t kColumns> std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells = parts_of(line, '\t');
  if (cells.size() != kColumns + 1) throw std::runtime_error("models: " + std::string{line.substr(0, line.find('\t'))} + " has other columns");
  return cells;
}

ModelRow model_of(std::size_t place, std::string_view line) {
  const std::vector<std::string_view> cells = cells_of<3>(line);
  return {.id = std::string{cells[0]}, .name = std::string{cells[1]}, .family = std::string{cells[2]}, .place = place};
}

struct OtherNames {
  std::vector<std::string> aliases, tuned;
};

/// Of all models, by their places.
const std::vector<OtherNames>& other_names() {
  static const std::vector<OtherNames> kAll = [] {
    std::vector<OtherNames> all;
    for (const data::model_names::File& file : data::model_names::files())
      for (const std::string_view line : parts_of(file.bytes, '\n'))
        if (!line.empty()) {
          const std::vector<std::string_view> cells = cells_of<2>(line);
          all.push_back({texts_in(cells[0]), texts_in(cells[1])});
        }
    return all;
  }();
  return kAll;
}

ModelRecord model_record(const Json& row) {
  ModelRecord record{.parameters = row.at("published_parameters").get<std::int64_t>(),
                     .is_exact = row.at("published_is_exact").get<bool>(),
                     .active_parameters = row.value("published_active_parameters", std::int64_t{0}),
                     .differences = {},
                     .note = row.value("note", std::string{}),
                     .parameters_source = row.at("parameters_source").text(),
                     .active_source = row.value("active_source", std::string{}),
                     .config_source = row.at("config_source").text(),
                     .date = row.at("date").text()};
  if (const auto terms = row.find("differences"); terms != row.end())
    for (const Json& term : *terms) record.differences.push_back({term.value("what", std::string{}), term.at("parameters").get<std::int64_t>()});
  return record;
}

} // namespace

std::vector<ModelRow> built_in_models() {
  std::vector<ModelRow> models;
  for (const data::models::File& file : data::models::files())
    for (const std::string_view line : parts_of(file.bytes, '\n'))
      if (!line.empty()) models.push_back(model_of(models.size(), line));
  return models;
}

const std::vector<std::string>& ModelRow::aliases() const { return other_names()[place].aliases; }
const std::vector<std::string>& ModelRow::tuned() const { return other_names()[place].tuned; }

std::string_view config_of(const ModelRow& row) { return data::configs::members()[row.place](); }

const ModelRecord& record_of(const ModelRow& row) {
  static const auto all = read_records("models/", model_record);
  return all.at(row.id);
}

ImportedModel import_model(const ModelRow& row, const Overrides& overrides) {
  ImportedModel imported = overrides.empty() ? read_table(data::model_tables()[row.place]()) : import_huggingface_config(config_of(row), overrides);
  if (imported.model) {
    imported.model->id = row.id;
    imported.model->name = row.name;
  }
  return imported;
}

} // namespace plimsoll::io
