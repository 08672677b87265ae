// What must hold of caches and of the budgets that engines compute for them.
#include "formula_text.hpp"
#include "scenarios.hpp"

#include "catalog/compatibility.hpp"
#include "plimsoll/method/explain.hpp"
#include "plimsoll/results/api.hpp"

#include <catch2/catch_test_macros.hpp>

#include <functional>
#include <string>
#include <vector>

using namespace plimsoll;

namespace {

const std::vector<std::string>& engines() {
  static const std::vector<std::string> kEngines = [] {
    std::vector<std::string> ids;
    for (const io::Catalog::ProfileRow& profile : test::catalog().profiles())
      if (profile.for_inference) ids.push_back(profile.id);
    return ids;
  }();
  return kEngines;
}

const std::vector<std::string> kModels{"llama-3-8b", "gemma-3-27b", "deepseek-v3-671b", "qwen3-next-80b-a3b", "gpt-oss-120b", "mamba-2-2.7b"};

std::string serve(const std::string& model, const std::string& engine) {
  return "task=inference&device=b200&model=" + model + "&profile=" + engine + "&kv_dtype=fp16&weight_dtype=" +
         (model == "deepseek-v3-671b" ? "iq2_xxs" : engine.starts_with("vllm") ? "bf16" : "fp16"); // which leaves room for a cache, and of which vLLM refuses fp16 for Gemma
}

/// Engines that do not load GGUF files serve nothing so large here.
bool serves(const std::string& model, const std::string& engine) {
  return model != "deepseek-v3-671b" || io::loads_weights(engine, *test::catalog().weights().find_row("iq2_xxs"));
}

Bytes cache_of(const std::string& query) { return test::answer_to(query).estimate.at_peak().parts[static_cast<std::size_t>(Part::kv_cache)]; }

void each_leaf(const Component& component, const std::function<void(const Component&)>& visit) {
  if (component.parts.empty()) visit(component);
  for (const Component& part : component.parts) each_leaf(part, visit);
}

} // namespace

TEST_CASE("a cache is linear in tokens up to paging, and in sequences") {
  for (const std::string& engine : engines()) {
    INFO(engine);
    const std::string query = serve("llama-3-8b", engine);
    const Bytes one = cache_of(query + "&context_tokens=4096"), two = cache_of(query + "&context_tokens=8192");
    CHECK(two == Count{2} * one);
    CHECK(cache_of(query + "&context_tokens=4096&batch=3") == Count{3} * one);
    CHECK(cache_of(query + "&context_tokens=4095") <= one);
    CHECK(cache_of(query + "&context_tokens=4097") > one);
  }
}

TEST_CASE("whole pages of a shared prompt are kept once, and beams share their prompt") {
  const std::string base = serve("llama-3-8b", "vllm") + "&context_tokens=1000"; // 63 pages of 16 tokens, of 2,097,152 bytes each
  constexpr std::int64_t kPage = 16 * 131'072;
  CHECK(cache_of(base + "&batch=8") == Bytes{8 * 63 * kPage});
  CHECK(cache_of(base + "&batch=8&shared_tokens=100") == Bytes{(8 * (63 - 6) + 6) * kPage}); // six are full of the 100
  CHECK(cache_of(base + "&batch=8&shared_tokens=100&shared_by=3") == Bytes{(8 * (63 - 6) + 3 * 6) * kPage});
  CHECK(cache_of(base + "&batch=8&shared_tokens=15") == Bytes{8 * 63 * kPage});
  CHECK(cache_of(base + "&batch=2&beams=4") == Bytes{8 * 63 * kPage});
  CHECK(cache_of(base + "&batch=2&beams=4&shared_tokens=800&shared_by=1") == Bytes{(8 * 13 + 2 * 50) * kPage});
  CHECK(cache_of(base + "&batch=1&shared_tokens=1000") == cache_of(base + "&batch=1"));
  for (const std::string& engine : engines())
    for (const std::string& model : kModels) {
      if (!serves(model, engine)) continue;
      const std::string query = serve(model, engine) + "&context_tokens=3000&batch=5";
      INFO(query);
      Bytes last = cache_of(query);
      CHECK(last <= cache_of(query + "&beams=3"));
      for (const char* shared : {"&shared_tokens=100", "&shared_tokens=1000", "&shared_tokens=3000"}) {
        CHECK(cache_of(query + shared) <= last);
        CHECK(cache_of(query + shared) >= cache_of(serve(model, engine) + "&context_tokens=3000"));
        last = cache_of(query + shared);
      }
    }
}

