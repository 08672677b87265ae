// What logs of llama.cpp, vLLM, SGLang and TensorRT-LLM print of their memory (tests/corpus/measured-inference.json, each row with its
// source), against the engines' profiles.
#include "corpus.hpp"
#include "plimsoll/results/api.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using namespace plimsoll;

namespace {

const std::vector<io::Comparison>& compared() { return test::corpus("measured-inference").rows; }

/// Rows whose number follows from shapes and rules alone.
bool must_be_exact(const std::string& id) {
  static const std::vector<std::string> kExact{
      "LC-012", "LC-013", "LC-014", "LC-015", "LC-017", "LC-034", "LC-045", "LC-346", "LC-347", "MI-007", "MI-010",
      "IK-002", "IK-005", "IK-018", "IK-020", "IK-028", "IK-041", "IK-049", "IK-090", "IK-094", "VL-016", "VL-026", "VL-042", "VL-044",
      "VL-035", "VL-056", "VL-058", "VL-064", "VL-079", "SG-005", "TR-077", "TR-100", "TA-002", "TA-008"};
  return std::ranges::find(kExact, id) != kExact.end();
}

} // namespace

TEST_CASE("tokens of cache that logs print lie in the range, and near what is expected where passes and outside are known") {
  std::size_t budgets = 0;
  for (const io::Comparison& row : compared()) {
    if (row.metric != "kv_tokens" || !row.modelled || !row.measured) continue;
    INFO(row.id << ": " << row.predicted << " from " << row.low << " to " << row.high << ", " << *row.measured << " measured");
    const bool budget = row.low < row.high; // else the log's own bytes, of which it prints two decimals
    CHECK((!budget || (row.low <= *row.measured && *row.measured <= row.high)));
    CHECK(std::abs(static_cast<double>(row.predicted) / static_cast<double>(*row.measured) - 1) <= 0.02);
    ++budgets;
  }
  CHECK(budgets >= 7);
}

TEST_CASE("rows of engines that shapes and rules decide are met within half a printed digit") {
  std::size_t exact = 0;
  for (const io::Comparison& row : compared()) {
    const double error = row.modelled && row.measured ? 100 * (static_cast<double>(row.predicted) / static_cast<double>(*row.measured) - 1) : 0;
    std::printf("%-8s %-28s %-12s %+9.4f %%  %s\n", row.id.c_str(), row.group.c_str(), row.modelled ? "modelled" : "not covered", error, row.reason.c_str());
    CHECK((row.modelled || !row.reason.empty()));
    if (!must_be_exact(row.id)) continue;
    INFO(row.id << ": " << row.predicted << " against " << row.measured.value_or(0) << " " << row.reason);
    REQUIRE(row.modelled);
    REQUIRE(row.digit > 0);
    CHECK(2 * std::llabs(row.predicted + row.explained - *row.measured) <= row.digit + 1); // which is rounded itself
    ++exact;
  }
  CHECK(exact == 34);
}

TEST_CASE("what a log gives is an input: passes and memory outside the allocator leave vLLM's cache within 2 %") {
  int seen = 0;
  for (const io::Comparison& row : compared()) {
    if (row.group != "vLLM kv" && row.group != "vLLM kv_tokens") continue;
    const bool given = std::ranges::any_of(row.assumed, [](const std::string& text) { return text.starts_with("Given by the same log"); });
    if (!row.modelled || !given) continue;
    INFO(row.id << ": " << row.predicted << " against " << row.measured.value_or(0));
    CHECK(std::abs(static_cast<double>(row.predicted) / static_cast<double>(*row.measured) - 1) < 0.02);
    ++seen;
  }
  CHECK(seen >= 7);
}

