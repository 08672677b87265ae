// The 437 models of the catalogue (core/catalog/data/models: config.json, published count and its source, what the two differ by) against
// parameter_counts.json: the count of the language model, the part that one token meets, prediction layers and vision towers, from an
// implementation of the same rules in another language. Every row is printed.
#include "json.hpp"
#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/method/parameters.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstdio>
#include <fstream>
#include <map>
#include <set>

using namespace plimsoll;
using json = io::Json;

namespace {

json expected_counts() { return test::parsed_file("tests/published/parameter_counts.json"); }

std::int64_t count_after(const json& config) {
  const io::ImportedModel imported = io::import_huggingface_config(io::dump(config));
  return imported.model ? count_parameters(*imported.model).value : 0;
}

/// The language model's part of a multimodal file.
json& language_part(json& config) { return config.contains("text_config") ? config["text_config"] : config; }

} // namespace

TEST_CASE("published parameter counts are met exactly") {
  const json rows = expected_counts();
  CHECK(rows.size() == 438);
  CHECK(test::catalog().models().size() == rows.size());
  int exact = 0, explained = 0, rounded = 0;
  std::set<std::string> ids;
  std::printf("%-44s %20s %20s %18s\n", "model", "ours", "published", "published - ours");
  for (const json& row : rows) {
    const auto id = row.at("id").get<std::string>();
    INFO(id);
    CHECK(ids.insert(id).second);
    const io::ModelRow* model = test::catalog().find_model(id);
    REQUIRE(model != nullptr);
    const io::ModelRecord& record = io::record_of(*model);
    const io::ImportedModel imported = io::import_model(*model);
    REQUIRE(imported.model);
    const std::int64_t ours = count_parameters(*imported.model).value, published = record.parameters;
    std::printf("%-44s %20lld %20lld %18lld\n", id.c_str(), static_cast<long long>(ours), static_cast<long long>(published), static_cast<long long>(published - ours));
    CHECK(ours == row.at("parameters").get<std::int64_t>());
    CHECK(count_active_parameters(*imported.model).value == row.at("active").get<std::int64_t>());
    CHECK(count_parameters(*imported.model, TensorKind::prediction).value == row.value("prediction", std::int64_t{0}));
    CHECK(count_parameters(*imported.model, TensorKind::vision).value == row.value("vision", std::int64_t{0}));
    CHECK(count_parameters(*imported.model, TensorKind::audio).value == row.value("audio", std::int64_t{0}));
    std::int64_t difference = 0;
    for (const io::CountDifference& reason : record.differences) difference += reason.parameters;
    if (!record.is_exact) {
      ++rounded;
      CHECK(std::abs(ours + difference - published) * 12 < published); // a name or a card, not a count: Baichuan 2 "7B" has 7.5 billion
    } else {
      ++(record.differences.empty() ? exact : explained);
      CHECK(ours + difference == published);
    }
  }
  WARN(exact << " exact, " << explained << " with an explained difference, " << rounded << " rounded");
}

TEST_CASE("the shortest config of each model is the same model") {
  for (const io::ModelRow& row : test::catalog().models()) {
    INFO(row.id);
    const std::string reduced = io::reduced_config(io::config_of(row));
    CHECK(reduced.size() <= io::config_of(row).size());
    const io::ImportedModel whole = io::import_huggingface_config(io::config_of(row)), imported = io::import_huggingface_config(reduced);
    REQUIRE(imported.model);
    CHECK(count_parameters(*imported.model) == count_parameters(*whole.model));
    CHECK(imported.facts.values == whole.facts.values);
    CHECK(io::reduced_config(reduced) == reduced);
  }
}

TEST_CASE("other names of a fact mean the same") {
  const std::map<std::string, std::vector<const char*>> kNames{
      {"hidden_size", {"n_embd", "d_model"}},
      {"num_hidden_layers", {"n_layer", "n_layers"}},
      {"num_attention_heads", {"n_head", "n_heads"}},
      {"num_key_value_heads", {"num_kv_heads"}},
      {"vocab_size", {"padded_vocab_size"}},
      {"max_position_embeddings", {"max_seq_len", "max_sequence_length", "seq_length"}},
      {"num_experts_per_tok", {"num_experts_per_token", "moe_top_k"}},
      {"moe_intermediate_size", {"expert_ffn_hidden_size"}},
      {"tie_word_embeddings", {"tie_embeddings"}},
  };
  // Models whose code gives one of these names another meaning, or reads one name only.
  const std::set<std::string> kOwnNames{"falcon", "mamba2", "zamba2", "hunyuan_v1_moe", "gpt_neo", "t5", "distilbert", "chatglm"};
  int renamed = 0;
  for (const io::ModelRow& row : test::catalog().models()) {
    const json config = test::parsed(io::config_of(row));
    json probe = config;
    if (kOwnNames.contains(language_part(probe).value("model_type", config.value("model_type", "")))) continue;
    const std::int64_t standard = count_after(config);
    for (const auto& [name, others] : kNames) {
      for (const char* other : others) {
        json changed = config;
        json& part = language_part(changed);
        if (!part.contains(name) || part[name].is_null() || part.contains(other)) continue;
        part[other] = part[name];
        part.erase(name);
        INFO(row.id << ": " << name << " as " << other);
        CHECK(count_after(changed) == standard);
        ++renamed;
      }
    }
  }
  CHECK(renamed > 1500);
}
