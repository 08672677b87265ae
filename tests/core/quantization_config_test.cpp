// quantization_config of published checkpoints -> the scheme that stores them; and what bad ones get.
#include "plimsoll/catalog/quantization.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace plimsoll;
using io::ImportedScheme;

namespace {

const io::WeightCatalog& catalog() {
  static const io::WeightCatalog loaded = io::WeightCatalog::load();
  return loaded;
}

ImportedScheme import(std::string_view text, std::string_view dtype = "bfloat16") {
  return io::scheme_of_quantization_config(catalog(), text, dtype);
}

std::string id_of(std::string_view text) {
  const ImportedScheme imported = import(text);
  for (const Issue& issue : imported.issues) UNSCOPED_INFO(issue.field << ": " << issue.message);
  CHECK(imported.issues.empty());
  CHECK(imported.scheme.has_value());
  return imported.as_listed ? imported.id : imported.id + " changed";
}

/// The field of the first issue; checks that it is an error without a scheme, with a remedy.
std::string error_of(std::string_view text) {
  const ImportedScheme imported = import(text);
  CHECK_FALSE(imported.scheme);
  REQUIRE_FALSE(imported.issues.empty());
  const Issue& issue = imported.issues.front();
  CHECK(issue.severity == Severity::error);
  CHECK_FALSE(issue.message.empty());
  CHECK_FALSE(issue.remedy.empty());
  return issue.field;
}

Model model(int layers, bool experts = false) {
  Layer layer;
  layer.attention = {.query_heads = Count{32}, .kv_heads = Count{8}, .head_dim = Count{128}};
  if (experts) layer.moe = {.experts = Count{8}, .per_token = Count{2}, .expert_size = Count{1024}};
  else layer.mlp.intermediate_size = Count{14336};
  Architecture architecture;
  architecture.hidden_size = Count{4096};
  architecture.vocab_size = Count{32000};
  architecture.layers.assign(static_cast<std::size_t>(layers), layer);
  return make_model(architecture);
}

/// Layers of that tensor in that format.
std::int64_t layers_in(const ImportedScheme& imported, const Model& model, std::string_view name, std::string_view format) {
  REQUIRE(imported.scheme);
  const StoredWeights weights = store(model, *imported.scheme);
  std::int64_t layers = 0;
  for (const StoredTensor& stored : weights.tensors)
    if (model.tensors[stored.tensor].tensor.name == name && weights.formats[stored.format].id == format) layers += stored.layers.value;
  return layers;
}

} // namespace

TEST_CASE("bitsandbytes") {
  CHECK(id_of(R"({"quant_method": "bitsandbytes", "load_in_4bit": true, "load_in_8bit": false, "bnb_4bit_quant_type": "nf4",
                  "bnb_4bit_use_double_quant": true, "bnb_4bit_compute_dtype": "bfloat16", "llm_int8_skip_modules": null})") == "nf4_double_quant");
  CHECK(id_of(R"({"quant_method": "bitsandbytes", "load_in_4bit": true, "bnb_4bit_quant_type": "nf4"})") == "nf4");
  CHECK(id_of(R"({"quant_method": "bitsandbytes", "load_in_4bit": true})") == "fp4");
  CHECK(id_of(R"({"load_in_8bit": true, "llm_int8_skip_modules": ["lm_head"]})") == "int8_bnb");
  CHECK(error_of(R"({"quant_method": "bitsandbytes"})") == "quantization_config.load_in_4bit");
  CHECK(error_of(R"({"quant_method": "bitsandbytes", "load_in_4bit": true, "load_in_8bit": true})") == "quantization_config.load_in_8bit");
  CHECK(error_of(R"({"quant_method": "bitsandbytes", "load_in_4bit": true, "bnb_4bit_quant_type": "nf5"})") == "quantization_config.bnb_4bit_quant_type");
}

