#include "plimsoll/files/tensor_file.hpp"
#include "text/issues_json.hpp"
#include "text/json.hpp"

#include <utility>

namespace plimsoll::io {

namespace {

constexpr std::size_t kMostDtypes = 64;

Json facts_result(const std::vector<FileFact>& facts) {
  Json result = Json::array();
  for (const FileFact& fact : facts) result.push_back(Json{{"key", fact.key}, {"text", fact.text}});
  return result;
}

Json row_result(const TensorRow& row) {
  Json result{{"name", row.name}, {"dtype", row.dtype}, {"shape", row.shape}};
  result["tensors"] = row.tensors.value;
  result["layers"] = row.layers.value;
  result["elements"] = row.elements.value;
  result["bytes"] = row.bytes.value;
  return result;
}

Json group_result(const TensorGroup& group) {
  Json rows = Json::array();
  for (const TensorRow& row : group.rows) rows.push_back(row_result(row));
  Json result{{"id", group.id}, {"label", group.label}};
  result["layers"] = group.layers.value;
  result["parameters"] = group.parameters.value;
  result["bytes"] = group.bytes.value;
  result["tensors"] = std::move(rows);
  return result;
}

Json totals_result(const std::vector<DtypeTotal>& totals) {
  Json result = Json::array();
  for (const DtypeTotal& total : totals) {
    if (result.size() >= kMostDtypes) break; // of a file whose types are errors
    Json entry{{"dtype", total.dtype}};
    entry["tensors"] = total.tensors.value;
    entry["elements"] = total.elements.value;
    entry["bytes"] = total.bytes.value;
    result.push_back(std::move(entry));
  }
  return result;
}

} // namespace

std::string tensor_file_json(const ImportedTensors& imported, const std::vector<Entry>& fields, std::string_view query) {
  const TensorFile& file = imported.file;
  Json result{{"ok", file.complete && !has_errors(imported.issues)}, {"issues", issues_result(imported.issues)}};
  result["kind"] = name_of(file.kind);
  result["need_more"] = file.need_more;
  result["header_bytes"] = file.header_bytes;
  result["file_type"] = imported.file_type;
  result["architecture"] = imported.architecture;
  result["parameters"] = imported.parameters.value;
  result["active_parameters"] = nullptr;
  if (imported.active_parameters) result["active_parameters"] = imported.active_parameters->value;
  result["other_parameters"] = imported.other_parameters.value;
  result["elements"] = file.elements.value;
  result["bytes"] = file.bytes.value;
  result["tensors"] = static_cast<std::int64_t>(file.tensors.size());
  result["by_dtype"] = totals_result(file.by_dtype);
  Json groups = Json::array();
  for (const TensorGroup& group : imported.groups) groups.push_back(group_result(group));
  result["groups"] = std::move(groups);
  result["model"] = imported.model.has_value();
  result["fields"] = nullptr; // where the facts that a scenario can state do not give this model
  result["query"] = nullptr;
  for (const Entry& entry : fields) result["fields"][entry.name] = entry.text;
  if (!fields.empty()) result["query"] = query;
  result["facts"] = facts_result(imported.facts);
  result["metadata"] = facts_result(file.metadata);
  return dump(result);
}

} // namespace plimsoll::io
