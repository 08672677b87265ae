// Real and broken config.json files.
#include "plimsoll/architectures/huggingface.hpp"

#include "plimsoll/method/fields.hpp"
#include "plimsoll/method/parameters.hpp"
#include "plimsoll/results/api.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>

using namespace plimsoll;

namespace {

const std::string kLlama = R"({"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 4096, "num_hidden_layers": 32,
  "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 128256,
  "max_position_embeddings": 8192, "tie_word_embeddings": false, "torch_dtype": "bfloat16"})";
const std::string kMixtral = R"({"model_type": "mixtral", "hidden_size": 4096, "intermediate_size": 14336, "num_attention_heads": 32,
  "num_hidden_layers": 32, "num_key_value_heads": 8, "num_local_experts": 8, "num_experts_per_tok": 2, "sliding_window": null,
  "max_position_embeddings": 32768, "vocab_size": 32000, "tie_word_embeddings": false})";
const std::string kDeepSeek = R"({"model_type": "deepseek_v2", "first_k_dense_replace": 1, "hidden_size": 2048, "intermediate_size": 10944,
  "kv_lora_rank": 512, "moe_intermediate_size": 1408, "moe_layer_freq": 1, "n_routed_experts": 64, "n_shared_experts": 2,
  "num_attention_heads": 16, "num_experts_per_tok": 6, "num_hidden_layers": 27, "q_lora_rank": null, "qk_nope_head_dim": 128,
  "qk_rope_head_dim": 64, "v_head_dim": 128, "topk_method": "greedy", "max_position_embeddings": 163840, "vocab_size": 102400})";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

/// `text` with these members in front.
std::string with(const std::string& text, const std::string& members) { return "{" + members + ", " + text.substr(1); }

const Issue* issue_at(const Issues& issues, std::string_view path) {
  const auto at = std::ranges::find(issues, path, &Issue::field);
  return at == issues.end() ? nullptr : &*at;
}

/// The import must fail with an error at that path.
void fails_at(const std::string& text, const std::string& path, const io::Overrides& overrides = {}) {
  const io::ImportedModel imported = io::import_huggingface_config(text, overrides);
  INFO(text << " at " << path);
  CHECK(!imported.model);
  const Issue* issue = issue_at(imported.issues, path);
  for (const Issue& other : imported.issues) UNSCOPED_INFO(other.field << ": " << other.message);
  REQUIRE(issue != nullptr);
  CHECK(issue->severity == Severity::error);
  CHECK(!issue->message.empty());
  CHECK(!issue->remedy.empty());
}

Model model_of(const std::string& text, const io::Overrides& overrides = {}) {
  const io::ImportedModel imported = io::import_huggingface_config(text, overrides);
  INFO(text);
  for (const Issue& issue : imported.issues) UNSCOPED_INFO(issue.field << ": " << issue.message);
  REQUIRE(imported.model);
  return *imported.model;
}

std::int64_t count(const std::string& text, const io::Overrides& overrides = {}) { return count_parameters(model_of(text, overrides)).value; }

io::Overrides change(const char* field, std::int64_t value) {
  io::Overrides overrides;
  overrides.facts[field] = value;
  return overrides;
}

std::int64_t layers_with(const Model& model, AttentionPattern pattern) {
  std::int64_t layers = 0;
  for (const LayerGroup& group : model.groups)
    if (group.attention.query_heads > Count{0} && group.attention.pattern == pattern) layers += group.layers.value;
  return layers;
}

std::int64_t fact(const io::ImportedModel& imported, std::string_view name) {
  const std::size_t index = fact_index(*find_field(name));
  REQUIRE(imported.facts.known[index]);
  return imported.facts.values[index];
}

} // namespace

