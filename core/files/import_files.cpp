// Files of any kind as one question.
#include "files/scripts/notebook.hpp"
#include "files/tensor_request.hpp"
#include "files/tensors/recognise.hpp"
#include "files/training/format.hpp"
#include "plimsoll/architectures/huggingface.hpp"
#include "plimsoll/files/import.hpp"
#include "plimsoll/files/tensor_file.hpp"
#include "plimsoll/files/training_config.hpp"

#include <algorithm>
#include <utility>

namespace plimsoll::io {

namespace {

using namespace tensor_files;

bool is_whole(const ImportFile& file) { return file.bytes.size() >= file.file_size; }

bool is_text(const ImportFile& file) {
  if (!is_whole(file)) return false;
  const Content content = recognise(file.bytes);
  if (content == Content::json && configs::is_template(file.bytes)) return true;
  if (content == Content::json) return !is_index(file.bytes) && (scripts::notebook_of(file.bytes) || is_training_config(file.bytes) || file.bytes.find("\"fsdp") != std::string_view::npos); // of a launch that names it
  return content == Content::other && may_be_importable(file.bytes);
}

bool is_weights(const ImportFile& file) {
  const Content content = recognise(file.bytes);
  return content == Content::gguf || content == Content::safetensors;
}

/// What tells the model, a config.json or the files of its weights; the issues say why there is nothing.
Request model_of(const Catalog& catalog, std::span<const ImportFile> files, Issues& issues) {
  const ImportFile& file = files.front();
  if (is_whole(file) && recognise(file.bytes) == Content::json && !is_index(file.bytes)) {
    const ImportedModel imported = import_huggingface_config(file.bytes);
    issues.insert(issues.end(), imported.issues.begin(), imported.issues.end());
    return imported.model ? request_of_config(file.bytes) : Request{};
  }
  const ImportedTensors imported = import_tensor_files(files);
  issues.insert(issues.end(), imported.issues.begin(), imported.issues.end());
  Request request = request_of_tensors(catalog, imported, issues);
  request.erase("profile"); // the text beside it says which program
  return request;
}

} // namespace

bool may_be_importable(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  const bool page = text.substr(begin).starts_with("<!") || text.substr(begin).starts_with("<html");
  return begin < text.size() && !page && std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\x1b'; });
}

ImportedText import_files(const Catalog& catalog, std::span<const ImportFile> files, const ImportAnswers& answers) {
  std::vector<ImportText> texts;
  ImportAnswers all = answers;
  Issues issues;
  std::vector<ImportFile> models;
  for (const ImportFile& file : files) {
    if (is_text(file)) texts.push_back({file.bytes, file.name});
    else models.push_back(file);
  }
  ImportedText made;
  if (texts.empty()) return made;
  const bool one_model = models.size() < 2 || std::ranges::all_of(models, is_weights);
  if (!models.empty()) all.model = model_of(catalog, std::span{models}.first(one_model ? models.size() : 1), issues);
  made = import_texts(catalog, texts, all);
  if (!one_model) made.issues.push_back({Severity::warning, "model", "More than one file tells a model; the first one is taken.", "Give one of them."});
  made.issues.insert(made.issues.end(), issues.begin(), issues.end());
  if (has_errors(issues)) made.ok = false;
  return made;
}

ImportedText import_files(std::span<const ImportFile> files, const ImportAnswers& answers) { return import_files(own_catalog(), files, answers); }

} // namespace plimsoll::io
