// quantization_config objects, damaged: read or refused with an issue, never anything else.
#include "mutate.hpp"
#include "texts.hpp"

#include "plimsoll/catalog/quantization.hpp"

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <span>

using namespace plimsoll;
using namespace plimsoll::fuzz;

namespace {

constexpr int kTries = 4000;

std::vector<std::string> good_texts() {
  return {
      R"({"quant_method": "bitsandbytes", "load_in_4bit": true, "bnb_4bit_quant_type": "nf4", "bnb_4bit_use_double_quant": true, "llm_int8_skip_modules": ["lm_head"]})",
      R"({"quant_method": "gptq", "bits": 4, "group_size": 128, "desc_act": true, "sym": true, "dynamic": {"-:model": {}}})",
      R"({"quant_method": "awq", "bits": 4, "group_size": 128, "zero_point": true, "modules_to_not_convert": ["visual", "model.layers.3.mlp"]})",
      R"({"quant_method": "fp8", "weight_block_size": [128, 128], "modules_to_not_convert": ["re:model\\.layers\\.0\\..*", "mlp.gate"]})",
      R"({"quant_method": "compressed-tensors", "format": "pack-quantized", "ignore": ["lm_head", "re:.*gate$"], "config_groups": {"a": {"targets":
          ["Linear"], "weights": {"num_bits": 4, "type": "int", "strategy": "group", "group_size": 128}}, "b": {"targets": ["re:.*down_proj"],
          "format": "float-quantized", "weights": {"num_bits": 8, "type": "float", "strategy": "block", "block_structure": [128, 128]}}}})",
      R"({"quant_method": "modelopt", "quantization": {"quant_algo": "NVFP4", "exclude_modules": ["model.layers.*.self_attn*", "lm_head"]}})",
      R"({"quant_method": "hqq", "quant_config": {"weight_quant_params": {"nbits": 4, "group_size": 64}}, "skip_modules": ["lm_head"]})",
      R"({"quant_method": "aqlm", "in_group_size": 8, "out_group_size": 1, "num_codebooks": 1, "nbits_per_codebook": 16})",
      R"({"quant_method": "exl2", "bits": 4.65, "head_bits": 6})",
      R"({"quant_method": "torchao", "quant_type": {"default": {"_type": "Int4WeightOnlyConfig", "_data": {"group_size": 64}}}})",
      R"({"group_size": 64, "bits": 4, "model.layers.0.mlp.gate": {"group_size": 64, "bits": 8}, "lm_head": false})"};
}

Model model() {
  Layer layer;
  layer.attention = {.query_heads = Count{8}, .kv_heads = Count{2}, .head_dim = Count{64}};
  layer.moe = {.experts = Count{4}, .per_token = Count{2}, .expert_size = Count{512}};
  Architecture architecture;
  architecture.hidden_size = Count{512};
  architecture.vocab_size = Count{1000};
  architecture.layers.assign(6, layer);
  return make_model(architecture);
}

std::string broken_by(const io::WeightCatalog& catalog, const Model& model, std::string_view text) {
  const io::ImportedScheme imported = io::scheme_of_quantization_config(catalog, text, "bfloat16");
  for (const Issue& issue : imported.issues)
    if (issue.field.empty() || issue.message.empty() || issue.remedy.empty()) return "an issue lacks its field, message or remedy";
  if (!imported.scheme) return has_errors(imported.issues) ? "" : "nothing was read, and no error tells why";
  if (has_errors(imported.issues)) return "a scheme in spite of an error";
  if (catalog.find(imported.id) == std::nullopt) return "the scheme's id " + imported.id + " is not in the catalogue";
  const Bytes bytes = stored_bytes(model, store(model, *imported.scheme));
  return bytes > Bytes{0} ? "" : "the scheme stores nothing";
}

} // namespace

TEST_CASE("a damaged quantization_config is read or refused", "[fuzz]") {
  const io::WeightCatalog catalog = io::WeightCatalog::load();
  const std::vector<std::string> texts = good_texts();
  const Model small = model();
  for (const std::string& text : texts) CHECK(broken_by(catalog, small, text) == "");
  Random random{34};
  for (int i = 0; i < kTries; ++i) {
    const std::string text = mutated(random.one_of(std::span<const std::string>{texts}), random);
    CAPTURE(i, text);
    REQUIRE(broken_by(catalog, small, text) == "");
  }
}

TEST_CASE("a quantization_config cut off anywhere is refused", "[fuzz]") {
  const io::WeightCatalog catalog = io::WeightCatalog::load();
  const Model small = model();
  for (const std::string& text : good_texts())
    for (std::size_t length = 0; length < text.size(); ++length) REQUIRE(broken_by(catalog, small, std::string_view{text}.substr(0, length)) == "");
}

TEST_CASE("a deeply nested quantization_config is refused", "[fuzz]") {
  const io::WeightCatalog catalog = io::WeightCatalog::load();
  const Model small = model();
  CHECK(broken_by(catalog, small, nested("[", "", "]", 100'000)) == "");
  CHECK(broken_by(catalog, small, R"({"quant_method":"awq","modules_to_not_convert":)" + nested("[", "", "]", 100'000) + "}") == "");
}

TEST_CASE("damaged ids of schemes are found or not", "[fuzz]") {
  const io::WeightCatalog catalog = io::WeightCatalog::load();
  Random random{55};
  for (int i = 0; i < kTries; ++i) {
    const std::string id = mutated(catalog.schemes()[random.below(catalog.schemes().size())].id, random);
    CAPTURE(i, id);
    if (const auto scheme = catalog.find(id)) REQUIRE_FALSE(scheme->formats.empty());
  }
}
