#include "tensor_file_invariants.hpp"

#include "plimsoll/files/tensor_file.hpp"
#include "text/json.hpp"

#include <exception>

namespace plimsoll::fuzz {

namespace {

using namespace io;

std::string broken_issues(const Issues& issues) {
  for (const Issue& issue : issues) {
    if (issue.message.empty()) return "an issue about '" + issue.field + "' says nothing";
    if (issue.remedy.empty()) return "no remedy: " + issue.message;
    if (issue.field.size() > 1000 || issue.message.size() > 2000) return "a long issue: " + issue.message.substr(0, 200);
  }
  return issues.size() > 200 ? "too many issues" : "";
}

std::string broken_file(const TensorFile& file) {
  Count tensors{0}, elements{0};
  Bytes bytes{0};
  for (const FileTensor& tensor : file.tensors) {
    if (tensor.elements < Count{0} || tensor.bytes < Bytes{0}) return "a tensor of negative size";
    for (const std::int64_t size : tensor.shape)
      if (size < 0) return "a negative dimension";
    tensors += Count{1}, elements += tensor.elements, bytes += tensor.bytes;
  }
  if (file.kind != TensorFileKind::safetensors_index) {
    if (elements != file.elements || bytes != file.bytes) return "the totals are not the sums";
    for (const DtypeTotal& total : file.by_dtype) tensors = tensors - total.tensors;
    if (tensors != Count{0}) return "the totals by dtype miss some tensors";
  }
  if (!file.complete && !file.tensors.empty()) return "an incomplete list of tensors";
  if (file.need_more && (file.complete || has_errors(file.issues))) return "more bytes are asked for in vain";
  if (!file.complete && !file.need_more && !has_errors(file.issues)) return "nothing was read, without an error";
  return "";
}

std::string broken_model(const ImportedTensors& imported) {
  Count tensors{0};
  Bytes bytes{0};
  for (const TensorGroup& group : imported.groups)
    for (const TensorRow& row : group.rows) tensors += row.tensors, bytes += row.bytes;
  if (!imported.groups.empty() && tensors != Count{static_cast<std::int64_t>(imported.file.tensors.size())})
    return "the rows miss some tensors";
  if (!imported.groups.empty() && bytes != imported.file.bytes) return "the rows do not add up to the file";
  if (!imported.model) return imported.weights ? "weights without a model" : "";
  const Model& model = *imported.model;
  if (has_errors(imported.issues)) return "a model in spite of errors";
  if (model.hidden_size < Count{1} || model.vocab_size < Count{1} || model.pattern.empty()) return "a model without a size";
  Count parameters{0};
  for (const ModelTensor& tensor : model.tensors) {
    if (tensor.group != ModelTensor::kNoGroup && tensor.group >= model.groups.size()) return "a tensor of no group";
    if (tensor.tensor.units < Count{1} || tensor.tensor.copies < Count{0}) return "a tensor without units";
    if (in_language_model(tensor.tensor.kind)) parameters += tensor.layers * elements(tensor.tensor);
  }
  if (!parameters.saturated() && parameters != imported.parameters) return "the model has other parameters than the file";
  if (!imported.weights) return "";
  for (const StoredTensor& stored : imported.weights->tensors)
    if (stored.tensor >= model.tensors.size() || stored.format >= imported.weights->formats.size()) return "weights of no tensor";
  for (const WeightFormat& format : imported.weights->formats)
    if (format.parts.empty()) return "a layout without parts";
  return "";
}

std::string broken_need(const TensorFile& file, std::string_view bytes, std::uint64_t file_size) {
  const HeaderNeed need = header_bytes_needed(bytes, file_size);
  if (need.enough && file.need_more) return "the header was said to be whole, and is not";
  if (!need.enough && (need.bytes <= bytes.size() || need.bytes > file_size))
    return "it asks for bytes that it has, or that do not exist";
  return "";
}

std::string broken_json(const ImportedTensors& imported) {
  const std::string text = tensor_file_json(imported);
  if (!parse_json(text).ok) return "the result is no JSON: " + text.substr(0, 400);
  return "";
}

std::string broken(std::string_view bytes, std::uint64_t file_size, bool prints) {
  const ImportedTensors imported = import_tensor_file(bytes, file_size);
  if (const std::string failure = broken_issues(imported.issues); !failure.empty()) return failure;
  if (const std::string failure = broken_file(imported.file); !failure.empty()) return failure;
  if (const std::string failure = broken_model(imported); !failure.empty()) return failure;
  if (const std::string failure = broken_need(imported.file, bytes, file_size); !failure.empty()) return failure;
  return prints ? broken_json(imported) : "";
}

} // namespace

std::string broken_by_tensor_file(std::string_view bytes, std::uint64_t file_size, bool prints) {
  try {
    return broken(bytes, file_size, prints);
  } catch (const std::exception& error) {
    return std::string{"it throws: "} + error.what();
  }
}

} // namespace plimsoll::fuzz