TEST_CASE("every slot has room for an adapter of the largest rank in every linear map") {
  const auto weights_of = [](const std::string& query) { return test::answer_to(query).estimate.at_peak().parts[static_cast<std::size_t>(Part::weights)]; };
  const std::string base = serve("llama-3-8b", "sglang") + "&context_tokens=1000";
  // Inputs and outputs of a layer: queries and output map 2 × 8192, keys and values 2 × 5120, gate, up and down 3 × 18432.
  constexpr std::int64_t kNumbers = 32 * (2 * 8192 + 2 * 5120 + 3 * 18432);
  CHECK(weights_of(base + "&lora_slots=1&lora_rank=16") - weights_of(base) == Bytes{16 * kNumbers * 2});
  CHECK(weights_of(base + "&lora_slots=4&lora_rank=64") - weights_of(base) == Bytes{4 * 64 * kNumbers * 2});
  const std::string vllm = serve("llama-3-8b", "vllm") + "&context_tokens=1000"; // table and head as well: 128256 + 4096 each
  CHECK(weights_of(vllm + "&lora_slots=1") - weights_of(vllm) == Bytes{16 * (kNumbers + 2 * (128'256 + 4096)) * 2});
  // Two GPUs: of column-parallel maps the output is halved, of row-parallel ones the input.
  constexpr std::int64_t kHalf = 32 * ((4096 + 2048) + (2048 + 4096) + 2 * (4096 + 512) + 2 * (4096 + 7168) + (7168 + 4096));
  CHECK(weights_of(base + "&tensor_parallel=2&lora_slots=1") - weights_of(base + "&tensor_parallel=2") == Bytes{16 * kHalf * 2});
  CHECK(test::answer_to(vllm + "&lora_slots=8&lora_rank=256").judgement.pool.bytes.expected < test::answer_to(vllm).judgement.pool.bytes.expected);
}

TEST_CASE("a draft model brings its weights and its cache, and proposed tokens their logits") {
  const std::string base = serve("llama-3.1-70b", "vllm") + "&context_tokens=1600&batch=8&tensor_parallel=4", draft = base + "&draft_model=llama-3.1-8b";
  const auto part_of = [](const std::string& query, Part part) { return test::answer_to(query).estimate.at_peak().parts[static_cast<std::size_t>(part)]; };
  // 100 pages of 16 tokens for each of 8 sequences; a quarter of 131,072 bytes per token.
  CHECK(cache_of(draft) - cache_of(base) == Bytes{8 * 1600 * 131'072 / 4});
  const std::int64_t drafted = part_of(draft, Part::other_models).value, alone = part_of(serve("llama-3.1-8b", "vllm") + "&tensor_parallel=4", Part::weights).value;
  CHECK(drafted > 0);
  CHECK(drafted <= alone); // which has a table of cosines besides
  CHECK(part_of(base, Part::other_models) == Bytes{0});
  CHECK(test::answer_to(draft).judgement.pool.bytes.expected < test::answer_to(base).judgement.pool.bytes.expected);
  CHECK(test::answer_to(draft).judgement.pool.tokens < test::answer_to(base).judgement.pool.tokens);
  const auto decode = [](const std::string& query) { return test::answer_to(query).estimate.moments[1].parts[static_cast<std::size_t>(Part::workspace)]; };
  CHECK(decode(base + "&draft_tokens=4") == Count{5} * decode(base)); // a pass and logits of five positions each
  CHECK(test::answer_to(serve("llama-3-8b", "lmdeploy") + "&draft_tokens=4").scenario.serving.draft_tokens == 0);
}

TEST_CASE("sequences × what each takes never exceed the pool, and one more would") {
  int pools = 0;
  for (const std::string& engine : engines())
    for (const std::string& model : kModels) {
      if (!serves(model, engine)) continue;
      const std::string query = serve(model, engine) + "&context_tokens=8192";
      INFO(query);
      const CachePool pool = test::answer_to(query).judgement.pool;
      if (!pool.exists) continue;
      ++pools;
      const Bytes one = cache_of(query);
      CHECK(pool.sequences * one <= pool.bytes.expected);
      CHECK((pool.sequences + Count{1}) * one > pool.bytes.expected);
      CHECK(pool.bytes.low <= pool.bytes.expected);
      CHECK(pool.bytes.expected <= pool.bytes.high);
      if (pool.uniform) CHECK(pool.tokens >= pool.sequences * Count{8192});
    }
  CHECK(pools >= 30);
}

TEST_CASE("less of the device to fill, more GPUs' libraries and longer passes never leave more for the cache") {
  for (const std::string& engine : engines()) {
    const std::string query = serve("llama-3-8b", engine) + "&context_tokens=8192";
    INFO(query);
    const CachePool pool = test::answer_to(query).judgement.pool;
    if (!pool.exists) continue;
    CHECK(test::answer_to(query + "&memory_permille=500").judgement.pool.bytes.expected < pool.bytes.expected);
    CHECK(test::answer_to(query + "&prefill_tokens=1000000").judgement.pool.bytes.expected <= pool.bytes.expected);
    CHECK(test::answer_to(query + "&max_sequences=100000").judgement.pool.bytes.expected <= pool.bytes.expected);
  }
}

TEST_CASE("layers that the host keeps leave the GPU, from the first on") {
  const std::string query = serve("llama-3-8b", "llama_cpp") + "&context_tokens=8192";
  Bytes last = test::answer_to(query).estimate.at_peak().total;
  for (const char* layers : {"32", "17", "1", "0"}) {
    const Estimate estimate = test::answer_to(query + "&gpu_layers=" + layers).estimate;
    INFO(layers);
    CHECK(estimate.at_peak().total < last);
    last = estimate.at_peak().total;
  }
  // 33 slots: the head is the first to go to the GPU. ggml-org/llama.cpp, src/llama-model.cpp, i_gpu_start.
  CHECK(Count{32} * cache_of(query + "&gpu_layers=17") == Count{16} * cache_of(query));
  CHECK(cache_of(query + "&gpu_layers=0") == Bytes{0});
}

TEST_CASE("the formulas of engines say what the code computes, use their symbols and cite") {
  for (const std::string& engine : engines())
    for (const std::string& model : kModels)
      for (const char* further : {"", "&value_dtype=fp32&full_window_cache=on&latent_cache=expanded", "&flash_attention=off&batch=3&gpu_layers=5",
                                  "&latent_cache=latent_and_values&memory_permille=333",
                                  "&batch=12&beams=2&shared_tokens=333&shared_by=3&value_dtype=fp32&lora_slots=3&draft_model=llama-3.2-1b&draft_tokens=3"}) {
        const std::string query = serve(model, engine) + "&context_tokens=1000" + further;
        const io::Answer answer = io::answer_query(test::catalog(), query);
        if (!answer.ok) continue; // an engine without such a cache
        const Explanation explanation = explain(answer.scenario, answer.estimate);
        const auto check = [&](const Component& leaf) {
          INFO(query << "\n" << leaf.id << " = " << leaf.formula);
          CHECK(test::evaluate(leaf.formula, leaf.symbols) == leaf.amount);
          CHECK(test::unused_symbols(leaf.formula, leaf.symbols).empty());
          CHECK((test::catalog().find_citation(leaf.citation) != nullptr || leaf.basis == Basis::assumed));
          CHECK(leaf.low <= leaf.amount);
          CHECK(leaf.amount <= leaf.high);
          for (const Symbol& symbol : leaf.symbols) CHECK((symbol.field.empty() || find_field(symbol.field) != nullptr));
        };
        each_leaf(explanation.memory, check);
        for (const Component& fact : explanation.facts) each_leaf(fact, check);
      }
}

TEST_CASE("flags that an engine does not know are issues with a remedy") {
  const auto issue_of = [](const std::string& query, std::string_view field) {
    const io::Answer answer = io::answer_query(test::catalog(), "task=inference&model=llama-3-8b&device=b200&" + query);
    for (const Issue& issue : answer.issues)
      if (issue.field == field) return issue;
    return Issue{};
  };
  const auto said = [&](const std::string& query, std::string_view field, Severity severity) {
    INFO(query);
    const Issue issue = issue_of(query, field);
    CHECK(!issue.message.empty());
    CHECK(!issue.remedy.empty());
    CHECK(issue.severity == severity);
  };
  said("profile=vllm&kv_dtype=q8_0", "kv_dtype", Severity::error);
  said("profile=llama_cpp&value_dtype=nvfp4", "value_dtype", Severity::error);
  said("profile=llama_cpp&kv_dtype=q8_0&flash_attention=off", "value_dtype", Severity::error);
  said("profile=vllm&gpu_layers=10", "gpu_layers", Severity::warning);
  said("profile=llama_cpp&memory_fraction=0.8", "memory_fraction", Severity::warning);
  said("profile=sglang&flash_attention=on", "flash_attention", Severity::warning);
  said("profile=lmdeploy&draft_tokens=4", "draft_tokens", Severity::warning);
  said("profile=lmdeploy&draft_model=llama-3.2-1b", "draft_model", Severity::warning);
  said("profile=vllm&draft_model=nonsense", "draft_model", Severity::error);
  said("profile=vllm&draft_model=qwen3-0.6b", "draft_model", Severity::warning);
  said("profile=llama_cpp&lora_slots=4", "lora_slots", Severity::warning);
  said("profile=llama_cpp&beams=4", "beams", Severity::warning);
  said("profile=llama_cpp&shared_tokens=4", "shared_tokens", Severity::warning);
  said("profile=vllm&shared_tokens=9000&context_tokens=8000", "shared_tokens", Severity::error);
  said("profile=vllm&shared_by=3", "shared_by", Severity::warning);
  said("profile=vllm&latent_cache=expanded", "latent_cache", Severity::warning); // no latent attention in this model
  CHECK(issue_of("profile=llama_cpp&kv_dtype=q8_0&value_dtype=fp16&flash_attention=off", "value_dtype").message.empty());
  CHECK(issue_of("profile=vllm&memory_fraction=0.8", "memory_fraction").message.empty());
}

TEST_CASE("one GPU holds every byte of the weights that a format stores, and beside them tables of as many numbers in every format") {
  const auto beside = [](const io::Answer& answer) {
    return answer.estimate.at_peak().parts[static_cast<std::size_t>(Part::weights)].value - stored_bytes(answer.inputs.model, answer.inputs.weights).value +
           answer.inputs.weights.tables.value;
  };
  for (const char* model : {"llama-3-8b", "deepseek-r1", "deepseek-v2-lite-16b", "gpt-oss-20b", "glm-4.5-air"}) {
    const std::string query = std::string{"task=inference&profile=vllm&device=b200&model="} + model + "&weight_dtype=";
    const io::Answer plain = test::answer_to(query + "bf16");
    REQUIRE(plain.ok);
    for (const io::WeightSchemeRow& row : test::catalog().weights().schemes()) {
      const io::Answer answer = io::answer_query(test::catalog(), query + row.id);
      if (!answer.ok) continue; // a format that the model cannot have
      INFO(model << " in " << row.id);
      CHECK(beside(answer) * plain.inputs.weights.compute_bytes.value == beside(plain) * answer.inputs.weights.compute_bytes.value);
    }
  }
}
