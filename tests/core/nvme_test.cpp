// States and weights on NVMe drives (ZeRO-Infinity, arXiv 2104.07857), and the sizes that a DeepSpeed configuration states.
#include "method/memory/buffers/buffers.hpp"
#include "plimsoll/method/time.hpp"
#include "plimsoll/results/api.hpp"
#include "scenarios.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>

using namespace plimsoll;

namespace {

const std::string kSeventy = "model=llama-2-70b&device=a100-80-sxm&task=finetune&profile=deepspeed&precision=master_bf16&data_parallel=8";
const std::string kDivided = kSeventy + "&sharding=parameters&offload=parameters";

bool refuses(const std::string& query, std::string_view field) {
  const io::Answer answer = io::answer_query(test::catalog(), query);
  return std::ranges::any_of(answer.issues, [&](const Issue& issue) { return issue.severity == Severity::error && issue.field == field && !issue.remedy.empty(); });
}

} // namespace

TEST_CASE("a trillion parameters take 18.31 TiB of model states, sixteen bytes of twenty on the drives") {
  // Figure 2a: 128 layers of 25,600 channels, 12 x 128 x 25600² = 1.0066e12 parameters.
  const io::Answer answer = test::answer_to("model=custom&hidden_size=25600&layers=128&query_heads=256&kv_heads=256&head_dim=100&intermediate_size=102400&mlp_kind=plain&vocab_size=1000"
                                            "&device=a100-80-sxm&task=pretrain&profile=deepspeed&precision=master_bf16&data_parallel=512&sharding=parameters&offload=parameters&nvme=parameters");
  REQUIRE(answer.ok);
  const double parameters = static_cast<double>(answer.facts.parameters.value), gpus = 512;
  const double drives = gpus * static_cast<double>(answer.estimate.nvme.value), gradients = 2 * parameters, kept_on_host = gpus * 2e9;
  CHECK((drives + gradients + kept_on_host) / (1024.0 * 1024 * 1024 * 1024) == Catch::Approx(18.31).epsilon(0.005));
}

TEST_CASE("what lies on the drives is not in the host's memory") {
  const Estimate host = test::answer_to(kDivided).estimate, states = test::answer_to(kDivided + "&nvme=optimizer").estimate,
                 weights = test::answer_to(kDivided + "&nvme=parameters").estimate;
  const Count shard = ceil_div(test::answer_to(kDivided).facts.parameters, Count{8});
  CHECK(host.nvme == Bytes{0});
  // fp32 weights, momentum, variance and gradients; shards are rounded up kind by kind.
  CHECK(static_cast<double>(states.nvme.value) == Catch::Approx(16.0 * static_cast<double>(shard.value)).epsilon(1e-6));
  constexpr std::int64_t kBuffers = 4 * 1'000'000'000LL * 4;
  CHECK(host.host - states.host == states.nvme - Bytes{kBuffers});
  constexpr std::int64_t kOnHost = 1'000'000'000, kWeightBuffers = 5 * 100'000'000LL * 2;
  CHECK(static_cast<double>((weights.nvme - states.nvme).value) == Catch::Approx(2.0 * static_cast<double>(shard.value - kOnHost)).epsilon(1e-6));
  CHECK(states.host - weights.host == weights.nvme - states.nvme - Bytes{kWeightBuffers});
  CHECK(states.at_peak().total == host.at_peak().total); // nothing of it is on the device
}

TEST_CASE("a step waits for the drives") {
  const auto step = [](const std::string& more) { return step_time(test::answer_to(kDivided + more).scenario).total.expected; };
  const std::string slow = "&nvme=optimizer&nvme_bytes_per_s=1000000000", fast = "&nvme=optimizer&nvme_bytes_per_s=100000000000";
  CHECK(step(slow) > step(fast));
  CHECK(step(fast) > step(""));
}

TEST_CASE("drives need weights that are divided and offloaded") {
  CHECK(refuses(kSeventy + "&sharding=gradients&offload=optimizer&nvme=optimizer", "nvme"));
  CHECK(refuses(kSeventy + "&sharding=parameters&offload=optimizer&nvme=parameters", "nvme"));
  CHECK(refuses(kDivided + "&method=lora&nvme=optimizer", "nvme"));
  CHECK(refuses("model=llama-2-7b&device=a100-80-sxm&task=finetune&profile=fsdp2&data_parallel=8&sharding=parameters&offload=parameters&nvme=optimizer", "nvme"));
}

TEST_CASE("a framework without buckets says so") {
  const io::Answer answer = io::answer_query(test::catalog(), "model=llama-2-7b&device=a100-80-sxm&task=finetune&profile=fsdp2&data_parallel=8&sharding=parameters&reduce_bucket_size=1000");
  CHECK(answer.ok);
  CHECK(std::ranges::any_of(answer.issues, [](const Issue& issue) { return issue.severity == Severity::warning && issue.field == "reduce_bucket_size"; }));
}

TEST_CASE("buckets have the size that is stated, and a second one where reduction overlaps") {
  const auto bucket = [](const std::string& more) { return memory::reduction_bucket(test::answer_to(kSeventy + "&sharding=gradients" + more).scenario); };
  CHECK(bucket("").amount == 1'000'000'000);
  CHECK(bucket("").high == 2'000'000'000);
  CHECK(bucket("&reduce_bucket_size=200000000").amount == 400'000'000);
  CHECK(bucket("&reduce_bucket_size=200000000&overlap_comm=on").amount == 800'000'000);
  CHECK(bucket("&overlap_comm=off").high == 1'000'000'000);
  const Scenario divided = test::answer_to(kSeventy + "&sharding=parameters&prefetch_bucket_size=7&param_persistence_threshold=9&sub_group_size=1000").scenario;
  CHECK(memory::zero_sizes(divided).prefetch == Count{7});
  CHECK(memory::zero_sizes(divided).persistence == Count{9});
  CHECK(memory::step_gradients(divided, Count{5000}).amount == 1000 * (2 + 4));
}
