// What logs of llama.cpp, vLLM, SGLang and TensorRT-LLM print of their memory (tests/corpus/measured-inference.json, each row with its
// source), against the engines' profiles.
#include "measured_rows.hpp"
#include "plimsoll/io/accuracy.hpp"
#include "plimsoll/io/api.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

using namespace plimsoll;
using io::Json;

namespace {

const Json& rows() {
  static const Json kRows = test::measured_rows("measured-inference.json");
  return kRows;
}

const std::vector<io::Comparison>& compared() {
  static const io::Accuracy kAccuracy = io::compare(io::dump(rows()));
  return kAccuracy.rows;
}

/// Half a unit of the last digit that the row prints, in the comparison's units.
double half_digit(const Json& row, const io::Comparison& comparison) {
  const std::string printed = io::dump(row.at("value"));
  const std::size_t point = printed.find('.');
  const double digits = point == std::string::npos ? 0 : static_cast<double>(printed.size() - point - 1);
  const double unit = row.at("value_bytes").is_null() ? std::pow(10.0, comparison.decimals) : row.at("value_bytes").get<double>() / row.at("value").get<double>();
  return 0.5 * unit * std::pow(10.0, -digits) * (1 + 1e-9) + 0.5; // value_bytes is rounded to a byte
}

/// Rows whose number follows from shapes and rules alone.
bool must_be_exact(const std::string& id) {
  static const std::vector<std::string> kExact{
      "LC-012", "LC-013", "LC-014", "LC-015", "LC-017", "LC-034", "LC-045", "LC-346", "LC-347", "MI-002", "MI-003", "MI-007", "MI-010",
      "IK-002", "IK-005", "IK-018", "IK-020", "IK-028", "IK-041", "IK-049", "IK-090", "IK-094", "VL-016", "VL-026", "VL-042", "VL-044",
      "VL-035", "VL-056", "VL-058", "VL-064", "VL-068", "VL-079", "SG-005", "TR-077", "TR-100", "TA-002", "TA-008"};
  return std::ranges::find(kExact, id) != kExact.end();
}

} // namespace

TEST_CASE("tokens of cache that logs print lie in the range, and near what is expected where passes and outside are known") {
  std::size_t budgets = 0;
  for (const io::Comparison& row : compared()) {
    if (row.metric != "kv_tokens" || !row.modelled || !row.measured) continue;
    INFO(row.id << ": " << row.predicted << " from " << row.low << " to " << row.high << ", " << *row.measured << " measured");
    CHECK(row.low <= *row.measured);
    CHECK(*row.measured <= row.high);
    CHECK(std::abs(static_cast<double>(row.predicted) / static_cast<double>(*row.measured) - 1) <= 0.02);
    ++budgets;
  }
  CHECK(budgets >= 7);
}

