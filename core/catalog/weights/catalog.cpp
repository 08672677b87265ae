#include "catalog/constant.hpp"
#include "catalog/weights/mixture.hpp"
#include "catalog/weights/scheme_reader.hpp"
#include "embedded/weights.hpp"
#include "plimsoll/catalog/weights.hpp"
#include "text/compiled_value.hpp"
#include "text/value.hpp"

#include <algorithm>

namespace plimsoll::io {

namespace {

struct Family {
  std::size_t file = 0; ///< index into Data::files
  const Json* row = nullptr;
  std::vector<Parameter> parameters;
};

struct Choice {
  std::size_t family = 0;
  Arguments arguments;
};

WeightSchemeRow row_of(const Json& file, const Json& row, const Arguments& arguments) {
  return {.id = filled(row.at("id").get<std::string>(), arguments),
          .name = filled(row.at("name").get<std::string>(), arguments),
          .about = row.value("about", std::string{}),
          .engine = file.at("engine").text(),
          .citation = row.at("citation").text(),
          .basis = basis_of(row.at("basis").text()),
          .aliases = row.value("aliases", std::vector<std::string>{})};
}

} // namespace

struct WeightCatalog::Data {
  std::vector<Json> files;
  FormatsById formats;
  std::vector<Family> families;
  std::vector<WeightSchemeRow> rows;
  std::vector<Choice> choices; ///< of the rows

  WeightScheme make(const Family& family, const Arguments& arguments) const {
    return scheme_of(files[family.file], *family.row, arguments, formats);
  }
};

WeightCatalog WeightCatalog::load() {
  const auto data = std::make_shared<Data>();
  for (const data::weights::File& file : data::weights::files()) data->files.push_back(read_compiled(file.bytes));
  for (const Json& file : data->files) add_formats(file, data->formats);
  for (std::size_t f = 0; f < data->files.size(); ++f)
    for (const Json& row : data->files[f].at("schemes")) {
      const Family& family = data->families.emplace_back(Family{f, &row, parameters_of(row)});
      for (const Arguments& arguments : listed(family.parameters)) {
        data->rows.push_back(row_of(data->files[f], row, arguments));
        data->choices.push_back({data->families.size() - 1, arguments});
      }
    }
  WeightCatalog catalog;
  catalog.data_ = data;
  return catalog;
}

const std::vector<WeightSchemeRow>& WeightCatalog::schemes() const noexcept { return data_->rows; }

const WeightSchemeRow* WeightCatalog::find_row(std::string_view id) const noexcept {
  const std::string wanted = lower_case(id.substr(0, id.find(kStatedTensors)));
  for (const WeightSchemeRow& row : data_->rows)
    if (row.id == wanted || std::ranges::find(row.aliases, wanted) != row.aliases.end()) return &row;
  return nullptr;
}

const WeightFormat* WeightCatalog::find_format(std::string_view id) const noexcept {
  const auto at = data_->formats.find(id);
  return at == data_->formats.end() ? nullptr : &at->second;
}

std::optional<WeightScheme> WeightCatalog::find(std::string_view id) const {
  if (const std::size_t stated = id.find(kStatedTensors); stated != id.npos) {
    std::optional<WeightScheme> scheme = find(id.substr(0, stated));
    if (scheme && !state_tensors(*scheme, lower_case(id.substr(stated + 1)), data_->formats)) scheme.reset();
    return scheme;
  }
  constexpr std::size_t kLongestId = 80;
  if (id.size() > kLongestId) return std::nullopt;
  if (const WeightSchemeRow* row = find_row(id)) {
    const Choice& choice = data_->choices[static_cast<std::size_t>(row - data_->rows.data())];
    return data_->make(data_->families[choice.family], choice.arguments);
  }
  const std::string wanted = lower_case(id);
  for (const Family& family : data_->families) {
    if (family.parameters.empty()) continue;
    if (const auto arguments = matched(family.row->at("id").text(), family.parameters, wanted))
      return data_->make(family, *arguments);
  }
  return std::nullopt;
}

std::string_view WeightCatalog::engine_of(std::string_view format) const {
  for (const Json& file : data_->files)
    if (const auto rows = file.find("formats"); rows != file.end())
      for (const Json& row : *rows)
        if (row.at("id").text() == format) return file.at("engine").text();
  return {};
}

std::string WeightCatalog::as_stored(const Model& model, std::string_view base, std::span<const TensorFormat> stored) const {
  const std::optional<WeightScheme> scheme = find(base);
  return scheme ? scheme->id + stated_tensors(model, *scheme, stored) : std::string{};
}

std::vector<std::string> WeightCatalog::similar(std::string_view id, std::size_t most) const {
  std::vector<std::string> ids;
  for (const WeightSchemeRow& row : data_->rows) ids.push_back(row.id);
  return most_similar(id, ids, most);
}

} // namespace plimsoll::io
