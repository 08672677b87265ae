// Methods that store small integers or codes: bitsandbytes, GPTQ, AWQ, AutoRound, HQQ, AQLM, ExLlama, quanto, torchao, EETQ, MLX.
#include "catalog/quantization/build.hpp"

#include "text/value.hpp"

#include <algorithm>
#include <array>

namespace plimsoll::io {

namespace {

constexpr std::int64_t kWidestGroup = 65536;

std::string text_of(std::int64_t number) { return std::to_string(number); }

/// "4.0", "4.25" from hundredths, as ids write them.
std::string decimals(std::int64_t hundredths) {
  std::string text = text_of(hundredths / 100) + "." + text_of(hundredths % 100 / 10);
  if (hundredths % 10 != 0) text += text_of(hundredths % 10);
  return text;
}

void read_bitsandbytes(const ObjectReader& reader, SchemeBuilder& builder) {
  const bool four = reader.flag("load_in_4bit", false) || reader.flag("_load_in_4bit", false);
  const bool eight = reader.flag("load_in_8bit", false) || reader.flag("_load_in_8bit", false);
  if (four == eight) {
    reader.error(four ? "load_in_8bit" : "load_in_4bit", four ? "Both 4 and 8 bits are asked for." : "Neither 4 nor 8 bits are asked for.",
                 "Set load_in_4bit or load_in_8bit to true, and the other to false.");
    return;
  }
  std::string id = "int8_bnb";
  if (four) {
    id = reader.text("bnb_4bit_quant_type", "fp4");
    if (id != "nf4" && id != "fp4") {
      reader.error("bnb_4bit_quant_type", "'bnb_4bit_quant_type' is " + quoted(std::string_view{id}) + ".", "State nf4 or fp4.");
      return;
    }
    if (reader.flag("bnb_4bit_use_double_quant", false)) id += "_double_quant";
  }
  if (builder.use(reader, "load_in_4bit", id)) builder.keep(reader, "llm_int8_skip_modules", reader.texts("llm_int8_skip_modules"));
}

void read_gptq(const ObjectReader& reader, SchemeBuilder& builder) {
  const auto bits = reader.integer("bits", std::nullopt, 2, 8);
  const auto group = reader.integer("group_size", 128, -1, kWidestGroup);
  if (!bits || !group) return;
  const std::string groups = *group <= 0 ? "channel" : "g" + text_of(*group);
  if (!builder.use(reader, *group > 0 && *group < 8 ? "group_size" : "bits", "gptq_" + text_of(*bits) + "bit_" + groups)) return;
  if (reader.flag("lm_head", false))
    builder.store_as(reader, "lm_head", {"lm_head"}, WeightFormat{builder.scheme().formats.front()});
  if (const Json* dynamic = reader.member("dynamic"); dynamic != nullptr && !dynamic->empty())
    reader.note("dynamic", "Bits that differ by module are not read; all modules are counted alike.", "Choose the weight format by hand if they matter.");
  builder.keep(reader, "modules_to_not_convert", reader.texts("modules_to_not_convert"));
}

void read_awq(const ObjectReader& reader, SchemeBuilder& builder) {
  const char* bits_key = reader.has("w_bit") ? "w_bit" : "bits";
  const char* group_key = reader.has("q_group_size") ? "q_group_size" : "group_size";
  const auto bits = reader.integer(bits_key, 4, 4, 4);
  const auto group = reader.integer(group_key, 128, 8, kWidestGroup);
  if (!bits || !group) return;
  if (builder.use(reader, group_key, "awq_4bit_g" + text_of(*group)))
    builder.keep(reader, "modules_to_not_convert", reader.texts("modules_to_not_convert"));
}

void read_auto_round(const ObjectReader& reader, SchemeBuilder& builder) {
  const std::string packing = reader.text("packing_format", "auto_round:auto_gptq");
  if (packing.find("awq") != std::string::npos) read_awq(reader, builder);
  else read_gptq(reader, builder);
}

void read_hqq(const ObjectReader& reader, SchemeBuilder& builder) {
  const auto config = reader.object("quant_config");
  const auto nested = config ? config->object("weight_quant_params") : std::nullopt;
  const ObjectReader& numbers = nested ? *nested : config ? *config : reader;
  const char* bits_key = numbers.has("nbits") ? "nbits" : "bits";
  const auto bits = numbers.integer(bits_key, 4, 1, 8);
  const auto group = numbers.integer("group_size", 64, 8, kWidestGroup);
  if (!bits || !group) return;
  if (builder.use(numbers, bits_key, "hqq_" + text_of(*bits) + "bit_g" + text_of(*group)))
    builder.keep(reader, "skip_modules", reader.texts("skip_modules"));
}

void read_aqlm(const ObjectReader& reader, SchemeBuilder& builder) {
  const auto codebooks = reader.integer("num_codebooks", 1, 1, 16);
  const auto bits = reader.integer("nbits_per_codebook", 16, 1, 16);
  const auto inputs = reader.integer("in_group_size", 8, 8, 8), outputs = reader.integer("out_group_size", 1, 1, 1);
  if (!codebooks || !bits || !inputs || !outputs) return;
  if (builder.use(reader, "num_codebooks", "aqlm_" + text_of(*codebooks) + "x" + text_of(*bits)))
    builder.keep(reader, "linear_weights_not_to_quantize", reader.texts("linear_weights_not_to_quantize"));
}

void read_exllama(const ObjectReader& reader, SchemeBuilder& builder, const std::string& name) {
  constexpr std::int64_t kWhole = 16; // the head is left alone
  const auto bits = reader.hundredths("bits", std::nullopt, 100, 800);
  const auto head = reader.integer("head_bits", 6, 1, kWhole);
  if (!bits || !head || !builder.use(reader, "bits", name + "_" + decimals(*bits) + "bpw") || *head == 6) return;
  if (*head == kWhole) return builder.keep_head();
  if (const WeightFormat* format = builder.catalog().find_format(name + "_head_" + text_of(*head)))
    return builder.store_as(reader, "head_bits", {"lm_head"}, *format);
  reader.error("head_bits", "A head of " + text_of(*head) + " bits is not known.", "State 6, 8 or 16.");
}

void read_exl2(const ObjectReader& reader, SchemeBuilder& builder) { read_exllama(reader, builder, "exl2"); }
void read_exl3(const ObjectReader& reader, SchemeBuilder& builder) { read_exllama(reader, builder, "exl3"); }

void read_quanto(const ObjectReader& reader, SchemeBuilder& builder) {
  const std::string weights = reader.text("weights", "int8");
  if (builder.use(reader, "weights", "quanto_" + weights))
    builder.keep(reader, "modules_to_not_convert", reader.texts("modules_to_not_convert"));
}

void read_eetq(const ObjectReader& reader, SchemeBuilder& builder) {
  const std::string weights = reader.text("weights", "int8");
  if (weights != "int8") return reader.error("weights", "'weights' is " + quoted(std::string_view{weights}) + ".", "State int8: EETQ has no other.");
  if (builder.use(reader, "weights", "int8_weight_only"))
    builder.keep(reader, "modules_to_not_convert", reader.texts("modules_to_not_convert"));
}

struct TorchaoType {
  std::string_view word; ///< in lower case without underscores, part of the type's name
  std::string_view id;   ///< ends with '_' where the group size follows
};
constexpr auto kTorchaoTypes = std::to_array<TorchaoType>({{"int4weightonly", "int4wo_"},
                                                           {"int8weightonly", "int8wo"},
                                                           {"int8dynamicactivationint8weight", "int8_channel"},
                                                           {"float8weightonly", "float8wo"},
                                                           {"float8dynamicactivationfloat8weight", "float8wo"}});

void read_torchao(const ObjectReader& reader, SchemeBuilder& builder) {
  // A name with arguments, or {"default": {"_type": "Int4WeightOnlyConfig", "_data": {"group_size": 128}}}.
  std::optional<ObjectReader> inner, arguments = reader.object("quant_type_kwargs");
  std::string type;
  if (const Json* stated = reader.member("quant_type"); stated != nullptr && stated->is_object()) {
    inner = reader.object("quant_type");
    if (const auto standard = inner->object("default")) inner.emplace(*standard);
    type = inner->text("_type");
    arguments = inner->object("_data");
  } else {
    type = reader.text("quant_type");
  }
  std::erase(type, '_');
  const auto known = std::ranges::find_if(kTorchaoTypes, [&](const TorchaoType& row) { return type.starts_with(row.word); });
  if (known == kTorchaoTypes.end())
    return reader.error("quant_type", "'quant_type' is " + quoted(std::string_view{type}) + ", which is not known.",
                        "State int4_weight_only, int8_weight_only, int8_dynamic_activation_int8_weight or float8_weight_only.");
  std::string id{known->id};
  if (id.ends_with('_')) {
    const auto group = (arguments ? *arguments : reader).integer("group_size", 128, 32, 256);
    if (!group) return;
    id += text_of(*group);
  }
  if (!builder.use(reader, "quant_type", id)) return;
  if (!reader.flag("include_input_output_embeddings", false)) builder.keep_head();
  builder.keep(reader, "modules_to_not_convert", reader.texts("modules_to_not_convert"));
}

struct Named {
  std::string_view name;
  Method method;
};
constexpr auto kMethods = std::to_array<Named>({{"bitsandbytes", read_bitsandbytes},
                                                {"gptq", read_gptq},
                                                {"awq", read_awq},
                                                {"auto-round", read_auto_round},
                                                {"hqq", read_hqq},
                                                {"aqlm", read_aqlm},
                                                {"exl2", read_exl2},
                                                {"exl3", read_exl3},
                                                {"quanto", read_quanto},
                                                {"torchao", read_torchao},
                                                {"eetq", read_eetq}});

std::optional<std::string> mlx_id(const ObjectReader& reader) {
  const std::string mode = reader.text("mode", "affine");
  if (mode == "mxfp4" || mode == "mxfp8" || mode == "nvfp4") return "mlx_" + mode;
  if (mode != "affine") {
    reader.error("mode", "'mode' is " + quoted(std::string_view{mode}) + ".", "State affine, mxfp4, mxfp8 or nvfp4.");
    return std::nullopt;
  }
  const auto bits = reader.integer("bits", std::nullopt, 2, 8), group = reader.integer("group_size", 64, 1, kWidestGroup);
  if (!bits || !group) return std::nullopt;
  return "mlx_" + text_of(*bits) + "bit_g" + text_of(*group);
}

} // namespace

Method integer_method(std::string_view name) {
  const auto at = std::ranges::find(kMethods, name, &Named::name);
  return at == kMethods.end() ? nullptr : at->method;
}

std::vector<std::string> integer_methods() {
  std::vector<std::string> names;
  for (const Named& named : kMethods) names.emplace_back(named.name);
  return names;
}

void read_mlx(const ObjectReader& reader, SchemeBuilder& builder) {
  const auto id = mlx_id(reader);
  if (!id || !builder.use(reader, "bits", *id)) return;
  // Other keys name modules: false leaves one alone, an object gives it other numbers.
  std::vector<std::string> kept;
  for (const auto& [name, value] : reader.json().items()) {
    if (value.is_boolean() && !value.get<bool>()) kept.push_back(name);
    if (!value.is_object()) continue;
    const ObjectReader module{value, reader.field(name), reader.issues()};
    const auto other = mlx_id(module);
    if (!other || *other == *id) continue;
    if (const auto scheme = builder.catalog().find(*other)) builder.store_as(reader, name, {name}, scheme->formats.front());
    else module.error("bits", "There is no storage scheme " + quoted(std::string_view{*other}) + ".", "State 2, 3, 4, 5, 6 or 8 bits.");
  }
  builder.keep(reader, "", kept);
}

} // namespace plimsoll::io