TEST_CASE("rows of engines that shapes and rules decide are met within half a printed digit") {
  REQUIRE(compared().size() == rows().size());
  std::size_t exact = 0;
  for (std::size_t i = 0; i < rows().size(); ++i) {
    const io::Comparison& row = compared()[i];
    const double error = row.modelled && row.measured ? 100 * (static_cast<double>(row.predicted) / static_cast<double>(*row.measured) - 1) : 0;
    std::printf("%-8s %-28s %-12s %+9.4f %%  %s\n", row.id.c_str(), row.group.c_str(), row.modelled ? "modelled" : "not covered", error, row.reason.c_str());
    CHECK((row.modelled || !row.reason.empty()));
    if (!must_be_exact(row.id)) continue;
    INFO(row.id << ": " << row.predicted << " against " << row.measured.value_or(0) << " " << row.reason);
    REQUIRE(row.modelled);
    CHECK(std::abs(static_cast<double>(row.predicted) - static_cast<double>(*row.measured)) <= half_digit(rows()[i], row));
    ++exact;
  }
  CHECK(exact == 37);
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

TEST_CASE("speed on an unknown device is not covered, and whatever stands in a row does no harm") {
  Json row = rows().front();
  row["component"] = "throughput";
  row["gpu"] = "a card of no name";
  CHECK(io::compare(io::dump(Json::array({row}))).rows.at(0).reason.find("no device") != std::string::npos);
  const std::vector<Json> odd{nullptr, -1, 1e300, "", "x/y", Json::array(), Json::object(), true, 9223372036854775807};
  for (std::size_t i = 0; i < rows().size(); i += 9)
    for (const char* key : {"engine_version", "model", "arch", "weights_format", "kv_format", "n_ctx", "batch", "gpu", "tp", "component", "value", "value_bytes", "notes"})
      for (const Json& value : odd) {
        Json changed = rows()[i];
        changed[key] = value;
        const io::Accuracy result = io::compare(io::dump(Json::array({changed})));
        REQUIRE(result.rows.size() == 1);
        CHECK((result.rows[0].modelled || !result.rows[0].reason.empty()));
      }
}

TEST_CASE("vLLM 0.6 with Llama-3.1-8B loads parameters and a rotary table: 16,094,076,928 bytes; pages of 16 tokens take 2 MiB") {
  const std::string query = "model=llama-3.1-8b&task=inference&device=l40s&weight_dtype=fp16&kv_dtype=fp16&profile=vllm_0_6&context_tokens=32768";
  const io::Answer answer = test::answer_to(query);
  CHECK(answer.estimate.at_peak().parts[static_cast<std::size_t>(Part::weights)] == Bytes{16'094'076'928});
  CHECK(answer.estimate.pool.tokens == Count{16} * answer.estimate.pool.blocks);
  CHECK(Count{answer.estimate.pool.blocks} * Bytes{2'097'152} <= answer.estimate.pool.bytes.expected);
  CHECK(answer.estimate.pool.bytes.expected < (answer.estimate.pool.blocks + Count{1}) * Bytes{2'097'152});
}

TEST_CASE("vLLM's pages of hybrid models hold a recurrence's state: 1568 tokens of Qwen3.6-27B's fp8 cache") {
  // 48 value heads of 128 × 128 in fp32 and 10,240 channels × 3 taps in bf16 are 3,207,168 bytes; 4 KV heads of 256 in fp8 take 2048 a token.
  const std::string query = "model=qwen3-next-80b-a3b&task=inference&device=b200&profile=vllm&linear_value_heads=48&kv_heads=4&query_heads=24&head_dim=256";
  CHECK(test::answer_to(query + "&kv_dtype=fp8").scenario.serving.block_tokens == 1568);
  CHECK(test::answer_to(query + "&kv_dtype=bf16").scenario.serving.block_tokens == 784);
  CHECK(test::answer_to(query + "&kv_dtype=bf16&block_tokens=64").scenario.serving.block_tokens == 64);
}

TEST_CASE("llama.cpp prints caches of windows, of the other layers and recurrent states in lines of their own") {
  const auto bytes = [](const char* model, const char* notes, std::int64_t context, std::int64_t micro_batch) {
    Json row = {{"id", "x"}, {"engine", "llama.cpp"}, {"engine_version", "b6341"}, {"model", model}, {"weights_format", nullptr}, {"kv_format", "f16"},
                {"n_ctx", context}, {"batch", micro_batch}, {"gpu", nullptr}, {"tp", 1}, {"component", "kv"}, {"value_bytes", 1}, {"notes", notes}};
    const io::Accuracy result = io::compare(io::dump(Json::array({row})));
    INFO(result.rows.at(0).reason);
    CHECK(result.rows.at(0).modelled);
    return result.rows.at(0).predicted;
  };
  constexpr std::int64_t kMib = 1 << 20;
  CHECK(bytes("gpt-oss-120b", "non-SWA cache, 2 sequences", 262144, 512) == 9216 * kMib);
  CHECK(bytes("gpt-oss-120b", "SWA cache, 2 sequences, n_ubatch=1024", 262144, 2048) == 90 * kMib);
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