TEST_CASE("GPTQ, AWQ and AutoRound") {
  CHECK(id_of(R"({"quant_method": "gptq", "bits": 4, "group_size": 128, "desc_act": true, "sym": true})") == "gptq_4bit_g128");
  CHECK(id_of(R"({"quant_method": "gptq", "bits": 8, "group_size": -1})") == "gptq_8bit_channel");
  CHECK(id_of(R"({"quant_method": "awq", "bits": 4, "group_size": 128, "zero_point": true, "version": "gemm", "modules_to_not_convert": null})") == "awq_4bit_g128");
  CHECK(id_of(R"({"quant_method": "awq", "w_bit": 4, "q_group_size": 64})") == "awq_4bit_g64");
  CHECK(id_of(R"({"quant_method": "awq", "bits": 4, "modules_to_not_convert": ["visual", "lm_head", "model.layers.3.mlp.gate"]})") == "awq_4bit_g128");
  CHECK(id_of(R"({"quant_method": "auto-round", "bits": 4, "group_size": 128, "packing_format": "auto_round:auto_gptq"})") == "gptq_4bit_g128");
  CHECK(error_of(R"({"quant_method": "gptq", "bits": 5, "group_size": 128})") == "quantization_config.bits");
  CHECK(error_of(R"({"quant_method": "gptq", "group_size": 128})") == "quantization_config.bits");
  CHECK(error_of(R"({"quant_method": "gptq", "bits": "four"})") == "quantization_config.bits");
  CHECK(error_of(R"({"quant_method": "gptq", "bits": 4, "group_size": 18446744073709551615})") == "quantization_config.group_size");
  CHECK(error_of(R"({"quant_method": "awq", "bits": 3})") == "quantization_config.bits");
}

TEST_CASE("GPTQ may quantise the head") {
  const ImportedScheme imported = import(R"({"quant_method": "gptq", "bits": 4, "group_size": 128, "lm_head": true})");
  CHECK_FALSE(imported.as_listed);
  CHECK(layers_in(imported, model(2), "lm_head", "gptq_4bit_g128") == 1);
}

TEST_CASE("FP8 and FP4") {
  CHECK(id_of(R"({"quant_method": "fp8", "fmt": "e4m3", "weight_block_size": [128, 128], "activation_scheme": "dynamic"})") == "fp8_block");
  CHECK(id_of(R"({"quant_method": "fp8", "activation_scheme": "static"})") == "fp8_tensor");
  CHECK(id_of(R"({"quant_method": "fbgemm_fp8", "modules_to_not_convert": ["lm_head"]})") == "fp8_channel");
  CHECK(id_of(R"({"quant_method": "mxfp4", "modules_to_not_convert": ["model.layers.*.self_attn", "model.layers.*.mlp.router",
                  "model.embed_tokens", "lm_head"]})") == "mxfp4");
  CHECK(id_of(R"({"quant_method": "modelopt", "quant_algo": "NVFP4", "exclude_modules": ["lm_head"]})") == "nvfp4");
  CHECK(id_of(R"({"producer": {"name": "modelopt"}, "quantization": {"quant_algo": "FP8", "kv_cache_quant_algo": "FP8"}, "quant_method": "modelopt"})") == "fp8_tensor");
  CHECK(error_of(R"({"quant_method": "modelopt", "quant_algo": "INT3"})") == "quantization_config.quant_algo");
  CHECK(error_of(R"({"quant_method": "fp8", "weight_block_size": [128]})") == "quantization_config.weight_block_size");
  CHECK(error_of(R"({"quant_method": "fp8", "weight_block_size": [0, 128]})") == "quantization_config.weight_block_size");
  const ImportedScheme tiles = import(R"({"quant_method": "fp8", "weight_block_size": [64, 128]})");
  REQUIRE(tiles.scheme);
  CHECK_FALSE(tiles.as_listed);
  CHECK(stored_bytes(tiles.scheme->formats.front(), Count{128}, Count{128}).value == 128 * 128 + 2 * 4);
}

