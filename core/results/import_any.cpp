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
  using namespace tensor_files;
  const ImportFile one{bytes, file_size, name};
  if (const ImportedText text = import_files({&one, 1}); text.ok || !text.issues.empty()) return imported_text_json(text);
  if (recognise(bytes) == Content::json && !is_index(bytes) && bytes.size() >= file_size) {
    Json result = import_result(bytes, import_huggingface_config(bytes), {});
    result["kind"] = "config";
    return dump(result);
  }
  ImportedTensors imported = import_tensor_file(bytes, file_size, name);
  const Request request = request_of_tensors(imported, imported.issues);
  return tensor_file_json(imported, request.entries(), to_query(request));
}

std::string import_files_json(std::span<const ImportFile> files, std::string_view answers) {
  Issues issues;
  const ImportAnswers told = import_answers_from_json(answers, issues);
  if (files.empty()) issues.push_back({Severity::error, "", "No file was given.", "Give one or more."});
  if (has_errors(issues)) return failure_json(issues);
  if (const ImportedText text = import_files(files, told); text.ok || !text.issues.empty()) return imported_text_json(text);
  return import_json(files.front().bytes, files.front().file_size, files.front().name);
}

} // namespace plimsoll::io
