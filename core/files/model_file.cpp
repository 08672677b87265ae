#include "plimsoll/files/model_file.hpp"

#include "files/tensor_request.hpp"
#include "files/tensors/recognise.hpp"
#include "plimsoll/architectures/huggingface.hpp"
#include "plimsoll/files/import.hpp"
#include "plimsoll/method/parameters.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace plimsoll::io {

namespace {

void add_title(std::string& title, std::string_view word) {
  if (word.empty()) return;
  if (!title.empty()) title += ", ";
  title += word;
}

/// The part of that name, made when there is none yet: kinds of a group stand in the order of a forward pass.
ModelFilePart& part_of(std::vector<ModelFilePart>& parts, std::string_view label) {
  const auto at = std::ranges::find(parts, label, &ModelFilePart::label);
  if (at != parts.end()) return *at;
  parts.push_back({.label = std::string{label}});
  return parts.back();
}

void add_tensor(ModelFile& file, std::vector<ModelFileGroup>& groups, ModelFileGroup& outside, const ModelTensor& tensor) {
  const Count amount = tensor.layers * elements(tensor.tensor);
  if (amount == Count{0}) return;
  const std::string_view label = text_of(tensor.tensor.kind).label;
  if (!in_language_model(tensor.tensor.kind)) {
    Count& counted = part_of(file.components, label).parameters;
    counted = counted + amount;
    return;
  }
  ModelFileGroup& group = tensor.group == ModelTensor::kNoGroup ? outside : groups[tensor.group];
  group.parameters = group.parameters + amount;
  Count& counted = part_of(group.parts, label).parameters;
  counted = counted + amount;
}

void add_model(ModelFile& file, const Model& model) {
  std::vector<ModelFileGroup> groups;
  for (const LayerGroup& group : model.groups)
    groups.push_back({.label = group.label.empty() ? "layers" : group.label, .layers = group.layers});
  ModelFileGroup outside{.label = "outside the layers"};
  for (const ModelTensor& tensor : model.tensors) add_tensor(file, groups, outside, tensor);
  file.groups = std::move(groups);
  if (outside.parameters > Count{0}) file.groups.push_back(std::move(outside));
  file.parameters = count_parameters(model);
  file.active_parameters = count_active_parameters(model);
}

ModelFile of_config(std::string_view text) {
  ModelFile file{.kind = "config"};
  ImportedModel imported = import_huggingface_config(text);
  file.issues = std::move(imported.issues);
  file.ok = imported.model.has_value() && !has_errors(file.issues);
  if (!file.ok) return file;
  add_title(file.title, imported.family.empty() ? imported.architecture : imported.family);
  add_title(file.title, "config.json");
  add_model(file, *imported.model);
  file.request = request_of_config(text);
  return file;
}

/// What starts a program, or what one printed: no model of its own, but a request that names one.
ModelFile of_text(ImportedText text) {
  ModelFile file{.kind = text.kind};
  file.issues = std::move(text.issues);
  file.ok = text.ok && !has_errors(file.issues);
  add_title(file.title, text.name);
  add_title(file.title, text.kind == "log" ? "log" : text.kind == "command_line" ? "command line" : "training configuration");
  if (file.ok) file.request = std::move(text.request);
  for (OpenQuestion& question : text.questions)
    if (!question.choices.empty()) file.questions.push_back(std::move(question));
  return file;
}

std::string_view name_of_format(TensorFileKind kind) {
  switch (kind) {
    case TensorFileKind::safetensors: return "safetensors";
    case TensorFileKind::safetensors_index: return "index of safetensors";
    case TensorFileKind::gguf: return "GGUF";
    case TensorFileKind::unknown: break;
  }
  return "";
}

ModelFileGroup group_of(const TensorGroup& group) {
  ModelFileGroup made{.label = group.label, .layers = group.layers, .parameters = group.parameters, .bytes = group.bytes};
  for (const TensorRow& row : group.rows)
    made.parts.push_back({.label = row.name, .dtype = row.dtype, .parameters = row.elements, .bytes = row.bytes});
  return made;
}

/// The header tells the bytes exactly, but a link would have to tell the model, and facts alone do not give this one.
Issue no_link() {
  return {Severity::note, "", "What this file holds is counted exactly, but its facts do not suffice to estimate with it.",
          "Drop the config.json that lies beside it."};
}

ModelFile of_tensors(std::span<const ImportFile> files) {
  ImportedTensors imported = import_tensor_files(files);
  ModelFile file{.kind = name_of(imported.file.kind)};
  file.issues = std::move(imported.issues);
  file.ok = imported.file.complete && !has_errors(file.issues);
  if (!file.ok) return file;
  file.request = request_of_tensors(own_catalog(), imported, file.issues);
  add_title(file.title, name_of_format(imported.file.kind));
  add_title(file.title, imported.architecture);
  add_title(file.title, imported.file_type);
  file.parameters = imported.parameters;
  file.active_parameters = imported.active_parameters;
  if (imported.other_parameters > Count{0})
    file.components.push_back({.label = "Beside the language model", .parameters = imported.other_parameters});
  file.bytes = imported.file.bytes;
  file.by_dtype = std::move(imported.file.by_dtype);
  for (const TensorGroup& group : imported.groups) file.groups.push_back(group_of(group));
  if (imported.model && file.request.entries().empty()) file.issues.push_back(no_link());
  return file;
}

} // namespace

bool read_header(std::string& bytes, std::uint64_t file_size, const std::function<std::size_t(char* to, std::size_t count)>& read) {
  for (;;) {
    const HeaderNeed need = header_bytes_needed(bytes, file_size);
    if (need.enough || need.bytes <= bytes.size()) return true;
    const std::size_t before = bytes.size(), missing = static_cast<std::size_t>(need.bytes) - before;
    bytes.resize(before + missing);
    const std::size_t got = std::min(missing, read(bytes.data() + before, missing));
    bytes.resize(before + got);
    if (got < missing) return false;
  }
}

ModelFile read_model_file(std::string_view bytes, std::uint64_t file_size, std::string_view name) {
  const ImportFile one{bytes, file_size, name};
  return read_model_files({&one, 1});
}

ModelFile read_model_files(std::span<const ImportFile> files) {
  using namespace tensor_files;
  if (files.empty()) return {};
  const ImportFile& first = files.front();
  if (ImportedText text = import_files({&first, 1}); text.ok || !text.issues.empty()) return of_text(std::move(text));
  const bool is_config = recognise(first.bytes) == Content::json && !is_index(first.bytes) && first.bytes.size() >= first.file_size;
  return is_config ? of_config(first.bytes) : of_tensors(files);
}

std::string share_text(Count part, Count whole) {
  if (whole <= Count{0} || part < Count{0}) return "";
  const bool large = part.value > std::numeric_limits<std::int64_t>::max() / 1000;
  const std::int64_t thousandths = large ? part.value / std::max<std::int64_t>(1, whole.value / 1000) : part.value * 1000 / whole.value;
  return std::to_string(thousandths / 10) + "." + std::to_string(thousandths % 10) + " %";
}

} // namespace plimsoll::io
