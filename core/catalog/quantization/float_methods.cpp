// Methods that store small floating-point numbers: fp8 (DeepSeek, Qwen), fbgemm, mxfp4 (gpt-oss), ModelOpt, and compressed-tensors,
// which stores integers too.
#include "catalog/quantization/build.hpp"

#include <algorithm>
#include <array>

namespace plimsoll::io {

namespace {

std::vector<std::string> exceptions(const ObjectReader& reader, std::string_view& key) {
  for (const char* name : {"modules_to_not_convert", "ignored_layers", "exclude_modules", "ignore"})
    if (reader.has(name)) {
      key = name;
      return reader.texts(name);
    }
  return {};
}

void keep_exceptions(const ObjectReader& reader, SchemeBuilder& builder) {
  std::string_view key = "modules_to_not_convert";
  const auto texts = exceptions(reader, key);
  builder.keep(reader, key, texts);
}

/// Sets the tiles that share a scale, where they are not the usual ones. [rows, columns] as stated.
void set_tiles(const ObjectReader& reader, std::string_view key, const Json& stated, SchemeBuilder& builder) {
  const auto side = [](const Json& value) { return value.is_number_integer() ? value.get<std::int64_t>() : 0; };
  if (!stated.is_array() || stated.size() != 2 || side(stated[0]) < 1 || side(stated[1]) < 1)
    return reader.error(key, "'" + std::string{key} + "' is " + quoted(stated) + ".", "State two whole numbers, as in [128, 128].");
  StoredPart& scales = builder.scheme().formats.front().parts.back();
  if (scales.rows == Count{side(stated[0])} && scales.columns == Count{side(stated[1])}) return;
  scales.rows = Count{side(stated[0])};
  scales.columns = Count{side(stated[1])};
  builder.change();
}

/// "expert_dtype": DeepSeek-V4 keeps experts in FP4 with a scale for 32 of them, and the rest in FP8.
void store_experts(const ObjectReader& reader, SchemeBuilder& builder) {
  const std::string dtype = reader.text("expert_dtype", "fp8");
  if (dtype == "fp8") return;
  const WeightFormat* const format = dtype == "fp4" ? builder.catalog().find_format("mxfp4_block") : nullptr;
  if (format == nullptr) return reader.error("expert_dtype", "'expert_dtype' is " + quoted(std::string_view{dtype}) + ".", "State fp8 or fp4.");
  builder.store_as(reader, "expert_dtype", {"mlp.experts"}, *format);
}

void read_fp8(const ObjectReader& reader, SchemeBuilder& builder) {
  const Json* block = reader.member("weight_block_size");
  if (!builder.use(reader, "quant_method", block != nullptr ? "fp8_block" : "fp8_tensor")) return;
  if (block != nullptr) set_tiles(reader, "weight_block_size", *block, builder);
  store_experts(reader, builder);
  keep_exceptions(reader, builder);
}

void read_fbgemm(const ObjectReader& reader, SchemeBuilder& builder) {
  if (builder.use(reader, "quant_method", "fp8_channel")) keep_exceptions(reader, builder);
}

void read_mxfp4(const ObjectReader& reader, SchemeBuilder& builder) {
  if (builder.use(reader, "quant_method", "mxfp4")) keep_exceptions(reader, builder);
}

struct Algorithm {
  std::string_view name;
  std::string_view id;
};
constexpr auto kModelopt = std::to_array<Algorithm>({{"fp8", "fp8_tensor"},
                                                     {"fp8_per_channel_per_token", "fp8_channel"},
                                                     {"fp8_pb_wo", "fp8_block"},
                                                     {"nvfp4", "nvfp4"},
                                                     {"nvfp4_awq", "nvfp4"},
                                                     {"mxfp8", "mxfp8"},
                                                     {"int8_sq", "int8_channel"},
                                                     {"w8a16", "int8_weight_only"},
                                                     {"w4a16", "int4_weight_only"}});

void read_modelopt(const ObjectReader& reader, SchemeBuilder& builder) {
  const auto inner = reader.has("quant_algo") ? std::nullopt : reader.object("quantization"); // hf_quant_config.json nests it
  const ObjectReader& config = inner ? *inner : reader;
  const std::string name = config.text("quant_algo");
  const auto algorithm = std::ranges::find(kModelopt, name, &Algorithm::name);
  if (algorithm == kModelopt.end())
    return config.error("quant_algo", "'quant_algo' is " + (name.empty() ? "missing" : quoted(std::string_view{name})) + ".",
                        "State FP8, FP8_PB_WO, NVFP4, MXFP8, INT8_SQ, W8A16 or W4A16.");
  if (builder.use(config, "quant_algo", std::string{algorithm->id})) keep_exceptions(config, builder);
}

struct Named {
  std::string_view name;
  Method method;
};
constexpr auto kMethods = std::to_array<Named>({{"compressed-tensors", read_compressed_tensors},
                                                {"fp8", read_fp8},
                                                {"fbgemm_fp8", read_fbgemm},
                                                {"mxfp4", read_mxfp4},
                                                {"modelopt", read_modelopt}});

} // namespace

Method float_method(std::string_view name) {
  if (name == "modelopt_fp4") name = "modelopt";
  const auto at = std::ranges::find(kMethods, name, &Named::name);
  return at == kMethods.end() ? nullptr : at->method;
}

std::vector<std::string> float_methods() {
  std::vector<std::string> names;
  for (const Named& named : kMethods) names.emplace_back(named.name);
  return names;
}

} // namespace plimsoll::io
