// Which tensor gets which format, by kind, name and layer.
#include "plimsoll/catalog/weights.hpp"

#include <catch2/catch_test_macros.hpp>

#include <map>
#include <set>
#include <string>

using namespace plimsoll;

namespace {

const io::WeightCatalog& catalog() {
  static const io::WeightCatalog loaded = io::WeightCatalog::load();
  return loaded;
}

WeightScheme scheme(std::string_view id) {
  const auto found = catalog().find(id);
  REQUIRE(found);
  return *found;
}

Architecture llama_3_8b() {
  Layer layer;
  layer.attention = {.query_heads = Count{32}, .kv_heads = Count{8}, .head_dim = Count{128}};
  layer.mlp.intermediate_size = Count{14336};
  Architecture architecture;
  architecture.hidden_size = Count{4096};
  architecture.vocab_size = Count{128256};
  architecture.max_context = Count{8192};
  architecture.layers.assign(32, layer);
  return architecture;
}

/// Layers by format id, of the tensor of that name.
std::map<std::string, std::int64_t> layers_of(const Model& model, const StoredWeights& weights, std::string_view name) {
  std::map<std::string, std::int64_t> layers;
  for (const StoredTensor& stored : weights.tensors)
    if (model.tensors[stored.tensor].tensor.name == name) layers[weights.formats[stored.format].id] += stored.layers.value;
  return layers;
}

std::int64_t bytes(const Model& model, std::string_view id) { return stored_bytes(model, store(model, scheme(id))).value; }

using Layers = std::map<std::string, std::int64_t>;

} // namespace

TEST_CASE("plain formats count every parameter") {
  const Model model = make_model(llama_3_8b());
  constexpr std::int64_t n = 8'030'261'248;
  CHECK(bytes(model, "bf16") == 2 * n);
  CHECK(bytes(model, "fp16") == 2 * n);
  CHECK(bytes(model, "fp32") == 4 * n);
  CHECK(bytes(model, "fp8") == n);
  CHECK(store(model, scheme("bf16")).tensors.size() == model.tensors.size());
}

