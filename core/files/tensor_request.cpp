#include "files/tensor_request.hpp"

#include "files/tensors/ggml_types.hpp"
#include "plimsoll/method/format.hpp"
#include "request/model_request.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace plimsoll::io {

using namespace tensor_files;

namespace {

bool is_forked(const DtypeTotal& total) {
  const GgmlType* const type = find_ggml_type(std::string_view{total.dtype});
  return type != nullptr && type->status == GgmlStatus::forked;
}

/// Small differences are those of tables beside the parameters, which no link states.
void report_difference(Bytes file, Bytes asked, Issues& issues) {
  const std::int64_t more = asked.value - file.value;
  if (asked == Bytes{0} || std::abs(more) <= file.value / 1000) return;
  issues.push_back({Severity::note, "weight_dtype", "The file holds " + format_bytes(file) + " of weights, and the estimate counts " + format_bytes(asked) + ": some tensors are built otherwise than its facts say.",
                    "Go by the file's own size for its weights."});
}

} // namespace

Request request_of_tensors(const ImportedTensors& imported, Issues& issues) {
  if (!imported.model) return {};
  ModelRequest made = request_of_model(*imported.model, imported.file_type, imported.formats);
  if (made.request.entries().empty() || imported.file.kind != TensorFileKind::gguf) return std::move(made.request);
  if (imported.weights) report_difference(stored_bytes(*imported.model, *imported.weights), made.weights, issues);
  made.request.set("profile", std::ranges::any_of(imported.file.by_dtype, is_forked) ? "ik_llama_cpp" : "llama_cpp");
  return std::move(made.request);
}

} // namespace plimsoll::io
