// Copies of experts and DeepEP's buffers: DeepSeek V3, 256 experts of 7168 channels. deepseek-ai/DeepEP, csrc/legacy/config.hpp.
#include "method/memory/serving.hpp"
#include "method/moments/visit.hpp"
#include "plimsoll/files/command_line.hpp"
#include "plimsoll/results/api.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <optional>
#include <string>

using namespace plimsoll;

namespace {

io::Answer served(const std::string& more) { return test::answer_to("model=deepseek-v3-671b&device=h200&weight_dtype=fp8_block&" + more); }
std::int64_t buffers(const std::string& more) {
  const std::optional<Term> term = memory::deepep_buffers(served(more).scenario);
  return term ? term->amount : 0;
}

std::string field(const std::string& line, std::string_view name) {
  const io::CommandLine read = io::read_command_line(test::catalog(), line);
  const std::string* const text = read.request.find(name);
  return text == nullptr ? "" : *text;
}

constexpr std::int64_t kBack = 56 * 4 + 7168 * 2;      // a row that comes back, with the least and the most of each 128 channels
constexpr std::int64_t kQueued = 7168 * 2 + 8 + 128 * 12 + 128 * 4;
constexpr std::int64_t kGibibyte = 1'073'741'824;

/// Twice a buffer to send and one to receive, with a counter for each expert.
constexpr std::int64_t rows(std::int64_t experts, std::int64_t tokens) { return 2 * (2 * experts * tokens * kBack + experts * 4) + 128; }

} // namespace

TEST_CASE("kernels for few tokens have room for the rows of all experts") {
  CHECK(buffers("profile=sglang&tensor_parallel=16&expert_parallel=16&expert_exchange=deepep_low_latency") == rows(256, 128));
  CHECK(buffers("profile=vllm&tensor_parallel=16&expert_parallel=16&expert_exchange=deepep_low_latency") == kGibibyte + rows(256, 256));
  CHECK(buffers("profile=sglang&tensor_parallel=16&expert_parallel=16&expert_exchange=deepep_low_latency&redundant_experts=32") == rows(288, 128));
}

TEST_CASE("kernels for many tokens have queues from every GPU of the node and from every node") {
  CHECK(buffers("profile=sglang&tensor_parallel=8&expert_parallel=8&expert_exchange=deepep_normal") == (80 * (5 * 4 + 256 * kQueued) + 127) / 128 * 128);
  const std::int64_t node = (80 * (7 * 4 + 288 * kQueued) + 127) / 128 * 128, network = (40 * (18 * 4 + 128 * (kQueued + 16)) + 127) / 128 * 128;
  CHECK(buffers("profile=sglang&tensor_parallel=16&expert_parallel=16&expert_exchange=deepep_normal") == node + network);
  CHECK(buffers("profile=sglang&tensor_parallel=16&expert_parallel=16&expert_exchange=deepep") == node + std::max(network, rows(256, 128)));
  CHECK(buffers("profile=vllm&tensor_parallel=8&expert_parallel=8&expert_exchange=deepep_normal") == kGibibyte);
  CHECK(buffers("profile=vllm&tensor_parallel=16&expert_parallel=16&expert_exchange=deepep_normal") == 2 * kGibibyte);
  CHECK(buffers("profile=vllm&tensor_parallel=16&expert_parallel=16") == 0);
}

TEST_CASE("copies of experts take their part of every GPU") {
  const auto weights = [](const io::Answer& answer) { return answer.estimate.at_peak().parts[static_cast<std::size_t>(Part::weights)].value; };
  const std::string base = "profile=sglang&tensor_parallel=16&expert_parallel=16";
  const io::Answer one = served(base), more = served(base + "&redundant_experts=16");
  std::int64_t experts = 0;
  moments::visit_stored(one.scenario, Stage{one.scenario.model, one.scenario.strategy, one.scenario.workload, 0}, [](TensorKind kind) { return kind == TensorKind::experts; },
                        [&](const Term& term) { experts += term.amount; });
  CHECK(weights(more) - weights(one) == experts / 16); // one expert beside sixteen
  const io::Answer odd = io::answer_query(test::catalog(), "model=deepseek-v3-671b&device=h200&weight_dtype=fp8_block&" + base + "&redundant_experts=5");
  CHECK(std::ranges::any_of(odd.issues, [](const Issue& issue) { return issue.field == "redundant_experts" && issue.severity == Severity::error && issue.remedy == "Write 16, or another multiple that divides."; }));
}

TEST_CASE("engines' options of wide expert parallelism are read") {
  const std::string vllm = "vllm serve deepseek-ai/DeepSeek-V3 -tp 8 -ep ", sglang = "python -m sglang.launch_server --model deepseek-ai/DeepSeek-V3 --tp 16 --ep 16 ";
  CHECK(field(vllm + "--all2all-backend deepep_high_throughput", "expert_exchange") == "deepep_normal");
  CHECK(field(vllm + "--all2all-backend deepep_low_latency", "expert_exchange") == "deepep_low_latency");
  CHECK(field(vllm + "--all2all-backend allgather_reducescatter", "expert_exchange").empty());
  CHECK(field(vllm + "--enable-eplb --eplb-config '{\"num_redundant_experts\": 32, \"window_size\": 1000}'", "redundant_experts") == "32");
  CHECK(field(sglang + "--moe-a2a-backend deepep", "expert_exchange") == "deepep");
  CHECK(field(sglang + "--deepep-mode normal --moe-a2a-backend deepep", "expert_exchange") == "deepep_normal");
  CHECK(field(sglang + "--ep-num-redundant-experts 16", "redundant_experts") == "16");
}
