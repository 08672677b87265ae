#include "answer/stored_as.hpp"

#include "catalog/quantization/import.hpp"
#include "text/compiled_value.hpp"

#include <utility>

namespace plimsoll::io {

// Every GGUF of gpt-oss, whatever its name says, has its experts in MXFP4: they are converted as they are, and most other types do not divide
// their 2,880 columns. Sizes of the published files: AlexsJones/llmfit, pull request 1059; ggml-org/llama.cpp, issue 15117.
std::optional<WeightScheme> stored_as(const WeightCatalog& weights, std::string_view id, std::string_view own_id) {
  std::optional<WeightScheme> scheme = weights.find(id);
  const WeightSchemeRow* const row = weights.find_row(id);
  const WeightFormat* const block = weights.find_format("ggml_mxfp4");
  if (!scheme || own_id != "mxfp4" || row == nullptr || row->engine != "llama.cpp" || block == nullptr) return scheme;
  WeightRule experts;
  experts.kinds = bit_of(TensorKind::experts);
  experts.matrix = Presence::yes;
  experts.format = scheme->formats.size();
  scheme->formats.push_back(*block);
  scheme->rules.insert(scheme->rules.begin() + static_cast<std::ptrdiff_t>(scheme->stated), std::move(experts)); // what is stated of a file holds
  return scheme;
}

ImportedScheme own_scheme(const WeightCatalog& weights, const Answer& answer) {
  if (answer.compiled_quantization.empty()) return scheme_of_quantization_config(weights, answer.quantization_config, answer.dtype);
  return import_quantization(weights, read_compiled(answer.compiled_quantization), answer.dtype);
}

std::string own_format(const Catalog& catalog, const Answer& answer) {
  if (answer.quantization_config.empty()) return "";
  const ImportedScheme own = own_scheme(catalog.weights(), answer);
  return own.scheme ? own.id : "";
}

} // namespace plimsoll::io