TEST_CASE("vLLM 0.6 with Llama-3.1-8B loads parameters and a rotary table: 16,094,076,928 bytes; pages of 16 tokens take 2 MiB") {
  const std::string query = "model=llama-3.1-8b&task=inference&device=l40s&weight_dtype=fp16&kv_dtype=fp16&profile=vllm_0_6&context_tokens=32768";
  const io::Answer answer = test::answer_to(query);
  CHECK(answer.estimate.at_peak().parts[static_cast<std::size_t>(Part::weights)] == Bytes{16'094'076'928});
  CHECK(answer.judgement.pool.tokens == Count{16} * answer.judgement.pool.blocks);
  CHECK(Count{answer.judgement.pool.blocks} * Bytes{2'097'152} <= answer.judgement.pool.bytes.expected);
  CHECK(answer.judgement.pool.bytes.expected < (answer.judgement.pool.blocks + Count{1}) * Bytes{2'097'152});
}

TEST_CASE("vLLM's pages of hybrid models hold a recurrence's state: 1568 tokens of Qwen3.6-27B's fp8 cache") {
  // 48 value heads of 128 × 128 in fp32 and 10,240 channels × 3 taps in bf16 are 3,207,168 bytes; 4 KV heads of 256 in fp8 take 2048 a token.
  const std::string query = "model=qwen3-next-80b-a3b&task=inference&device=b200&profile=vllm&linear_value_heads=48&kv_heads=4&query_heads=24&head_dim=256";
  CHECK(test::answer_to(query + "&kv_dtype=fp8").scenario.serving.block_tokens == 1568);
  CHECK(test::answer_to(query + "&kv_dtype=bf16").scenario.serving.block_tokens == 784);
  CHECK(test::answer_to(query + "&kv_dtype=bf16&block_tokens=64").scenario.serving.block_tokens == 64);
}

TEST_CASE("llama.cpp keeps gpt-oss-120b's two sequences of 131,072 tokens in 9216 MiB, its windows in 1280 cells each") {
  // A log of llama.cpp: 18 layers with the whole context, 18 with windows of 128 tokens at micro-batches of 1024.
  const std::string query = "model=gpt-oss-120b&task=inference&device=h100-80-sxm&weight_dtype=mxfp4_moe&kv_dtype=fp16&profile=llama_cpp"
                            "&context_tokens=131072&batch=2&prefill_tokens=1024";
  const Component tree = explain_moment(test::answer_to(query).scenario, Moment::decode);
  const Component* const cache = find_component(tree, "memory.kv_cache");
  REQUIRE(cache != nullptr);
  constexpr std::int64_t kMib = 1 << 20;
  CHECK(cache->amount == 9216 * kMib + 90 * kMib);
}

// Logs of ik_llama.cpp with DeepSeek-R1, mla=2 and 3 with flash attention, micro-batches of 512 and -amb 512: github.com/ikawrakow/ik_llama.cpp,
// discussion 258.
TEST_CASE("ik_llama.cpp expands DeepSeek's latent vectors in 3425 MiB for 32,768 cells, and in 6081 for 65,536") {
  const auto buffer = [](const std::string& settings) {
    const Component tree = explain_moment(test::answer_to("model=deepseek-v3-671b&task=inference&device=b200&weight_dtype=q4_k_m&kv_dtype=fp16&profile=ik_llama_cpp" + settings).scenario,
                                          Moment::decode);
    const Component* const found = find_component(tree, "memory.workspace");
    return found == nullptr ? 0.0 : static_cast<double>(found->amount) / (1 << 20);
  };
  CHECK(std::abs(buffer("&context_tokens=32768&latent_buffer_bytes=536870912") / 3425 - 1) < 0.002);
  CHECK(std::abs(buffer("&context_tokens=65536&latent_buffer_bytes=536870912") / 6081 - 1) < 0.002);
  CHECK(buffer("&context_tokens=32768") > 8000); // all heads at once
}

// github.com/ggml-org/llama.cpp: Llama-3-8B with 8192 cells without flash attention needs 560.00 MiB on one GPU, 640 where several work in turn.
TEST_CASE("llama.cpp over several GPUs keeps its graph's inputs four times: 640 MiB in place of 560") {
  const auto workspace = [](const std::string& degree) {
    const io::Answer answer = test::answer_to("model=llama-3-8b&task=inference&device=rtx3090&weight_dtype=q4_k_m&kv_dtype=fp16&profile=llama_cpp&flash_attention=off&context_tokens=8192" + degree);
    return answer.estimate.at_peak().parts[static_cast<std::size_t>(Part::workspace)];
  };
  constexpr std::int64_t kMib = 1 << 20;
  CHECK(workspace("") == Bytes{560 * kMib});
  CHECK(workspace("&pipeline_parallel=2") == Bytes{640 * kMib});
  // src/llama-model.cpp, get_layer_buft_list: 32 layers and the head are 33; the second GPU has those from the 17th on.
  const auto cache = [](const std::string& query) { return test::answer_to(query).estimate.at_peak().parts[static_cast<std::size_t>(Part::kv_cache)]; };
  const std::string two = "model=llama-3-8b&task=inference&device=rtx3090&weight_dtype=q4_k_m&kv_dtype=fp16&profile=llama_cpp&context_tokens=8192";
  CHECK(Count{32} * cache(two + "&pipeline_parallel=2&flash_attention=off") >= Count{15} * cache(two));
  CHECK(Count{32} * cache(two + "&pipeline_parallel=2&flash_attention=off") <= Count{17} * cache(two));
}

// vLLM, vllm/v1/kv_cache_interface.py: DeepSeek-V3's 61 layers in fp8_ds_mla take 656 bytes each of a token, 40,016 in all.
TEST_CASE("caches with a scale for each head of each token, and DeepSeek's fp8 latent vectors") {
  const auto token = [](const std::string& query) { return test::answer_to("task=inference&device=b200&profile=vllm&context_tokens=16&" + query).facts.kv_cache_per_token; };
  CHECK(token("model=deepseek-v3-671b&kv_dtype=bf16") == Bytes{70'272});
  CHECK(token("model=deepseek-v3-671b&kv_dtype=fp8_ds_mla") == Bytes{40'016});
  CHECK(token("model=llama-3-8b&kv_dtype=fp8") == Bytes{65'536});
  CHECK(token("model=llama-3-8b&kv_dtype=int8_per_token_head") == Bytes{32 * 2 * 8 * (128 + 4)});
  CHECK(token("model=llama-3-8b&kv_dtype=fp8_per_token_head") == Bytes{32 * 2 * 8 * (128 + 4)});
  CHECK(test::answer_to("task=inference&device=b200&profile=lmdeploy&context_tokens=64&model=llama-3-8b&kv_dtype=int4_per_token_head").facts.kv_cache_per_token == Bytes{32 * 2 * 8 * (64 + 4)});
  CHECK(test::answer_to("task=inference&device=b200&profile=tensorrt_llm&model=llama-3-8b&kv_dtype=int8").facts.kv_cache_per_token == Bytes{65'536});
  CHECK(!io::answer_query(test::catalog(), "task=inference&profile=vllm&model=llama-3-8b&kv_dtype=fp8_ds_mla").ok);
}

// sgl-project/sglang, server_args.py: 512 MiB, 1.5 for each of 8192 tokens, 2 for each of 256 captured sequences, 128 for each GPU.
TEST_CASE("SGLang's share is what passes, graphs and communicators leave of the device") {
  const auto share = [](const std::string& query) { return test::answer_to("task=inference&profile=sglang&model=llama-3-8b&" + query).scenario.serving.memory_permille; };
  const auto usable = [](const char* device) { return test::answer_to(std::string{"task=inference&profile=sglang&model=llama-3-8b&device="} + device).scenario.hardware.usable_bytes; };
  const auto expected = [](std::int64_t bytes, double left) { return static_cast<std::int64_t>(1000.0 * (1 - left * (1 << 20) / static_cast<double>(bytes)) + 0.5); };
  CHECK(share("device=h100-80-sxm") == expected(usable("h100-80-sxm"), 512 + 8192 * 1.5 + 256 * 2 + 128));
  CHECK(share("device=rtx4090") == expected(usable("rtx4090"), 512 + 2048 * 1.5 + 24 * 2 + 128));
  CHECK(share("device=h100-80-sxm&tensor_parallel=8") == expected(usable("h100-80-sxm"), 512 + 8192 * 1.5 + 512 * 2 + 8 * 128));
  CHECK(share("device=h100-80-sxm&prefill_tokens=2048") == expected(usable("h100-80-sxm"), 10 * 1024)); // no less on a large device
  CHECK(share("device=h100-80-sxm&memory_permille=900") == 900);
}
