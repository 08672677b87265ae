// Prompts and answers on GPUs of their own. Llama 3.1 8B in bf16 keeps 128 KiB of each token; Llama 3 70B 320 KiB, of 128k tokens 40 GiB, which
// Mooncake's Transfer Engine moved at 87 GB/s over four links of 200 Gb/s.
#include "method/time/link.hpp"
#include "plimsoll/files/command_line.hpp"
#include "plimsoll/method/load.hpp"
#include "plimsoll/method/sharding.hpp"
#include "plimsoll/method/speed.hpp"
#include "plimsoll/questions/load.hpp"
#include "plimsoll/request/request.hpp"
#include "plimsoll/results/api.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <string>

using namespace plimsoll;

namespace {

const std::string kServed = "model=llama-3.1-8b&device=h100-80-sxm&profile=vllm&context_tokens=8192&";

io::LoadReport loaded(const std::string& more, const io::LatencyLimits& limits = {}) {
  Issues issues;
  const io::Request request = io::request_from_query(kServed + "prompt_tokens=2000&answer_tokens=200&" + more, issues);
  return io::load_report(test::catalog(), {}, request, limits);
}

std::string field(const std::string& line, std::string_view name) {
  const io::CommandLine read = io::read_command_line(test::catalog(), line);
  const std::string* const text = read.request.find(name);
  return text == nullptr ? "" : *text;
}

double real(Nanoseconds time) { return static_cast<double>(time.value); }

} // namespace

TEST_CASE("a prompt's cache goes over the network before its first token") {
  const auto first = [](const std::string& more) { return speed(test::answer_to(kServed + more).scenario).first_token.expected; };
  const double added = real(first("disaggregation=decode") - first(""));
  CHECK(std::fabs(added - 8192.0 * 131072 / (50e9 * 0.870) * 1e9) < 2);
  const double slower = real(first("disaggregation=decode&network_bytes_per_s=25000000000") - first(""));
  CHECK(std::fabs(slower - 2 * added) < 4);
  // on two GPUs each sends a half; a server of one GPU sends all of it by itself
  const double halved = real(first("disaggregation=decode&tensor_parallel=2") - first("tensor_parallel=2"));
  CHECK(std::fabs(halved - added / 2) < 2);
  const double mixed = real(first("disaggregation=decode&tensor_parallel=2&prefill_replicas=1&prefill_tensor_parallel=1") - first(""));
  CHECK(std::fabs(mixed - added) < 2);
  // SGLang sends what a pass of 8192 tokens has read while the next one runs
  const auto sglang = [](const std::string& more) { return speed(test::answer_to("model=llama-3.1-8b&device=h100-80-sxm&profile=sglang&context_tokens=20000&prefill_tokens=8192&" + more).scenario).first_token.expected; };
  CHECK(std::fabs(real(sglang("disaggregation=decode") - sglang("")) - 3616.0 * 131072 / (50e9 * 0.870) * 1e9) < 2);
}

