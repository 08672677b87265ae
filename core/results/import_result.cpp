#include "plimsoll/method/fields.hpp"
#include "plimsoll/method/parameters.hpp"
#include "results/result_json.hpp"

#include <algorithm>
#include <map>

namespace plimsoll::io {

namespace {

Json facts_result(const ModelFacts& facts) {
  Json result = Json::object();
  for (std::size_t i = 0; i < model_facts().size(); ++i) {
    if (!facts.known[i]) continue;
    const Field& field = model_facts()[i];
    const std::string name{field.name};
    if (field.kind == FieldKind::integer) result[name] = facts.values[i];
    else if (field.kind == FieldKind::flag) result[name] = facts.values[i] != 0;
    else result[name] = text_of(field, facts.values[i]);
  }
  return result;
}

Json tensor_result(const Tensor& tensor) {
  return {{"name", tensor.name}, {"rows", tensor.rows.value}, {"columns", tensor.columns.value}, {"copies", tensor.copies.value}};
}

/// The tensors of one group by kind, or those outside layers.
Json group_result(const Model& model, std::size_t index) {
  const bool outside = index == ModelTensor::kNoGroup;
  std::map<TensorKind, Json> tensors;
  std::map<TensorKind, Count> counts;
  Count total;
  for (const ModelTensor& tensor : model.tensors) {
    if (tensor.group != index) continue;
    const Count size = tensor.layers * elements(tensor.tensor);
    tensors[tensor.tensor.kind].push_back(tensor_result(tensor.tensor));
    counts[tensor.tensor.kind] += size;
    if (in_language_model(tensor.tensor.kind)) total += size;
  }
  Json parts = Json::array();
  for (auto& [kind, list] : tensors)
    parts.push_back({{"kind", text_of(kind).id}, {"label", text_of(kind).label}, {"parameters", counts[kind].value}, {"tensors", std::move(list)}});
  return {{"id", outside ? "" : model.groups[index].id},
          {"label", outside ? "outside layers" : model.groups[index].label.empty() ? "layers" : model.groups[index].label},
          {"layers", outside ? std::int64_t{0} : model.groups[index].layers.value},
          {"parameters", total.value},
          {"parts", std::move(parts)}};
}

} // namespace

Json import_result(std::string_view text, const ImportedModel& imported, const Overrides& overrides) {
  Json result{{"ok", imported.model.has_value()}, {"issues", issues_result(imported.issues)}};
  for (const char* name : {"architecture", "family", "fields", "facts", "parameters", "active_parameters", "components", "groups", "quantization", "dtype", "query"})
    result[name] = nullptr;
  if (!imported.model) return result;
  const Model& model = *imported.model;
  Request request = request_of_config(text);
  if (!overrides.architecture.empty()) request.set("architecture", overrides.architecture);
  for (const auto& [name, value] : overrides.facts)
    if (const Field* field = find_field(name)) request.set(name, text_of(*field, value));
  Json stated = Json::object();
  for (const Entry& entry : request.entries()) stated[entry.name] = entry.text;

  result["architecture"] = imported.architecture;
  result["family"] = imported.family;
  result["fields"] = std::move(stated);
  result["facts"] = facts_result(imported.facts);
  result["parameters"] = count_parameters(model).value;
  result["active_parameters"] = count_active_parameters(model).value;
  result["components"] = {{"vision", count_parameters(model, TensorKind::vision).value},
                          {"audio", count_parameters(model, TensorKind::audio).value},
                          {"prediction", count_parameters(model, TensorKind::prediction).value}};
  Json groups = Json::array();
  groups.push_back(group_result(model, ModelTensor::kNoGroup));
  for (std::size_t i = 0; i < model.groups.size(); ++i) groups.push_back(group_result(model, i));
  result["groups"] = std::move(groups);
  if (!imported.quantization_config.empty()) result["quantization"] = parse_json(imported.quantization_config).value;
  if (!imported.dtype.empty()) result["dtype"] = imported.dtype;
  result["query"] = to_query(request);
  return result;
}

} // namespace plimsoll::io
