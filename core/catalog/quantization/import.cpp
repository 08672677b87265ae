#include "catalog/quantization/import.hpp"

#include "catalog/quantization/build.hpp"
#include "text/value.hpp"

#include <algorithm>
#include <array>

namespace plimsoll::io {

namespace {

struct Dtype {
  std::string_view name;
  std::string_view scheme;
  std::int64_t bytes;
};
constexpr auto kDtypes = std::to_array<Dtype>({{"", "bf16", 2},
                                               {"auto", "bf16", 2},
                                               {"bfloat16", "bf16", 2},
                                               {"float16", "fp16", 2},
                                               {"half", "fp16", 2},
                                               {"float32", "fp32", 4},
                                               {"float", "fp32", 4},
                                               {"float8_e4m3fn", "fp8", 1},
                                               {"float8_e5m2", "fp8", 1}});

const Dtype* dtype_of(std::string_view text) {
  if (text.starts_with("torch.")) text.remove_prefix(6);
  const std::string name = lower_case(text);
  const auto at = std::ranges::find(kDtypes, name, &Dtype::name);
  return at == kDtypes.end() ? nullptr : &*at;
}

Issue unknown_dtype(std::string_view text, Severity severity) {
  return {severity, "torch_dtype", "The dtype " + quoted(text) + " is not known.", "State bfloat16, float16, float32 or float8_e4m3fn."};
}

/// What is not quantised has the dtype of the checkpoint.
void set_unquantised(WeightScheme& scheme, Bytes bytes) {
  const auto at = std::ranges::find(scheme.formats, "unquantised", &WeightFormat::id);
  if (at != scheme.formats.end() && !at->parts.empty()) at->parts.front().bytes = bytes;
}

void read_method(const ObjectReader& reader, SchemeBuilder& builder) {
  const std::string name = reader.text("quant_method");
  if (name.empty()) {
    const bool modelopt = reader.has("quant_algo") || reader.text("producer").find("modelopt") != std::string::npos;
    if (modelopt) return float_method("modelopt")(reader, builder);
    if (reader.has("load_in_4bit") || reader.has("load_in_8bit")) return integer_method("bitsandbytes")(reader, builder);
    if (reader.has("bits") || reader.has("mode")) return read_mlx(reader, builder);
  }
  if (const Method method = integer_method(name)) return method(reader, builder);
  if (const Method method = float_method(name)) return method(reader, builder);
  std::vector<std::string> known = integer_methods();
  for (std::string& other : float_methods()) known.push_back(std::move(other));
  reader.error("quant_method", "The method " + (name.empty() ? std::string{"is missing"} : quoted(std::string_view{name}) + " is not known") + ".",
               "Choose the weight format by hand, or state " + joined_with_or(known) + ".");
}

} // namespace

ImportedScheme import_quantization(const WeightCatalog& catalog, const Json& config, std::string_view dtype, std::string_view path) {
  ImportedScheme result;
  if (!config.is_object()) {
    result.issues.push_back({Severity::error, std::string{path}, "The quantisation is " + quoted(config) + ", not an object.",
                             "State an object in braces with quant_method."});
    return result;
  }
  SchemeBuilder builder{catalog, result};
  read_method(ObjectReader{config, std::string{path}, result.issues}, builder);
  if (has_errors(result.issues)) result.scheme.reset();
  if (!result.scheme) return result;
  const Dtype* plain = dtype_of(dtype);
  if (plain == nullptr) result.issues.push_back(unknown_dtype(dtype, Severity::warning));
  else if (plain->bytes == 4) {
    set_unquantised(*result.scheme, Bytes{4});
    result.as_listed = false;
  }
  return result;
}

ImportedScheme scheme_of_quantization_config(const WeightCatalog& catalog, std::string_view text, std::string_view dtype) {
  const ParsedJson parsed = parse_json(text);
  if (parsed.ok) return import_quantization(catalog, parsed.value, dtype);
  ImportedScheme result;
  result.issues.push_back({Severity::error, "quantization_config", parsed.error, "Give the JSON object as it stands in config.json."});
  return result;
}

ImportedScheme scheme_of_dtype(const WeightCatalog& catalog, std::string_view dtype) {
  ImportedScheme result;
  const Dtype* plain = dtype_of(dtype);
  if (plain == nullptr) {
    result.issues.push_back(unknown_dtype(dtype, Severity::error));
    return result;
  }
  result.id = plain->scheme;
  result.scheme = catalog.find(result.id);
  result.as_listed = true;
  return result;
}

} // namespace plimsoll::io
