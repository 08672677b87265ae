// Weights and caches that serving leaves to the host's memory. Llama 3.1 8B in bf16: 32 layers of 218,112,000 numbers, and 128 KiB of cache for
// each token. vllm-project/vllm, vllm/model_executor/models/utils.py, maybe_offload_to_cpu; vllm/config/cache.py, kv_offloading_size.
#include "method/moments/visit.hpp"
#include "plimsoll/files/command_line.hpp"
#include "plimsoll/method/load.hpp"
#include "plimsoll/method/speed.hpp"
#include "plimsoll/results/api.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <string>

using namespace plimsoll;

namespace {

constexpr std::int64_t kLayers = 32LL * 218'112'000 * 2, kAway = 4'831'838'208; // 4.5 GiB

io::Answer served(const std::string& more) { return test::answer_to("model=llama-3.1-8b&device=h100-80-sxm&profile=vllm&context_tokens=8192&" + more); }

std::int64_t part_of(const io::Answer& answer, Part part) { return answer.estimate.at_peak().parts[static_cast<std::size_t>(part)].value; }

std::string field(const std::string& line, std::string_view name) {
  const io::CommandLine read = io::read_command_line(test::catalog(), line);
  const std::string* const text = read.request.find(name);
  return text == nullptr ? "" : *text;
}

} // namespace

TEST_CASE("weights of layers that the host keeps leave the GPU to the byte") {
  const std::int64_t whole = part_of(served(""), Part::weights);
  CHECK(whole - part_of(served("host_weight_bytes=4831838208"), Part::weights) == kAway);
  CHECK(whole - part_of(served("host_weight_bytes=1000000000000"), Part::weights) == kLayers);
  CHECK(served("host_weight_bytes=4831838208").estimate.host == Bytes{kAway});
  CHECK(served("host_weight_bytes=4831838208&tensor_parallel=2").estimate.host == Bytes{2 * kAway});
  CHECK(served("host_weight_bytes=4831838208").judgement.pool.bytes.expected - served("").judgement.pool.bytes.expected == Bytes{kAway}); // room for the cache
}

TEST_CASE("every pass reads them over the link") {
  const Speed with = speed(served("host_weight_bytes=4831838208").scenario), without = speed(served("").scenario);
  const double link = static_cast<double>(served("").scenario.hardware.rates.host) * 0.85;
  CHECK(std::abs(static_cast<double>((with.step.expected - without.step.expected).value) - kAway / link * 1e9) < 2);
  CHECK(with.first_token.expected > without.first_token.expected);
  CHECK(with.floor == without.floor); // the roofline of the GPU alone
}