TEST_CASE("compressed-tensors") {
  CHECK(id_of(R"({"quant_method": "compressed-tensors", "format": "pack-quantized", "ignore": ["lm_head"], "config_groups": {"group_0":
                  {"targets": ["Linear"], "weights": {"num_bits": 4, "type": "int", "strategy": "group", "group_size": 128, "symmetric": true}}}})") == "w4a16_g128");
  CHECK(id_of(R"({"quant_method": "compressed-tensors", "format": "pack-quantized", "config_groups": {"group_0":
                  {"targets": ["Linear"], "weights": {"num_bits": 4, "type": "int", "strategy": "group", "group_size": 128, "symmetric": false}}}})") == "w4a16_g128_asym");
  CHECK(id_of(R"({"quant_method": "compressed-tensors", "format": "int-quantized", "config_groups": {"group_0":
                  {"targets": ["Linear"], "weights": {"num_bits": 8, "type": "int", "strategy": "channel"}}}})") == "int8_channel");
  CHECK(id_of(R"({"quant_method": "compressed-tensors", "format": "float-quantized", "ignore": ["re:.*lm_head", "re:.*mlp.gate$", "re:visual.*"],
                  "config_groups": {"group_0": {"targets": ["Linear"], "weights": {"num_bits": 8, "type": "float", "strategy": "channel"}}}})") == "fp8_channel");
  CHECK(id_of(R"({"quant_method": "compressed-tensors", "config_groups": {"group_0": {"targets": ["Linear"], "weights":
                  {"num_bits": 8, "type": "float", "strategy": "block", "block_structure": [128, 128]}}}})") == "fp8_block");
  CHECK(id_of(R"({"quant_method": "compressed-tensors", "format": "nvfp4-pack-quantized", "config_groups": {"group_0": {"targets": ["Linear"], "weights":
                  {"num_bits": 4, "type": "float", "strategy": "tensor_group", "group_size": 16}}}})") == "nvfp4");
  CHECK(error_of(R"({"quant_method": "compressed-tensors"})") == "quantization_config.config_groups");
  CHECK(error_of(R"({"quant_method": "compressed-tensors", "config_groups": {}})") == "quantization_config.config_groups");
  CHECK(error_of(R"({"quant_method": "compressed-tensors", "config_groups": {"g": {"weights": {"num_bits": 99}}}})") == "quantization_config.config_groups.g.weights.num_bits");
  CHECK(error_of(R"({"quant_method": "compressed-tensors", "config_groups": {"g": {"weights": {"type": "complex"}}}})") == "quantization_config.config_groups.g.weights.type");
}

TEST_CASE("compressed-tensors with two layouts") {
  const ImportedScheme mixed = import(R"({"quant_method": "compressed-tensors", "format": "mixed-precision", "ignore": ["lm_head"], "config_groups": {
    "group_0": {"targets": ["Linear"], "format": "nvfp4-pack-quantized", "weights": {"num_bits": 4, "type": "float", "group_size": 16}},
    "group_1": {"targets": ["re:.*self_attn.*"], "format": "float-quantized", "weights": {"num_bits": 8, "type": "float", "strategy": "channel"}}}})");
  CHECK(mixed.id == "nvfp4");
  CHECK_FALSE(mixed.as_listed);
  CHECK(layers_in(mixed, model(4), "q_proj", "fp8_channel") == 4);
  CHECK(layers_in(mixed, model(4), "down_proj", "nvfp4") == 4);
}

TEST_CASE("codebooks, ExLlama, quanto, torchao, EETQ and MLX") {
  CHECK(id_of(R"({"quant_method": "hqq", "quant_config": {"weight_quant_params": {"nbits": 4, "group_size": 64}}, "skip_modules": ["lm_head"]})") == "hqq_4bit_g64");
  CHECK(id_of(R"({"quant_method": "aqlm", "in_group_size": 8, "out_group_size": 1, "num_codebooks": 1, "nbits_per_codebook": 16})") == "aqlm_1x16");
  CHECK(id_of(R"({"quant_method": "exl2", "version": "0.1.0", "bits": 4.65, "head_bits": 6})") == "exl2_4.65bpw");
  CHECK(id_of(R"({"quant_method": "exl3", "bits": 3, "head_bits": 6})") == "exl3_3.0bpw");
  CHECK(id_of(R"({"quant_method": "quanto", "weights": "int4"})") == "quanto_int4");
  CHECK(id_of(R"({"quant_method": "eetq", "weights": "int8"})") == "int8_weight_only");
  CHECK(id_of(R"({"group_size": 64, "bits": 4})") == "mlx_4bit_g64");
  CHECK(id_of(R"({"group_size": 64, "bits": 6, "mode": "affine"})") == "mlx_6bit_g64");
  CHECK(error_of(R"({"quant_method": "exl2", "bits": 40})") == "quantization_config.bits");
  CHECK(error_of(R"({"quant_method": "exl2", "bits": 1e300})") == "quantization_config.bits");
  CHECK(error_of(R"({"quant_method": "quanto", "weights": "int3"})") == "quantization_config.weights");
  CHECK(error_of(R"({"quant_method": "aqlm", "in_group_size": 16, "num_codebooks": 1, "nbits_per_codebook": 16})") == "quantization_config.in_group_size");
}

