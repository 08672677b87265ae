// Any file that a person may drop, told by its content.

#include "files/tensor_request.hpp"
#include "files/tensors/recognise.hpp"
#include "plimsoll/architectures/huggingface.hpp"
#include "plimsoll/files/import.hpp"
#include "plimsoll/files/tensor_file.hpp"
#include "plimsoll/results/api.hpp"
#include "results/result_json.hpp"
#include "text/json.hpp"

namespace plimsoll::io {

std::string import_json(std::string_view bytes, std::uint64_t file_size, std::string_view name) {
  const ImportFile one{bytes, file_size, name};
  return import_json({&one, 1});
}

std::string import_json(std::span<const ImportFile> files) {
  using namespace tensor_files;
  if (files.empty()) return failure_json({{Severity::error, "", "No file was given.", "Give one or more."}});
  const ImportFile& first = files.front();
  if (const ImportedText text = import_files({&first, 1}); text.ok || !text.issues.empty()) return imported_text_json(text);
  if (recognise(first.bytes) == Content::json && !is_index(first.bytes) && first.bytes.size() >= first.file_size) {
    Json result = import_result(first.bytes, import_huggingface_config(first.bytes), {});
    result["kind"] = "config";
    return dump(result);
  }
  ImportedTensors imported = import_tensor_files(files);
  const Request request = request_of_tensors(own_catalog(), imported, imported.issues);
  return tensor_file_json(imported, request.entries(), to_query(request));
}

std::string import_files_json(std::span<const ImportFile> files, std::string_view answers) {
  Issues issues;
  const ImportAnswers told = import_answers_from_json(answers, issues);
  if (files.empty()) issues.push_back({Severity::error, "", "No file was given.", "Give one or more."});
  if (has_errors(issues)) return failure_json(issues);
  if (const ImportedText text = import_files(files, told); text.ok || !text.issues.empty()) return imported_text_json(text);
  return import_json(files);
}

} // namespace plimsoll::io