TEST_CASE("QLoRA base of Llama 3 8B") { // linear maps 6,979,321,856 numbers, the rest 1,050,939,392
  const Model model = make_model(llama_3_8b());
  constexpr std::int64_t matrices = 7 * 32, rest = 2 * 1'050'939'392LL;
  CHECK(bytes(model, "nf4") == 3'925'882'880LL + rest);
  CHECK(bytes(model, "nf4_double_quant") == 3'600'416'768LL + matrices * (64 + 1024 + 4) + rest);
}

TEST_CASE("mixes of Llama 3.1 8B in GGUF files, in bytes") {
  Architecture architecture = llama_3_8b();
  architecture.rotary_factors = Count{64};
  const Model model = make_model(architecture);
  const std::map<std::string_view, std::int64_t> published{
      {"iq1_s", 2011791616},  {"iq1_m", 2154135808},  {"iq2_xxs", 2391376128}, {"iq2_xs", 2597945600}, {"iq2_s", 2750652672},
      {"iq2_m", 2940444928},  {"q2_k_s", 2980978944}, {"q2_k", 3171295488},    {"iq3_xxs_imatrix", 3267076352},
      {"iq3_xs", 3510911232}, {"q3_k_s", 3656663296}, {"iq3_s", 3674489088},   {"iq3_m", 3776987392},  {"q3_k_m", 4011081984},
      {"q3_k_l", 4314120448}, {"iq4_xs", 4476526848}, {"q4_k_s", 4684833024},  {"iq4_nl", 4699513088}, {"q4_k_m", 4912898304},
      {"q5_k_s", 5591458048}, {"q5_k_m", 5725151488}, {"q6_k", 6588170496},    {"q8_0", 8532934912},   {"gguf_f16", 16061055232}};
  CHECK(published.size() == 24);
  for (const auto& [id, expected] : published) {
    INFO(id);
    CHECK(bytes(model, id) == expected);
  }
}

TEST_CASE("Q4_K_M favours the first and last layers and every third between") {
  const Model model = make_model(llama_3_8b());
  const StoredWeights weights = store(model, scheme("q4_k_m"));
  CHECK(layers_of(model, weights, "q_proj") == Layers{{"ggml_q4_k", 32}});
  CHECK(layers_of(model, weights, "v_proj") == Layers{{"ggml_q4_k", 16}, {"ggml_q6_k", 16}});
  CHECK(layers_of(model, weights, "down_proj") == Layers{{"ggml_q4_k", 16}, {"ggml_q6_k", 16}});
  CHECK(layers_of(model, weights, "lm_head") == Layers{{"ggml_q6_k", 1}});
  CHECK(layers_of(model, weights, "embed_tokens") == Layers{{"ggml_q4_k", 1}});
  CHECK(layers_of(model, weights, "norm") == Layers{{"ggml_f32", 33}});
}

TEST_CASE("layers count wherever their group stands") {
  // Value maps of 32 layers, of which the first half has a window: the first four are of one group, the first two of the others too.
  Architecture architecture = llama_3_8b();
  for (std::size_t i = 0; i < 16; ++i) architecture.layers[i].attention.window = Count{1024};
  const Model model = make_model(architecture);
  REQUIRE(model.groups.size() == 2);
  CHECK(layers_of(model, store(model, scheme("q4_k_s")), "v_proj") == Layers{{"ggml_q5_k", 4}, {"ggml_q4_k", 28}});
  CHECK(layers_of(model, store(model, scheme("q4_k_m")), "v_proj") == Layers{{"ggml_q4_k", 16}, {"ggml_q6_k", 16}});
}

TEST_CASE("value maps are counted among the layers that have them") {
  Architecture architecture = llama_3_8b(); // attention in every eighth layer only
  for (std::size_t i = 0; i < 32; ++i)
    if (i % 8 != 7) architecture.layers[i].attention = {};
  const Model model = make_model(architecture);
  CHECK(layers_of(model, store(model, scheme("q3_k_m")), "v_proj") == Layers{{"ggml_q5_k", 2}, {"ggml_q4_k", 2}});
  CHECK(layers_of(model, store(model, scheme("q3_k_m")), "down_proj") == Layers{{"ggml_q5_k", 2}, {"ggml_q4_k", 30}});
}

TEST_CASE("a tied table is stored as the head is") {
  Architecture architecture = llama_3_8b();
  architecture.tied_embeddings = true;
  const Model model = make_model(architecture);
  CHECK(layers_of(model, store(model, scheme("q4_k_m")), "embed_tokens") == Layers{{"ggml_q6_k", 1}});
  CHECK(layers_of(model, store(model, scheme("iq2_xs")), "embed_tokens") == Layers{{"ggml_q5_k", 1}});
}

TEST_CASE("columns that a format cannot hold fall back") {
  Architecture architecture = llama_3_8b();
  architecture.layers.resize(1);
  architecture.layers[0].mlp.intermediate_size = Count{1408}; // 5.5 blocks of 256, 44 of 32
  const Model model = make_model(architecture);
  CHECK(layers_of(model, store(model, scheme("q4_k_m")), "down_proj") == Layers{{"ggml_q8_0", 1}}); // Q6_K -> Q8_0
  CHECK(layers_of(model, store(model, scheme("q4_k_s")), "down_proj") == Layers{{"ggml_q5_0", 1}}); // Q4_K -> Q5_0
  architecture.layers[0].mlp.intermediate_size = Count{100};
  const Model odd = make_model(architecture);
  CHECK(layers_of(odd, store(odd, scheme("q4_k_s")), "down_proj") == Layers{{"ggml_f16", 1}});
}

TEST_CASE("models of eight experts get more bits for attention") {
  Architecture architecture = llama_3_8b();
  for (Layer& layer : architecture.layers) {
    layer.mlp = {};
    layer.moe = {.experts = Count{8}, .per_token = Count{2}, .expert_size = Count{14336}};
  }
  const Model mixtral = make_model(architecture);
  const StoredWeights weights = store(mixtral, scheme("q4_k_m"));
  CHECK(layers_of(mixtral, weights, "v_proj") == Layers{{"ggml_q8_0", 32}});
  CHECK(layers_of(mixtral, weights, "k_proj") == Layers{{"ggml_q8_0", 32}});
  CHECK(layers_of(mixtral, weights, "o_proj") == Layers{{"ggml_q5_k", 32}});
  CHECK(layers_of(mixtral, weights, "down_proj") == Layers{{"ggml_q4_k", 16}, {"ggml_q6_k", 16}});
  CHECK(layers_of(mixtral, weights, "gate") == Layers{{"ggml_f32", 32}});
  CHECK(layers_of(mixtral, store(mixtral, scheme("iq2_xs")), "k_proj") == Layers{{"ggml_q4_k", 32}});
  CHECK(layers_of(mixtral, store(mixtral, scheme("q3_k_l")), "o_proj") == Layers{{"ggml_q3_k", 32}});
}

TEST_CASE("fused query, key and value maps have one format") {
  Architecture architecture = llama_3_8b();
  for (Layer& layer : architecture.layers) layer.fused_projections = true;
  const Model model = make_model(architecture);
  for (std::string_view name : {"q_proj", "k_proj", "v_proj"}) {
    CHECK(layers_of(model, store(model, scheme("q4_k_m")), name) == Layers{{"ggml_q5_k", 32}});
    CHECK(layers_of(model, store(model, scheme("q5_k_m")), name) == Layers{{"ggml_q6_k", 32}});
  }
}

TEST_CASE("few query heads per value head get fewer bits") {
  Architecture architecture = llama_3_8b();
  for (Layer& layer : architecture.layers) layer.attention.kv_heads = Count{32};
  const Model model = make_model(architecture);
  CHECK(layers_of(model, store(model, scheme("q2_k")), "v_proj") == Layers{{"ggml_q3_k", 32}});
  CHECK(layers_of(model, store(model, scheme("iq2_xs")), "v_proj") == Layers{{"ggml_q2_k", 32}});
  CHECK(layers_of(model, store(model, scheme("iq3_xxs")), "v_proj") == Layers{{"ggml_iq3_s", 32}});
  CHECK(layers_of(model, store(model, scheme("iq3_xxs_imatrix")), "v_proj") == Layers{{"ggml_iq3_xxs", 32}});
}

TEST_CASE("the latent map is stored whole, in halves, or both") {
  Layer layer;
  layer.latent = {.heads = Count{128}, .query_rank = Count{1536}, .kv_rank = Count{512}, .nope_dim = Count{128}, .rope_dim = Count{64}, .value_dim = Count{128}};
  layer.mlp.intermediate_size = Count{18432};
  Architecture architecture;
  architecture.hidden_size = Count{7168};
  architecture.vocab_size = Count{129280};
  architecture.layers.assign(2, layer);
  const Model model = make_model(architecture);
  WeightScheme q8 = scheme("q8_0");
  CHECK(q8.latent_map == LatentMap::split);
  const auto size = [&](LatentMap map) {
    q8.latent_map = map;
    return stored_bytes(model, store(model, q8)).value;
  };
  constexpr std::int64_t map = 2 * (32768LL * 512 * 34 / 32);
  CHECK(size(LatentMap::split) == size(LatentMap::joined)); // as many numbers
  CHECK(size(LatentMap::both) == size(LatentMap::joined) + map);
  // The key half has rows of 128 numbers, too short for blocks of 256.
  CHECK(layers_of(model, store(model, scheme("q4_k_s")), "kv_b_proj") == Layers{{"ggml_q5_0", 2}, {"ggml_q4_k", 2}});
}

TEST_CASE("MXFP4 of gpt-oss takes experts only") {
  Layer layer;
  layer.attention = {.query_heads = Count{64}, .kv_heads = Count{8}, .head_dim = Count{64}};
  layer.moe = {.experts = Count{32}, .per_token = Count{4}, .expert_size = Count{2880}, .bias = true};
  Architecture architecture;
  architecture.hidden_size = Count{2880};
  architecture.vocab_size = Count{201088};
  architecture.layers.assign(2, layer);
  const Model model = make_model(architecture);
  const StoredWeights weights = store(model, scheme("mxfp4"));
  CHECK(layers_of(model, weights, "down_proj") == Layers{{"mxfp4_block", 2}});
  for (std::string_view name : {"q_proj", "gate", "down_proj.bias", "embed_tokens", "lm_head"})
    CHECK(layers_of(model, weights, name).begin()->first == "unquantised");
}

TEST_CASE("who quantises heads and embeddings") {
  const Model model = make_model(llama_3_8b());
  const auto format_of = [&](std::string_view id, std::string_view name) { return layers_of(model, store(model, scheme(id)), name).begin()->first; };
  for (std::string_view id : {"nf4", "int8_bnb", "gptq_4bit_g128", "awq_4bit_g128", "fp8_block", "nvfp4", "hqq_4bit_g64"}) {
    CHECK(format_of(id, "lm_head") == "unquantised");
    CHECK(format_of(id, "embed_tokens") == "unquantised");
    CHECK(format_of(id, "norm") == "unquantised");
    CHECK(format_of(id, "q_proj") == id);
  }
  CHECK(format_of("mlx_4bit_g64", "embed_tokens") == "mlx_4bit_g64");
  CHECK(format_of("mlx_4bit_g64", "lm_head") == "mlx_4bit_g64");
  CHECK(format_of("int4wo_64", "lm_head") == "int4wo_64");
  CHECK(format_of("int4wo_64", "embed_tokens") == "unquantised");
  CHECK(format_of("exl2_4.0bpw", "lm_head") == "exl2_head_6");
}

TEST_CASE("prediction layers are not part of the model's bytes") {
  Architecture architecture = llama_3_8b();
  const std::int64_t without = bytes(make_model(architecture), "bf16");
  architecture.extras.push_back({.name = "eh_proj", .kind = TensorKind::prediction, .rows = Count{4096}, .columns = Count{8192}});
  const Model model = make_model(architecture);
  const StoredWeights weights = store(model, scheme("bf16"));
  CHECK(stored_bytes(model, weights).value == without);
  CHECK(stored_bytes(model, weights, TensorKind::prediction).value == 2 * 4096 * 8192);
}

TEST_CASE("schemes are found by id, alias and number") {
  CHECK(scheme("Q4_K_M").id == "q4_k_m");
  CHECK(scheme("bfloat16").id == "bf16");
  CHECK(scheme("exl2_4.65bpw").id == "exl2_4.65bpw");
  CHECK(scheme("gptq_4bit_g1024").id == "gptq_4bit_g1024");
  for (std::string_view id : {"", "q4", "gptq_5bit_g128", "gptq_4bit_g", "gptq_4bit_g0128", "exl2_99bpw", "exl2_4.123bpw", "exl2_.5bpw",
                              "gptq_99999999999999999999bit_g128", "{bits}", "gptq_{bits}bit_g{group}"})
    CHECK_FALSE(catalog().find(id));
  CHECK_FALSE(catalog().find(std::string(100000, 'x')));
}

TEST_CASE("every scheme of the catalogue is complete") {
  const Model model = make_model(llama_3_8b());
  std::set<std::string> names;
  for (const io::WeightSchemeRow& row : catalog().schemes()) {
    INFO(row.id);
    CHECK(names.insert(row.id).second);
    for (const std::string& alias : row.aliases) CHECK(names.insert(alias).second);
    CHECK_FALSE(row.name.empty());
    CHECK_FALSE(row.engine.empty());
    CHECK_FALSE(row.citation.empty());
    const WeightScheme scheme_of_row = scheme(row.id);
    CHECK(scheme_of_row.id == row.id);
    const std::int64_t size = bytes(model, row.id);
    CHECK(size > 8'030'261'248 / 8);      // more than one bit per weight
    CHECK(size <= 4 * 8'030'261'248LL);
  }
  CHECK(catalog().schemes().size() > 80);
}

TEST_CASE("rotary tables") {
  CHECK(rotary_table_bytes(make_model(llama_3_8b()), Bytes{2}).value == 8192 * 128 * 2);
  Architecture architecture = llama_3_8b();
  architecture.layers[0].attention.rotary_dim = Count{64};
  CHECK(rotary_table_bytes(make_model(architecture), Bytes{2}).value == 8192 * (128 + 64) * 2);
  architecture.learned_positions = Count{8192};
  CHECK(rotary_table_bytes(make_model(architecture), Bytes{2}).value == 0);
}

TEST_CASE("storing is total") {
  CHECK(store(Model{}, scheme("q4_k_m")).tensors.empty());
  CHECK(store(make_model(llama_3_8b()), WeightScheme{}).tensors.empty());
  CHECK(stored_bytes(make_model(llama_3_8b()), store(make_model(llama_3_8b()), WeightScheme{})).value == 0);
}