TEST_CASE("caches of contexts that left the GPUs are the host's") {
  const io::Answer answer = served("host_cache_bytes=68719476736");
  CHECK(answer.estimate.host == Bytes{68'719'476'736});
  const Explanation explanation = explain(answer.scenario, answer.estimate);
  const auto fact = [&](std::string_view id) {
    const auto at = std::ranges::find(explanation.facts, id, &Component::id);
    return at == explanation.facts.end() ? -1 : at->amount;
  };
  CHECK(fact("fact.host_cache_tokens") == 524'288);
  CHECK(fact("fact.host_cache_context") > 0);
  CHECK(part_of(answer, Part::kv_cache) == part_of(served(""), Part::kv_cache));
  CHECK(served("host_cache_bytes=68719476736&host_bytes=60000000000").judgement.verdict == Verdict::host);
}

TEST_CASE("drives are behind the host's memory, and slower") {
  const io::Answer answer = served("host_cache_bytes=68719476736&drive_cache_bytes=687194767360");
  CHECK(answer.estimate.nvme == Bytes{687'194'767'360});
  CHECK(answer.estimate.host == Bytes{68'719'476'736});
  const Explanation explanation = explain(answer.scenario, answer.estimate);
  const auto fact = [&](std::string_view id) {
    const auto at = std::ranges::find(explanation.facts, id, &Component::id);
    return at == explanation.facts.end() ? -1 : at->amount;
  };
  CHECK(fact("fact.drive_cache_tokens") == 5'242'880);
  CHECK(fact("fact.drive_cache_context") == 42'949'673); // 8192 x 131,072 bytes at 25 GB/s
  CHECK(fact("fact.drive_cache_context") > fact("fact.host_cache_context"));
}

TEST_CASE("a prefix that comes back from the host or from drives is waited for, and not computed") {
  const auto first = [](const std::string& hits) {
    const io::Answer answer = served("prompt_tokens=4000&answer_tokens=100&concurrency=1&shared_tokens=3000&prefix_hits=0&host_cache_bytes=68719476736&drive_cache_bytes=687194767360" + hits);
    REQUIRE(answer.ok);
    return simulated_load(answer.scenario, {answer.judgement.pool.tokens}).first_token.mean;
  };
  const Nanoseconds computed = first(""), host = first("&host_hits=1"), drives = first("&drive_hits=1"), half = first("&host_hits=0.5");
  CHECK(host < computed);
  CHECK(host < half);
  CHECK(half < computed);
  CHECK(host < drives);
  // what the way of 3000 tokens from drives takes more than from the host, at 25 GB/s and at 85 % of the link
  const double link = static_cast<double>(served("").scenario.hardware.rates.host) * 0.85, more = 3000.0 * 131072 * (1 / 25e9 - 1 / link) * 1e9;
  CHECK(std::abs(static_cast<double>((drives - host).value) - more) < 2e4);
  const auto refused = [](const std::string& hits) { return !io::answer_query(test::catalog(), "model=llama-3.1-8b&device=h100-80-sxm&profile=vllm&shared_tokens=3000&host_cache_bytes=68719476736" + hits).ok; };
  CHECK(refused("&host_hits=0.5"));
  CHECK_FALSE(refused("&host_hits=0.5&prefix_hits=0.5"));
}

TEST_CASE("LMCache's keys: sizes are of each GPU, and nothing happens without its connector") {
  const std::string lmcache = R"(vllm serve m -tp 2 --kv-transfer-config '{"kv_connector":"LMCacheConnectorV1","kv_role":"kv_both"}')";
  CHECK(field(lmcache, "host_cache_bytes") == "10737418240"); // 5 GB each
  CHECK(field("LMCACHE_MAX_LOCAL_CPU_SIZE=20 LMCACHE_LOCAL_DISK=file:///cache LMCACHE_MAX_LOCAL_DISK_SIZE=100 " + lmcache, "host_cache_bytes") == "42949672960");
  CHECK(field("LMCACHE_MAX_LOCAL_CPU_SIZE=20 LMCACHE_LOCAL_DISK=file:///cache LMCACHE_MAX_LOCAL_DISK_SIZE=100 " + lmcache, "drive_cache_bytes") == "214748364800");
  CHECK(field("LMCACHE_LOCAL_CPU=False " + lmcache, "host_cache_bytes").empty());
  CHECK(field("LMCACHE_MAX_LOCAL_CPU_SIZE=20 vllm serve m", "host_cache_bytes").empty());
  CHECK(field("NCCL_P2P_DISABLE=1 vllm serve m --tensor-parallel-size 2", "gpu_link") == "host");
  CHECK(field("NCCL_P2P_DISABLE=0 vllm serve m --tensor-parallel-size 2", "gpu_link").empty());
  CHECK(field(R"(vllm serve m --kv-transfer-config '{"kv_connector":"OffloadingConnector","kv_role":"kv_both","kv_connector_extra_config":{"cpu_bytes_to_use":4294967296}}')", "host_cache_bytes") == "4294967296");
}

TEST_CASE("options of engines say it") {
  CHECK(field("vllm serve m --cpu-offload-gb 4.5", "host_weight_bytes") == "4831838208");
  CHECK(field("vllm serve m --kv-offloading-size 64 -tp 4", "host_cache_bytes") == "68719476736"); // of all GPUs together
  CHECK(field("vllm serve m --kv-cache-memory-bytes 20G", "kv_cache_memory_bytes") == "21474836480");
  CHECK(field("vllm serve m --kv-cache-memory-bytes 20g", "kv_cache_memory_bytes") == "20000000000");
  CHECK(field("vllm serve m --kv-cache-memory-bytes 500", "kv_cache_memory_bytes") == "500");
  CHECK(field("python -m sglang.launch_server --model m --tp 4 --enable-hierarchical-cache --hicache-size 30", "host_cache_bytes") == "120000000000");
}