TEST_CASE("torchao leaves the head to the model unless asked") {
  for (std::string_view text : {R"({"quant_method": "torchao", "quant_type": "int4_weight_only", "quant_type_kwargs": {"group_size": 64}})",
                                R"({"quant_method": "torchao", "quant_type": {"default": {"_type": "Int4WeightOnlyConfig", "_data": {"group_size": 64}}}})"}) {
    const ImportedScheme imported = import(text);
    CHECK(imported.id == "int4wo_64");
    CHECK(layers_in(imported, model(2), "lm_head", "unquantised") == 1);
    CHECK(layers_in(imported, model(2), "q_proj", "int4wo_64") == 2);
  }
  CHECK(id_of(R"({"quant_method": "torchao", "quant_type": "int8_weight_only", "include_input_output_embeddings": true})") == "int8wo");
  CHECK(error_of(R"({"quant_method": "torchao", "quant_type": "uint7"})") == "quantization_config.quant_type");
}

TEST_CASE("the head of ExLlama has bits of its own") {
  const ImportedScheme imported = import(R"({"quant_method": "exl2", "bits": 4.0, "head_bits": 8})");
  CHECK_FALSE(imported.as_listed);
  CHECK(layers_in(imported, model(1), "lm_head", "exl2_head_8") == 1);
  const io::ImportedScheme six = import(R"({"quant_method": "exl2", "bits": 4.0})");
  const Model one = model(1);
  const std::int64_t more = stored_bytes(one, store(one, *imported.scheme)).value - stored_bytes(one, store(one, *six.scheme)).value;
  CHECK(more == 32000 * 4096 / 800 * (800 - 630)); // 6 stands for 6.3 on average
  CHECK(layers_in(import(R"({"quant_method": "exl3", "bits": 4.0, "head_bits": 16})"), one, "lm_head", "unquantised") == 1);
  CHECK(error_of(R"({"quant_method": "exl2", "bits": 4.0, "head_bits": 7})") == "quantization_config.head_bits");
}

TEST_CASE("modules that are left alone") {
  const ImportedScheme imported = import(R"({"quant_method": "fp8", "weight_block_size": [128, 128],
    "modules_to_not_convert": ["lm_head", "model.layers.0.self_attn.q_proj", "model.layers.2.self_attn.q_proj", "model.layers.1"]})");
  CHECK(imported.issues.empty());
  CHECK(imported.id == "fp8_block");
  CHECK_FALSE(imported.as_listed);
  CHECK(layers_in(imported, model(4), "q_proj", "unquantised") == 3);
  CHECK(layers_in(imported, model(4), "k_proj", "unquantised") == 1);
  CHECK(layers_in(imported, model(4), "down_proj", "fp8_block") == 3);
}

TEST_CASE("modules that nobody knows are a note") {
  const ImportedScheme imported = import(R"({"quant_method": "awq", "modules_to_not_convert": ["flux_capacitor", "re:.*(q|k)_proj", "lm_head"]})");
  REQUIRE(imported.scheme);
  REQUIRE(imported.issues.size() == 1);
  CHECK(imported.issues.front().severity == Severity::note);
  CHECK(imported.issues.front().field == "quantization_config.modules_to_not_convert");
  CHECK(imported.issues.front().message.find("flux_capacitor") != std::string::npos);
}

TEST_CASE("MLX states exceptions under the module's name") {
  const ImportedScheme imported = import(R"({"group_size": 64, "bits": 4, "model.layers.0.mlp.gate": {"group_size": 64, "bits": 8}, "lm_head": false})");
  const Model mixture = model(2, true);
  CHECK(layers_in(imported, mixture, "gate", "mlx_8bit_g64") == 1);
  CHECK(layers_in(imported, mixture, "gate", "mlx_4bit_g64") == 1);
  CHECK(layers_in(imported, mixture, "lm_head", "unquantised") == 1);
}

TEST_CASE("other bits for a whole layer are for its matrices only") {
  const ImportedScheme imported = import(R"({"group_size": 64, "bits": 4, "model.layers.0": {"group_size": 64, "bits": 8}})");
  const Model small = model(2);
  CHECK(layers_in(imported, small, "q_proj", "mlx_8bit_g64") == 1);
  CHECK(layers_in(imported, small, "norm", "unquantised") == 3);
}

