#include "files/tensor_request.hpp"

#include "files/tensors/ggml_types.hpp"
#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/catalog/names.hpp"
#include "plimsoll/method/format.hpp"
#include "plimsoll/method/parameters.hpp"
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

/// As the file has it: so wide, so many layers, and as many parameters but for what one of both leaves out.
bool is_built_like(const Model& model, const ImportedTensors& imported) {
  const std::int64_t parameters = imported.parameters.value, others = count_parameters(model).value;
  return model.hidden_size == imported.model->hidden_size && model.pattern.size() == imported.model->pattern.size() && std::abs(others - parameters) <= parameters / 200;
}

/// The model of the catalogue that the file names and that is built as the file is; null where there is none.
const ModelRow* catalogued(const ImportedTensors& imported, Model& model) {
  static const Catalog kCatalog = Catalog::load();
  for (const std::string& name : imported.names) {
    NamedModel named = model_named(kCatalog, name);
    if (named.row != nullptr) named.candidates.insert(named.candidates.begin(), named.row);
    for (const ModelRow* row : named.candidates) {
      ImportedModel known = import_model(*row);
      if (!known.model || !is_built_like(*known.model, imported)) continue;
      model = std::move(*known.model);
      return row;
    }
  }
  return nullptr;
}

/// By the facts that a link can state, else by the catalogue.
ModelRequest stated(const ImportedTensors& imported, Issues& issues) {
  ModelRequest made = request_of_model(*imported.model, imported.file_type, imported.formats);
  if (!made.request.entries().empty()) return made;
  Model model;
  const ModelRow* const row = catalogued(imported, model);
  if (row == nullptr) return made;
  issues.push_back({Severity::note, "model", "The file is taken for " + row->name + ": its name says so, and width, layers and parameters are the same.",
                    "Give its config.json where it differs."});
  return request_of_model(row->id, model, imported.file_type, imported.formats);
}

} // namespace

Request request_of_tensors(const ImportedTensors& imported, Issues& issues) {
  if (!imported.model) return {};
  ModelRequest made = stated(imported, issues);
  if (made.request.entries().empty() || imported.file.kind != TensorFileKind::gguf) return std::move(made.request);
  if (imported.weights) report_difference(stored_bytes(*imported.model, *imported.weights), made.weights, issues);
  made.request.set("profile", std::ranges::any_of(imported.file.by_dtype, is_forked) ? "ik_llama_cpp" : "llama_cpp");
  return std::move(made.request);
}

} // namespace plimsoll::io