TEST_CASE("a Llama config gives the exact count") {
  const io::ImportedModel imported = io::import_huggingface_config(kLlama);
  REQUIRE(imported.model);
  CHECK(imported.issues.empty());
  CHECK(imported.architecture == "llama");
  CHECK(imported.dtype == "bfloat16");
  CHECK(imported.quantization_config.empty());
  CHECK(count_parameters(*imported.model) == Count{8'030'261'248});
}

TEST_CASE("a changed fact wins over the file and is what the facts say") {
  const io::ImportedModel imported = io::import_huggingface_config(kLlama, change("kv_heads", 16));
  REQUIRE(imported.model);
  CHECK(fact(imported, "kv_heads") == 16);
  CHECK(fact(imported, "query_heads") == 32);
  CHECK(count_parameters(*imported.model) == Count{8'030'261'248 + 32LL * 2 * 8 * 128 * 4096});
  CHECK(count(kLlama, change("qkv_bias", 1)) == 8'030'261'248 + 32LL * (4096 + 2 * 1024));
  CHECK(count(kLlama, change("tied_embeddings", 1)) == 8'030'261'248 - 128256LL * 4096);
  CHECK(count(kLlama, change("norm", static_cast<std::int64_t>(NormKind::layernorm))) == 8'030'261'248 + 65LL * 4096);
  CHECK(count(kLlama, change("layers", 33)) == 8'030'261'248 + 218'112'000);
  CHECK(count(kMixtral, change("experts", 4)) == 46'702'792'704 - 32LL * 4 * (3LL * 4096 * 14336 + 4096));
  CHECK(count_active_parameters(model_of(kMixtral, change("experts_per_token", 1))) < count_active_parameters(model_of(kMixtral)));
  CHECK(count(kDeepSeek, change("dense_layers", 27)) < count(kDeepSeek) / 6);
  CHECK(layers_with(model_of(kLlama, io::Overrides{"", {{"sliding_layers", 8}, {"sliding_window", 4096}}}), AttentionPattern::sliding) == 8);
}

TEST_CASE("a fact that the family does not have is said to have no effect") {
  const io::ImportedModel imported = io::import_huggingface_config(kLlama, change("experts", 8));
  REQUIRE(imported.model);
  const Issue* issue = issue_at(imported.issues, "experts");
  REQUIRE(issue != nullptr);
  CHECK(issue->severity == Severity::warning);
  CHECK(issue->message.find("Llama") != std::string::npos);
  CHECK(count_parameters(*imported.model) == Count{8'030'261'248});
}

TEST_CASE("impossible changes are named by their fact, impossible files by their path") {
  fails_at(kLlama, "kv_heads", change("kv_heads", 5));
  fails_at(kMixtral, "experts_per_token", change("experts_per_token", 9));
  fails_at(kLlama, "sliding_layers", io::Overrides{"", {{"sliding_layers", 33}, {"sliding_window", 16}}});
  fails_at(kLlama, "sliding_window", change("sliding_layers", 3));
  fails_at(replaced(kMixtral, "\"num_experts_per_tok\": 2", "\"num_experts_per_tok\": 9"), "num_experts_per_tok");
}

TEST_CASE("what was imported survives the road through a query") {
  const std::string gemma = R"({"model_type": "gemma3", "text_config": {"model_type": "gemma3_text", "hidden_size": 2560,
    "intermediate_size": 10240, "num_hidden_layers": 34, "sliding_window": 1024}, "vision_config": {"model_type": "siglip_vision_model",
    "hidden_size": 1152, "intermediate_size": 4304, "num_hidden_layers": 27, "patch_size": 14, "image_size": 896}})";
  const Model model = model_of(gemma);
  CHECK(count_parameters(model) == Count{3'880'263'168}); // the language model of gemma-3-4b-it
  CHECK(count_parameters(model, TensorKind::vision) == Count{419'816'304});
  CHECK(layers_with(model, AttentionPattern::sliding) == 29);
  const io::Answer answer = io::answer(test::catalog(), io::request_of_config(gemma));
  REQUIRE(answer.ok);
  CHECK(count_parameters(answer.inputs.model) == Count{3'880'263'168});
  CHECK(answer.inputs.model.id == "custom");
  const io::Answer again = io::answer_query(test::catalog(), io::canonical_query(answer) + "&kv_heads=8");
  REQUIRE(again.ok);
  CHECK(again.find_field("kv_heads")->default_text == "4");
  CHECK(!again.find_field("experts")->applies);
}

TEST_CASE("every missing, mistyped or impossible fact is named by its path") {
  for (const char* key : {"hidden_size", "num_hidden_layers", "num_attention_heads"})
    fails_at(replaced(kLlama, "\"" + std::string{key} + "\"", "\"absent\""), key);
  fails_at(replaced(kLlama, "4096", "\"4096\""), "hidden_size");
  fails_at(replaced(kLlama, "4096", "-4096"), "hidden_size");
  fails_at(replaced(kLlama, "4096", "0"), "hidden_size");
  fails_at(replaced(kLlama, "4096", "true"), "hidden_size");
  fails_at(replaced(kLlama, "4096", "[4096]"), "hidden_size");
  fails_at(replaced(kLlama, "4096", "{}"), "hidden_size");
  fails_at(replaced(kLlama, "4096", "4096.5"), "hidden_size");
  fails_at(replaced(kLlama, "4096", "1e300"), "hidden_size");
  fails_at(replaced(kLlama, "4096", "NaN"), "hidden_size");
  fails_at(replaced(kLlama, "4096", "Infinity"), "hidden_size");
  fails_at(replaced(kLlama, "4096", "18446744073709551615"), "hidden_size");
  fails_at(replaced(kLlama, "4096", "4100"), "head_dim");
  fails_at(replaced(kLlama, "\"num_hidden_layers\": 32", "\"num_hidden_layers\": 10001"), "num_hidden_layers");
  fails_at(replaced(kLlama, "\"num_key_value_heads\": 8", "\"num_key_value_heads\": 5"), "num_key_value_heads");
  fails_at(replaced(kLlama, "\"num_key_value_heads\": 8", "\"num_key_value_heads\": 64"), "num_key_value_heads");
  fails_at(replaced(kLlama, "false", "\"no\""), "tie_word_embeddings");
  fails_at(with(kLlama, "\"hidden_act\": 3"), "hidden_act");
  fails_at(R"({"model_type": "gemma3", "text_config": {"hidden_size": "x", "num_hidden_layers": 1, "intermediate_size": 1}})",
           "text_config.hidden_size");
}

TEST_CASE("broken lists, patterns and nested objects are named by their path") {
  const std::string olmo = replaced(kLlama, "\"llama\"", "\"olmo3\"");
  fails_at(with(olmo, "\"layer_types\": \"full_attention\""), "layer_types");
  fails_at(with(olmo, "\"layer_types\": []"), "layer_types");
  fails_at(with(olmo, "\"layer_types\": [\"full_attention\"]"), "layer_types");
  fails_at(with(olmo, "\"layer_types\": [1, 2]"), "layer_types");
  fails_at(with(replaced(olmo, "\"num_hidden_layers\": 32", "\"num_hidden_layers\": 1"), "\"layer_types\": [\"mystery\"]"), "layer_types");
  fails_at(with(olmo, "\"sliding_window_pattern\": \"LXG\""), "sliding_window_pattern");
  fails_at(with(kDeepSeek, "\"mlp_layer_types\": [\"sparse\"]"), "mlp_layer_types");
  fails_at(replaced(kDeepSeek, "\"moe_layer_freq\": 1", "\"moe_layer_freq\": [1, 0]"), "moe_layer_freq");
  fails_at(replaced(kDeepSeek, "\"n_routed_experts\": 64,", ""), "num_local_experts");
  fails_at(replaced(replaced(kDeepSeek, "deepseek_v2", "deepseek"), "\"moe_intermediate_size\": 1408,", ""), "moe_intermediate_size");
  fails_at(R"({"model_type": "nemotron_h", "hidden_size": 64, "num_attention_heads": 2, "num_key_value_heads": 2, "intermediate_size": 8, "hybrid_override_pattern": "MXM"})",
           "hybrid_override_pattern");
  fails_at(R"({"model_type": "nemotron_h", "hidden_size": 64, "num_attention_heads": 2, "num_key_value_heads": 2, "intermediate_size": 8})", "hybrid_override_pattern");
  fails_at(R"({"model_type": "kimi_linear", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2, "kv_lora_rank": 8, "num_experts": 2, "num_experts_per_token": 1})",
           "linear_attn_config");
  fails_at(R"({"model_type": "nemotron-nas", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2})", "block_configs");
  fails_at(R"({"model_type": "zamba2", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2})", "layers_block_type");
}

TEST_CASE("an unknown architecture is named, with the nearest and a way out") {
  fails_at(replaced(kLlama, "\"llama\"", "\"lama9\""), "model_type");
  fails_at(replaced(kLlama, "\"llama\"", "17"), "model_type");
  fails_at(replaced(kLlama, "\"model_type\"", "\"type\""), "model_type");
  const std::string unknown = replaced(kLlama, "\"llama\"", "\"lama9\"");
  const std::string remedy = io::import_huggingface_config(unknown).issues.front().remedy;
  CHECK(remedy.find("llama") != std::string::npos);
  CHECK(remedy.find("architecture=") != std::string::npos);
  CHECK(count(unknown, io::Overrides{"llama", {}}) == 8'030'261'248);
  fails_at(unknown, "architecture", io::Overrides{"mystery", {}});
}

TEST_CASE("a config is read as the architecture that people state") {
  const std::string unknown = replaced(kLlama, "\"llama\"", "\"lama9\"");
  io::Request request;
  request.set("config", unknown);
  CHECK(!io::answer(test::catalog(), request).ok);
  request.set("architecture", "llama");
  const io::Answer answer = io::answer(test::catalog(), request);
  REQUIRE(answer.ok);
  CHECK(count_parameters(answer.inputs.model) == Count{8'030'261'248});
}

TEST_CASE("text that is no config is told where it goes wrong") {
  for (const char* text : {"", "{", "[]", "null", "hello", "{\"model_type\": \"llama\",}"}) fails_at(text, "");
  CHECK(io::import_huggingface_config("{\n \"a\": 1,\n}").issues.front().message.find("line 3") != std::string::npos);
  CHECK(io::import_huggingface_config("{\n \"a\": Infinity, NaN}").issues.front().message.find("line 2, column 20") != std::string::npos);
  fails_at(std::string(5 << 20, ' '), "");
}

TEST_CASE("Infinity and NaN, which Python writes, stand where nobody reads them") {
  CHECK(count(with(kLlama, R"("time_step_limit": [0.0, Infinity], "a": -Infinity, "b": NaN, "c": "NaN Infinity \" -Infinity")")) == 8'030'261'248);
}

TEST_CASE("whole numbers with a fraction of zero are whole") { CHECK(count(replaced(kLlama, "4096", "4096.0")) == 8'030'261'248); }

TEST_CASE("windows that are switched off or never reached do not count") {
  const std::string qwen = R"({"model_type": "qwen2", "hidden_size": 896, "num_hidden_layers": 24, "num_attention_heads": 14,
    "num_key_value_heads": 2, "intermediate_size": 4864, "vocab_size": 151936, "max_position_embeddings": 131072,
    "sliding_window": 32768, "use_sliding_window": false, "max_window_layers": 21, "tie_word_embeddings": true})";
  CHECK(layers_with(model_of(qwen), AttentionPattern::sliding) == 0);
  CHECK(layers_with(model_of(replaced(qwen, "window\": false", "window\": true")), AttentionPattern::sliding) == 3);
  const std::string beyond = replaced(replaced(kLlama, "\"llama\"", "\"phi3\""), "8192", "131072, \"sliding_window\": 262144");
  CHECK(layers_with(model_of(beyond), AttentionPattern::sliding) == 0);
}

TEST_CASE("an absent window means the class's own, null means none") {
  const std::string mistral = replaced(kLlama, "\"llama\"", "\"mistral\"");
  CHECK(layers_with(model_of(mistral), AttentionPattern::sliding) == 32);
  CHECK(layers_with(model_of(with(mistral, "\"sliding_window\": null")), AttentionPattern::sliding) == 0);
  CHECK(layers_with(model_of(with(mistral, "\"sliding_window\": 1024")), AttentionPattern::sliding) == 32);
}

TEST_CASE("patterns of windows: lists, numbers, letters") {
  const std::string exaone = with(replaced(kLlama, "\"llama\"", "\"exaone4\""), "\"sliding_window\": 1024");
  CHECK(layers_with(model_of(exaone), AttentionPattern::sliding) == 24);
  CHECK(layers_with(model_of(with(exaone, "\"sliding_window_pattern\": 8")), AttentionPattern::sliding) == 28);
  CHECK(layers_with(model_of(with(exaone, "\"sliding_window_pattern\": \"LG\"")), AttentionPattern::sliding) == 16);
  CHECK(layers_with(model_of(exaone, change("full_attention_interval", 2)), AttentionPattern::sliding) == 16);
  const std::string chunked = R"({"model_type": "llama4_text", "hidden_size": 512, "num_hidden_layers": 8, "num_attention_heads": 8,
    "intermediate_size": 64, "num_local_experts": 2, "no_rope_layers": []})";
  CHECK(layers_with(model_of(chunked), AttentionPattern::chunked) == 6);
}

TEST_CASE("an absent tie means what the class means") {
  const std::string open = replaced(kLlama, "\"tie_word_embeddings\": false, ", "");
  CHECK(!model_of(open).tied_embeddings);
  for (const char* type : {"gemma", "cohere", "smollm3", "starcoder2", "ernie4_5"}) {
    INFO(type);
    CHECK(model_of(replaced(open, "\"llama\"", "\"" + std::string{type} + "\"")).tied_embeddings);
  }
  CHECK(model_of(R"({"model_type": "any", "tie_word_embeddings": true, "text_config": )" + replaced(open, "\"llama\"", "\"qwen2\"") + "}").tied_embeddings);
}

TEST_CASE("nested files leave out what equals the class") {
  // LLaVA 1.5: 7,063,427,072 parameters with its CLIP tower and projector (the element count of its published file).
  const Model llava = model_of(R"({"model_type": "llava", "text_config": {"model_type": "llama", "vocab_size": 32064, "max_position_embeddings": 4096},
    "vision_config": {"model_type": "clip_vision_model", "hidden_size": 1024, "intermediate_size": 4096, "num_hidden_layers": 24,
    "num_attention_heads": 16, "image_size": 336, "patch_size": 14, "projection_dim": 768}})");
  CHECK(count_parameters(llava) + count_parameters(llava, TensorKind::vision) == Count{7'063'427'072});
  // Qwen2-VL keeps the language model outside; its tower has 675,759,104 parameters.
  const Model qwen = model_of(R"({"model_type": "qwen2_vl", "hidden_size": 3584, "intermediate_size": 18944, "num_attention_heads": 28,
    "num_hidden_layers": 28, "num_key_value_heads": 4, "vocab_size": 152064, "max_position_embeddings": 32768,
    "tie_word_embeddings": false, "vision_config": {"depth": 32, "embed_dim": 1280, "mlp_ratio": 4, "num_heads": 16,
    "hidden_size": 3584, "patch_size": 14, "spatial_merge_size": 2, "temporal_patch_size": 2}})");
  CHECK(count_parameters(qwen) == Count{7'615'616'512});
  CHECK(count_parameters(qwen, TensorKind::vision) == Count{675'759'104});
  // Qwen2.5-VL 7B: 8,292,166,656 in all.
  const Model later = model_of(R"({"model_type": "qwen2_5_vl", "hidden_size": 3584, "intermediate_size": 18944, "num_attention_heads": 28,
    "num_hidden_layers": 28, "num_key_value_heads": 4, "vocab_size": 152064, "max_position_embeddings": 128000,
    "tie_word_embeddings": false, "vision_config": {"depth": 32, "hidden_size": 1280, "intermediate_size": 3420, "out_hidden_size": 3584,
    "num_heads": 16, "patch_size": 14, "spatial_merge_size": 2, "temporal_patch_size": 2}})");
  CHECK(count_parameters(later) + count_parameters(later, TensorKind::vision) == Count{8'292'166'656});
}

TEST_CASE("towers and prediction layers stand beside the language model's count") {
  const std::string plain = kDeepSeek, predicting = with(kDeepSeek, "\"num_nextn_predict_layers\": 1");
  CHECK(count(plain) == count(predicting));
  CHECK(count_parameters(model_of(predicting), TensorKind::prediction) > Count{500'000'000});
  const io::ImportedModel audio = io::import_huggingface_config(with(kLlama, "\"audio_config\": {}, \"vision_config\": {\"model_type\": \"mystery\"}"));
  REQUIRE(audio.model);
  CHECK(issue_at(audio.issues, "audio_config")->severity == Severity::note);
  CHECK(issue_at(audio.issues, "vision_config")->severity == Severity::note);
}

TEST_CASE("known sizes of models whose files are not in the catalogue") {
  CHECK(count(R"({"model_type": "bart", "d_model": 1024, "encoder_layers": 12, "decoder_layers": 12, "encoder_attention_heads": 16,
    "decoder_attention_heads": 16, "encoder_ffn_dim": 4096, "decoder_ffn_dim": 4096, "vocab_size": 50265, "max_position_embeddings": 1024})") == 406'291'456);
  CHECK(count(R"({"model_type": "mbart", "d_model": 1024, "encoder_layers": 12, "decoder_layers": 12, "encoder_attention_heads": 16,
    "decoder_attention_heads": 16, "encoder_ffn_dim": 4096, "decoder_ffn_dim": 4096, "vocab_size": 250054, "max_position_embeddings": 1024})") == 610'879'488);
  CHECK(count(R"({"model_type": "mpnet", "hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "intermediate_size": 3072,
    "vocab_size": 30527, "max_position_embeddings": 514, "relative_attention_num_buckets": 32})") == 109'486'464);
}

TEST_CASE("known sizes of models of neighbouring families") {
  CHECK(count(R"({"model_type": "openai-gpt", "n_embd": 768, "n_layer": 12, "n_head": 12, "n_positions": 512, "vocab_size": 40478})") == 116'534'784);
  // Llama 3.2 Vision: 32 layers of Llama 3 8B, eight that attend to the image, and eight more rows of the token table.
  CHECK(count(R"({"model_type": "mllama", "text_config": {"model_type": "mllama_text_model"}})") ==
        8'030'261'248 + 8LL * (218'112'000 + 2 * 128 + 2) + 8LL * 4096);
  CHECK(count(R"({"model_type": "nemotron_h", "hidden_size": 64, "num_attention_heads": 2, "num_key_value_heads": 2, "layers_block_type": ["linear_attention", "full_attention", "mlp", "moe"]})") ==
        count(R"({"model_type": "nemotron_h", "hidden_size": 64, "num_attention_heads": 2, "num_key_value_heads": 2, "hybrid_override_pattern": "M*-E"})"));
}

TEST_CASE("how weights are stored is passed on as it stands in the file") {
  const io::ImportedModel quantised = io::import_huggingface_config(with(kLlama, R"("quantization_config": {"bits": 4, "quant_method": "gptq"})"));
  REQUIRE(quantised.model);
  CHECK(quantised.quantization_config == R"({"bits":4,"quant_method":"gptq"})");
  CHECK(count_parameters(*quantised.model) == Count{8'030'261'248});
}

TEST_CASE("the import as JSON reproduces the model") {
  const io::Answer from_query = io::answer_query(test::catalog(), [] {
    const std::string printed = io::import_config_json(kMixtral);
    CHECK(printed.find("\"parameters\":46702792704") != std::string::npos);
    CHECK(printed.find("\"active_parameters\":12879925248") != std::string::npos);
    CHECK(printed.find("\"kind\":\"experts\"") != std::string::npos);
    const std::size_t at = printed.rfind("\"query\":\"") + 9;
    return printed.substr(at, printed.find('"', at) - at);
  }());
  CHECK(count_parameters(from_query.inputs.model) == Count{46'702'792'704});
}

TEST_CASE("reduced configs drop what nobody reads and what equals the class") {
  const std::string reduced = io::reduced_config(with(kLlama, "\"transformers_version\": \"4.40\", \"rope_theta\": 1e6, \"attention_bias\": false"));
  for (const char* dropped : {"transformers_version", "rope_theta", "attention_bias", "architectures", "tie_word_embeddings"}) {
    INFO(reduced);
    CHECK(reduced.find(dropped) == std::string::npos);
  }
  CHECK(count(reduced) == 8'030'261'248);
  CHECK(io::reduced_config("{") == "{");
}

TEST_CASE("links of models that people described by facts alone still work") {
  const std::string sizes = "model=custom&hidden_size=2048&layers=32&query_heads=32&kv_heads=8&head_dim=128&intermediate_size=14336&vocab_size=128256";
  const io::Answer answer = io::answer_query(test::catalog(), sizes + "&norm=layernorm&parallel_block=true&qk_norm=per_head");
  REQUIRE(answer.ok);
  CHECK(answer.inputs.model.hidden_size == Count{2048});
  CHECK(answer.inputs.model.pattern.size() == 32);
  CHECK(answer.inputs.model.norm == NormKind::layernorm);
  CHECK(answer.inputs.model.groups.front().parallel);
  CHECK(answer.inputs.model.groups.front().attention.head_dim == Count{128});
  const io::Answer sparse = io::answer_query(test::catalog(), sizes + "&experts=8&dense_layers=2");
  REQUIRE(sparse.ok);
  CHECK(sparse.inputs.model.groups.size() == 2);
}
