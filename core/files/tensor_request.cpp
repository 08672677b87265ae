#include "files/tensor_request.hpp"

#include "files/tensors/ggml_types.hpp"
#include "plimsoll/catalog/names.hpp"
#include "plimsoll/catalog/weights.hpp"
#include "plimsoll/method/format.hpp"
#include "plimsoll/method/parameters.hpp"
#include "request/model_request.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
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
  issues.push_back({Severity::note, "weight_dtype", "The file holds " + format_bytes(file) + " of weights, and the estimate counts " + format_bytes(asked) + ": a link cannot state all of its tensors.",
                    "Go by the file's own size for its weights."});
}

/// As the file has it: so wide, so many layers, and as many parameters but for what one of both leaves out.
bool is_built_like(const Model& model, const ImportedTensors& imported) {
  const std::int64_t parameters = imported.parameters.value, others = count_parameters(model).value;
  return model.hidden_size == imported.model->hidden_size && model.pattern.size() == imported.model->pattern.size() && std::abs(others - parameters) <= parameters / 200;
}

/// The model of the catalogue that the file names and that is built as the file is; null where there is none.
const ModelRow* catalogued(const Catalog& catalog, const ImportedTensors& imported, Model& model) {
  for (const std::string& name : imported.names) {
    NamedModel named = model_named(catalog, name);
    if (named.row != nullptr) named.candidates.insert(named.candidates.begin(), named.row);
    for (const ModelRow* row : named.candidates) {
      ImportedModel known = catalog.model(*row);
      if (!known.model || !is_built_like(*known.model, imported)) continue;
      model = std::move(*known.model);
      return row;
    }
  }
  return nullptr;
}

/// How quantisations that safetensors show are called in the catalogue: its ids begin so.
struct Family {
  std::string_view shown, begins;
};
constexpr Family kFamilies[] = {{"FP8", "fp8_"}, {"AWQ", "awq_"}, {"GPTQ", "gptq_"}, {"NVFP4", "nvfp4"}, {"INT8", "int8_"}, {"MLX", "mlx_"}, {"bitsandbytes 4-bit", "nf4"}, {"bitsandbytes 8-bit", "int8_bnb"}};

/// Scales and zero points of a matrix, whatever their size.
Count scales_of(WeightFormat format, Count rows, Count columns) {
  for (StoredPart& part : format.parts) part.bytes = Bytes{&part == &format.parts.front() ? 0 : 1};
  return Count{stored_bytes(format, rows, columns).value};
}

Count apart(Count a, Count b) { return a < b ? b - a : a - b; }

/// Of the schemes of that family the one whose layout has as many scales as the file's, and then as many bytes: groups tell them apart. "" for none.
std::string scheme_by_layout(const WeightCatalog& weights, const ImportedTensors& imported, std::string_view begins) {
  const StoredWeights& file = *imported.weights;
  std::string best;
  Count least_scales{0}, least_bytes{0};
  for (const WeightSchemeRow& row : weights.schemes()) {
    if (!row.id.starts_with(begins)) continue;
    const WeightFormat layout = weights.find(row.id)->formats.front();
    Count scales{0}, bytes{0};
    for (const StoredTensor& one : file.tensors) {
      const WeightFormat& own = file.formats[one.format];
      if (is_plain(own)) continue;
      scales += apart(scales_of(layout, one.rows, one.columns), scales_of(own, one.rows, one.columns));
      bytes += apart(Count{stored_bytes(layout, one.rows, one.columns).value}, Count{stored_bytes(own, one.rows, one.columns).value});
    }
    const bool is_nearer = scales < least_scales || (scales == least_scales && bytes < least_bytes);
    if (best.empty() || is_nearer) best = row.id, least_scales = scales, least_bytes = bytes;
  }
  return best;
}

/// The scheme that the file follows, and where it does the tensors that it stores otherwise.
ModelRequest stated_by_facts(const WeightCatalog& weights, const ImportedTensors& imported) {
  const Model& model = *imported.model;
  if (imported.file.kind == TensorFileKind::gguf) return request_of_model(weights, model, imported.file_type, imported.formats);
  const auto family = std::ranges::find(kFamilies, std::string_view{imported.file_type}, &Family::shown);
  const std::string scheme = imported.weights && family != std::end(kFamilies) ? scheme_by_layout(weights, imported, family->begins) : std::string{};
  return scheme.empty() ? request_of_model(weights, model, imported.file_type) : request_of_model(weights, model, scheme, imported.formats);
}

/// By the facts that a link can state, else by the catalogue.
ModelRequest stated(const Catalog& catalog, const ImportedTensors& imported, Issues& issues) {
  ModelRequest made = stated_by_facts(catalog.weights(), imported);
  if (!made.request.entries().empty()) return made;
  Model model;
  const ModelRow* const row = catalogued(catalog, imported, model);
  if (row == nullptr) return made;
  issues.push_back({Severity::note, "model", "The file is taken for " + row->name + ": its name says so, and its width, layers and parameters agree.",
                    "Give its config.json where it differs."});
  return request_of_model(catalog.weights(), row->id, model, imported.file_type, imported.formats);
}

} // namespace

Request request_of_tensors(const Catalog& catalog, const ImportedTensors& imported, Issues& issues) {
  if (!imported.model) return {};
  ModelRequest made = stated(catalog, imported, issues);
  if (imported.weights && !made.request.entries().empty()) report_difference(stored_bytes(*imported.model, *imported.weights), made.weights, issues);
  if (made.request.entries().empty() || imported.file.kind != TensorFileKind::gguf) return std::move(made.request);
  made.request.set("profile", std::ranges::any_of(imported.file.by_dtype, is_forked) ? "ik_llama_cpp" : "llama_cpp");
  return std::move(made.request);
}

} // namespace plimsoll::io
