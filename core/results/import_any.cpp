// Any file that a person may drop, told by its content.

#include "files/tensors/recognise.hpp"
#include "plimsoll/architectures/huggingface.hpp"
#include "plimsoll/files/command_line.hpp"
#include "plimsoll/files/tensor_file.hpp"
#include "plimsoll/files/training_config.hpp"
#include "request/model_request.hpp"
#include "results/result_json.hpp"
#include "text/json.hpp"

namespace plimsoll::io {

std::string import_json(std::string_view bytes, std::uint64_t file_size, std::string_view name) {
  using namespace tensor_files;
  const bool is_whole = bytes.size() >= file_size;
  if (recognise(bytes) == Content::json && !is_index(bytes) && is_whole && is_training_config(bytes)) return training_config_json(read_training_config(bytes));
  if (recognise(bytes) == Content::json && !is_index(bytes) && is_whole) {
    Json result = import_result(bytes, import_huggingface_config(bytes), {});
    result["kind"] = "config";
    return dump(result);
  }
  const bool may_be_text = recognise(bytes) == Content::other && is_whole;
  if (may_be_text && is_command_line(bytes)) return command_line_json(read_command_line(bytes));
  if (may_be_text && may_be_training_config(bytes)) return training_config_json(read_training_config(bytes));
  const ImportedTensors imported = import_tensor_file(bytes, file_size, name);
  const Request request = imported.model ? request_of_model(*imported.model, imported.file_type) : Request{};
  return tensor_file_json(imported, request.entries(), to_query(request));
}

} // namespace plimsoll::io