TEST_CASE("Mooncake's 40 GB: the cache of 128k tokens of Llama 3 70B over four links of 200 Gb/s") {
  Scenario scenario = test::answer_to("model=llama-3-70b&device=h100-80-sxm&profile=vllm&tensor_parallel=4&context_tokens=8192&disaggregation=decode&network_bytes_per_s=25000000000").scenario;
  const Bytes each = timing::cached_token(scenario, Stage{scenario.model, scenario.strategy, scenario.workload, 0});
  CHECK(Count{4} * (Count{131072} * each) == Bytes{42'949'672'960});
  const double seconds = static_cast<double>(timing::cache_transfer(scenario, each, Count{131072}).amount) / 1e9;
  CHECK(std::fabs(42.95 / seconds - 87) < 0.5); // GB/s over all four
}

TEST_CASE("each kind of server has its memory; one that only reads captures no graphs in SGLang") {
  const auto peak = [](const std::string& profile, const std::string& role) {
    const io::Answer answer = test::answer_to("model=llama-3.1-8b&device=h100-80-sxm&context_tokens=8192&profile=" + profile + "&disaggregation=" + role);
    REQUIRE(answer.ok);
    return answer.scenario.serving.cuda_graphs;
  };
  CHECK(peak("vllm", "prefill") == peak("vllm", "none"));
  CHECK(peak("sglang", "prefill") == Switch::off);
  CHECK(peak("sglang", "decode") == peak("sglang", "none"));
  CHECK(gpu_count(test::answer_to(kServed + "disaggregation=decode&data_parallel=3&tensor_parallel=2&prefill_replicas=4&prefill_tensor_parallel=1").scenario.strategy) == Count{10});
  CHECK_FALSE(io::answer_query(test::catalog(), "model=llama-3.1-8b&device=rtx4090&profile=llama_cpp&weight_dtype=q8_0&disaggregation=decode").ok);
}

TEST_CASE("a load of two kinds of servers: the slower kind bounds the rate, and decoding is not disturbed") {
  const io::LoadReport together = loaded("data_parallel=2&concurrency=32"), apart = loaded("disaggregation=decode&prefill_replicas=1&concurrency=32");
  REQUIRE(together.ok);
  REQUIRE(apart.ok);
  CHECK(apart.gpus == Count{2});
  CHECK(apart.load.per_token.p99 < together.load.per_token.p99);
  CHECK(apart.load.transfer >= Nanoseconds{5'000'000}); // 2000 x 131,072 bytes at 43.5 GB/s are 6 ms
  CHECK_FALSE(apart.steady);
  // prompts alone: each reader is busy all of the time, and another doubles the rate
  const io::LoadReport one = loaded("disaggregation=decode&prefill_replicas=1&concurrency=64&answer_tokens=2&prompt_tokens=8000"), two = loaded("disaggregation=decode&prefill_replicas=2&concurrency=64&answer_tokens=2&prompt_tokens=8000");
  CHECK(one.load.prefill_permille > Count{950});
  CHECK(std::fabs(static_cast<double>(two.load.requests.value) / static_cast<double>(one.load.requests.value) - 2) < 0.1);
  // answers alone: further readers help nobody
  const io::LoadReport few = loaded("disaggregation=decode&prefill_replicas=1&concurrency=64&answer_tokens=1000&prompt_tokens=100"), more = loaded("disaggregation=decode&prefill_replicas=4&concurrency=64&answer_tokens=1000&prompt_tokens=100");
  CHECK(few.load.decode_permille > Count{950});
  CHECK(std::fabs(static_cast<double>(more.load.requests.value) / static_cast<double>(few.load.requests.value) - 1) < 0.05);
}

TEST_CASE("every request of a load apart is answered, the same the second time, within the cache") {
  for (const char* more : {"concurrency=200&length_spread=500", "request_rate=12&length_spread=300", "trace=0,1000,200,350,80,500,360,4000,1"}) {
    for (const char* profile : {"vllm", "sglang", "tensorrt_llm"}) {
      const std::string question = std::string{"disaggregation=decode&prefill_replicas=2&data_parallel=3&profile="} + profile + "&" + more;
      const io::LoadReport first = loaded(question), second = loaded(question);
      INFO(question);
      REQUIRE(first.ok);
      CHECK(first.load.cache_permille <= Count{1000});
      CHECK(first.load.first_token.mean > Nanoseconds{0});
      CHECK(first.load.whole.mean >= first.load.first_token.mean);
      CHECK(first.load.whole.mean == second.load.whole.mean);
      CHECK(first.load.steps == second.load.steps);
      CHECK(first.load.prefill_permille <= Count{1000});
      CHECK(first.load.decode_permille <= Count{1000});
    }
  }
}

TEST_CASE("all divisions of the same GPUs are tried, and the best one stands first") {
  const io::LoadReport report = loaded("disaggregation=decode&prefill_replicas=2&data_parallel=2&concurrency=64", {.splits = true});
  REQUIRE(report.splits.size() == 3);
  for (const io::LoadSplit& split : report.splits) {
    CHECK(split.reading + split.answering == Count{4});
    CHECK(split.load.answer_tokens <= report.splits.front().load.answer_tokens);
  }
  // Nobody has to say how many read before that is found.
  const io::LoadReport found = loaded("gpus=8&tensor_parallel=2&concurrency=64", {.splits = true});
  REQUIRE(found.ok);
  CHECK(found.gpus == Count{8});
  REQUIRE(found.splits.size() == 3);
  for (const io::LoadSplit& split : found.splits) CHECK(split.reading + split.answering == Count{4});
  const io::LoadReport alone = loaded("tensor_parallel=2&concurrency=64", {.splits = true});
  CHECK(!alone.ok);
  CHECK(alone.issues.back().field == "data_parallel");
}

TEST_CASE("a load asks for what is not said of its servers") {
  const auto asked = [](const std::string& more) {
    const io::LoadReport report = loaded(more);
    return report.ok || report.issues.empty() ? std::string{} : report.issues.back().field;
  };
  CHECK(asked("disaggregation=prefill&concurrency=4") == "disaggregation");
  CHECK(asked("disaggregation=decode&concurrency=4") == "prefill_replicas");
  CHECK(asked("disaggregation=decode&prefill_replicas=1&prefill_tensor_parallel=3&concurrency=4") == "prefill_tensor_parallel");
  CHECK(loaded("disaggregation=decode&prefill_replicas=2&data_parallel=2&concurrency=128").issues.empty());
}

TEST_CASE("options of engines name a server's part") {
  CHECK(field("python -m sglang.launch_server --model m --disaggregation-mode prefill --disaggregation-ib-device mlx5_0", "disaggregation") == "prefill");
  CHECK(field("python -m sglang.launch_server --model m --disaggregation-mode null", "disaggregation").empty());
  CHECK(field(R"(vllm serve m --kv-transfer-config '{"kv_connector":"MooncakeConnector","kv_role":"kv_producer"}')", "disaggregation") == "prefill");
  CHECK(field(R"(vllm serve m --kv-transfer-config '{"kv_connector":"P2pNcclConnector","kv_role":"kv_consumer"}')", "disaggregation") == "decode");
  CHECK(field(R"(vllm serve m --kv-transfer-config '{"kv_connector":"NixlConnector","kv_role":"kv_both"}')", "disaggregation").empty());
  CHECK(field("python -m dynamo.vllm --model m --is-prefill-worker", "disaggregation") == "prefill");
  CHECK(field("python -m dynamo.sglang --model-path m --disaggregation-mode decode", "disaggregation") == "decode");
}