TEST_CASE("what is not quantised has the dtype of the checkpoint") {
  const Model small = model(1);
  const auto head = [&](std::string_view dtype) {
    const ImportedScheme imported = import(R"({"quant_method": "gptq", "bits": 4, "group_size": 128})", dtype);
    REQUIRE(imported.scheme);
    return stored_bytes(small, store(small, *imported.scheme), TensorKind::head).value;
  };
  CHECK(head("float16") == 2 * 32000 * 4096);
  CHECK(head("torch.float32") == 4 * 32000 * 4096);
  const ImportedScheme odd = import(R"({"quant_method": "gptq", "bits": 4})", "float12");
  REQUIRE(odd.scheme);
  REQUIRE(odd.issues.size() == 1);
  CHECK(odd.issues.front().field == "torch_dtype");
}

TEST_CASE("dtypes") {
  const auto id = [](std::string_view dtype) { return io::scheme_of_dtype(catalog(), dtype).id; };
  CHECK(id("bfloat16") == "bf16");
  CHECK(id("torch.float16") == "fp16");
  CHECK(id("float32") == "fp32");
  CHECK(id("float8_e4m3fn") == "fp8");
  CHECK(id("") == "bf16");
  const ImportedScheme odd = io::scheme_of_dtype(catalog(), "float12");
  CHECK_FALSE(odd.scheme);
  REQUIRE(odd.issues.size() == 1);
  CHECK(odd.issues.front().severity == Severity::error);
}

TEST_CASE("texts that are no quantization_config") {
  for (std::string_view text : {"", "4", "[]", "null", "{", "\"gptq\"", "{\"quant_method\": 4}", "{}", R"({"quant_method": "magic"})",
                                R"({"quant_method": "compressed-tensors", "config_groups": [1]})", R"({"quant_method": "hqq", "quant_config": 4})",
                                R"({"quant_method": "torchao", "quant_type": {"default": 3}})", R"({"bits": {}})"}) {
    INFO(text);
    CHECK(error_of(text).starts_with("quantization_config"));
  }
  std::string deep = R"({"quant_method": "awq", "modules_to_not_convert": [)";
  for (int i = 0; i < 5000; ++i) deep += "\"model.layers." + std::to_string(i) + ".mlp.down_proj\",";
  deep += "\"lm_head\"]}";
  const ImportedScheme many = import(deep);
  REQUIRE(many.scheme);
  CHECK(many.scheme->rules.size() < 20); // layers of one name share a rule
}

TEST_CASE("experts of DeepSeek-V4 are in FP4 beside FP8") {
  const ImportedScheme imported = import(R"({"quant_method": "fp8", "fmt": "e4m3", "weight_block_size": [128, 128], "expert_dtype": "fp4"})");
  CHECK(imported.issues.empty());
  const Model sparse = model(4, true), dense = model(4);
  CHECK(layers_in(imported, sparse, "gate_proj", "mxfp4_block") == 4);
  CHECK(layers_in(imported, sparse, "q_proj", "fp8_block") == 4);
  CHECK(layers_in(imported, dense, "gate_proj", "fp8_block") == 4);
  CHECK(id_of(R"({"quant_method": "fp8", "weight_block_size": [128, 128], "expert_dtype": "fp8"})") == "fp8_block");
  CHECK(error_of(R"({"quant_method": "fp8", "weight_block_size": [128, 128], "expert_dtype": "int3"})") == "quantization_config.expert_dtype");
}

TEST_CASE("alternatives of a pattern are names of their own, and maps directly in an MLP are no experts'") {
  const std::string config = R"({"quant_method": "fp8", "weight_block_size": [128, 128], "modules_to_not_convert": ["re:.*mlp\\.(gate|up|gate_up|down)_proj.*"]})";
  const ImportedScheme imported = import(config);
  CHECK(imported.issues.empty());
  CHECK(layers_in(imported, model(4), "gate_proj", "unquantised") == 4);
  CHECK(layers_in(imported, model(4, true), "gate_proj", "unquantised") == 0);
  const ImportedScheme wild = import(R"({"quant_method": "fp8", "weight_block_size": [128, 128], "modules_to_not_convert": ["re:.*mlp.*gate_proj"]})");
  CHECK(layers_in(wild, model(4, true), "gate_proj", "unquantised") == 4);
}
