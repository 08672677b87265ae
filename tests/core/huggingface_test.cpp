// Real and broken config.json files.
#include "plimsoll/io/huggingface.hpp"

#include "plimsoll/io/api.hpp"
#include "plimsoll/parameters.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>

using namespace plimsoll;

namespace {

const std::string kLlama = R"({"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 4096, "num_hidden_layers": 32,
  "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 128256,
  "max_position_embeddings": 8192, "tie_word_embeddings": false, "torch_dtype": "bfloat16"})";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

/// The import must fail with an error at that path.
void fails_at(const std::string& text, const std::string& path) {
  const io::ImportedModel imported = io::import_huggingface_config(text);
  INFO(text);
  CHECK(!imported.model);
  const auto at = std::ranges::find(imported.issues, path, &Issue::field);
  REQUIRE(at != imported.issues.end());
  CHECK(at->severity == Severity::error);
  CHECK(!at->message.empty());
  CHECK(!at->remedy.empty());
}

} // namespace

TEST_CASE("a Llama config gives the exact count") {
  const io::ImportedModel imported = io::import_huggingface_config(kLlama);
  REQUIRE(imported.model);
  CHECK(imported.issues.empty());
  CHECK(count_parameters(model_of(*imported.model)) == Count{8'030'261'248});
}

TEST_CASE("what was imported survives the road through a query") {
  const std::string gemma = R"({"model_type": "gemma3", "text_config": {"model_type": "gemma3_text", "hidden_size": 2560,
    "intermediate_size": 10240, "num_hidden_layers": 34, "sliding_window": 1024}, "vision_config": {"hidden_size": 1152}})";
  const io::ImportedModel imported = io::import_huggingface_config(gemma);
  REQUIRE(imported.model);
  CHECK(count_parameters(model_of(*imported.model)) == Count{3'880'263'168}); // the language model of gemma-3-4b-it
  CHECK(imported.model->sliding_layers == 29);
  CHECK(imported.issues.size() == 1); // the vision tower is left out, and that is said
  const io::Catalog catalog = io::Catalog::load();
  const io::Answer answer = io::answer(catalog, io::request_of(*imported.model));
  REQUIRE(answer.ok);
  CHECK(answer.estimate.parameters == Count{3'880'263'168});
}

TEST_CASE("every missing, mistyped or impossible fact is named by its path") {
  for (const char* key : {"hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size", "vocab_size"}) {
    fails_at(replaced(kLlama, "\"" + std::string{key} + "\"", "\"absent\""), key);
  }
  fails_at(replaced(kLlama, "4096", "\"4096\""), "hidden_size");
  fails_at(replaced(kLlama, "4096", "-4096"), "hidden_size");
  fails_at(replaced(kLlama, "4096", "0"), "hidden_size");
  fails_at(replaced(kLlama, "4096", "4096.5"), "hidden_size");
  fails_at(replaced(kLlama, "4096", "18446744073709551615"), "hidden_size");
  fails_at(replaced(kLlama, "4096", "4100"), "head_dim");
  fails_at(replaced(kLlama, "\"num_key_value_heads\": 8", "\"num_key_value_heads\": 5"), "num_key_value_heads");
  fails_at(replaced(kLlama, "false", "\"no\""), "tie_word_embeddings");
  fails_at(R"({"model_type": "gemma3", "text_config": {"hidden_size": "x", "num_hidden_layers": 1, "intermediate_size": 1}})",
           "text_config.hidden_size");
}

TEST_CASE("an unknown architecture is named, with those that are covered") {
  fails_at(replaced(kLlama, "\"llama\"", "\"deepseek_v3\""), "model_type");
  fails_at(replaced(kLlama, "\"llama\"", "17"), "model_type");
  fails_at(replaced(kLlama, "\"model_type\"", "\"type\""), "model_type");
  const io::ImportedModel imported = io::import_huggingface_config(replaced(kLlama, "\"llama\"", "\"mamba\""));
  CHECK(imported.issues.front().remedy.find("qwen3") != std::string::npos);
}

TEST_CASE("text that is no config is told where it goes wrong") {
  for (const char* text : {"", "{", "[]", "null", "hello", "{\"model_type\": \"llama\",}"}) fails_at(text, "");
  CHECK(io::import_huggingface_config("{\n \"a\": 1,\n}").issues.front().message.find("line 3") != std::string::npos);
  fails_at(std::string(5 << 20, ' '), "");
}

TEST_CASE("windows that are switched off or never reached do not count") {
  const std::string qwen = R"({"model_type": "qwen2", "hidden_size": 896, "num_hidden_layers": 24, "num_attention_heads": 14,
    "num_key_value_heads": 2, "intermediate_size": 4864, "vocab_size": 151936, "max_position_embeddings": 131072,
    "sliding_window": 32768, "use_sliding_window": false, "max_window_layers": 21, "tie_word_embeddings": true})";
  CHECK(io::import_huggingface_config(qwen).model->sliding_layers == 0);
  CHECK(io::import_huggingface_config(replaced(qwen, "window\": false", "window\": true")).model->sliding_layers == 3);
  const std::string beyond = replaced(replaced(kLlama, "\"llama\"", "\"phi3\""), "8192", "131072, \"sliding_window\": 262144");
  CHECK(io::import_huggingface_config(beyond).model->sliding_layers == 0);
}

TEST_CASE("quantised weights are pointed out") {
  const std::string quantised = replaced(kLlama, "\"torch_dtype\"", "\"quantization_config\": {\"bits\": 4}, \"torch_dtype\"");
  const io::ImportedModel imported = io::import_huggingface_config(quantised);
  REQUIRE(imported.model);
  CHECK(imported.issues.front().field == "quantization_config");
}
