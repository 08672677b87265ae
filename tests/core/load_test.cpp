// Kernels, passes and loads: never faster than the data sheet, never less waiting under more load, nothing lost on the way; the closed form and
// the simulation say the same.
#include "plimsoll/method/load.hpp"

#include "evidence/latencies/inflate.hpp"
#include "evidence/latencies/rows.hpp"
#include "catalog/kernels.hpp"
#include "method/kernels/shape.hpp"
#include "method/time/load/pass.hpp"
#include "method/time/load/random.hpp"
#include "plimsoll/evidence/latencies.hpp"
#include "plimsoll/questions/load.hpp"
#include "scenarios.hpp"
#include "served.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <string>

using namespace plimsoll;
using test::served;

namespace {

constexpr const char* kDense = "model=qwen3-32b&device=h100-80-sxm&profile=vllm&tensor_parallel=4&prompt_tokens=1024&answer_tokens=256";
constexpr const char* kExperts = "model=deepseek-v3-671b&device=b200&profile=sglang&weight_dtype=fp8_block&tensor_parallel=8&prompt_tokens=1024&answer_tokens=1024";

} // namespace

TEST_CASE("no product and no attention is faster than the data sheet's rates") {
  timing::Chance chance{7};
  const auto size = [&](double most) { return std::floor(1 + most * chance.next() * chance.next()); };
  int tried = 0;
  for (const KernelRow& row : io::kernel_table().rows) {
    const kernels::Gpu gpu{9e14, 3e12, 130, 4.5e11};
    for (int i = 0; i < 60; ++i) {
      if (row.kernel == Kernel::matrices) {
        const kernels::Product of{size(20000), size(60000), size(60000), 1, 1, 1};
        const double floor = std::max(2 * of.m * of.n * of.k / gpu.flop, (of.m * of.k + of.n * of.k) / gpu.memory) * 1e9;
        CHECK(kernels::product_ns(of, gpu, row.numbers, row.tiles) >= floor * 0.999);
        ++tried;
      } else if (row.kernel == Kernel::decode_attention) {
        const kernels::Attending of{size(500), 1, size(50000), 32, 8, 128, 128, 512, 0};
        const double floor = of.sequences * of.cached_heads * of.before * of.cached_bytes / gpu.memory * 1e9;
        CHECK(kernels::decode_attention_ns(of, gpu, row.numbers) >= floor * 0.999);
        ++tried;
      }
    }
  }
  CHECK(tried > 1000);
}

TEST_CASE("experts: what a GPU has adds up, evenly or not") {
  kernels::Experts of{1000, 8, 256, 1, 4096, 1024, 3, 2, 2, 0};
  CHECK(std::fabs(kernels::load_of(of).pairs - 8000) < 1e-6);
  CHECK(kernels::load_of(of).met == 256);
  of.steepness = 5;
  const kernels::Load uneven = kernels::load_of(of);
  CHECK(uneven.pairs > 7900); // experts with less than half a token have none
  CHECK(uneven.pairs < 8200);
  CHECK(uneven.most > 3 * 8000.0 / 256);
  of.groups = 8;
  CHECK(kernels::load_of(of).pairs > 1000); // the fullest of eight
  of = {1, 8, 256, 1, 4096, 1024, 3, 2, 2, 20};
  CHECK(kernels::load_of(of).met == 8); // a benchmark's token goes to eight experts, though none of them gets half a token on average
}

TEST_CASE("experts of a step: those that one token at least goes to, fewer where some are liked more") {
  double before = 0;
  for (const int skew : {0, 2, 6}) {
    const kernels::Liking liking = kernels::liking_of(256, 1, 8, skew);
    double all = 0;
    for (std::size_t part = 0; part < kernels::Liking::kParts; ++part) all += liking.chance[part] * liking.experts[part];
    CHECK(std::fabs(all - 8) < 0.01 * 8);
    CHECK(std::fabs(kernels::load_of(liking, 1).met - 8) < 0.01 * 8);
    double met = 0;
    for (const double tokens : {1.0, 2.0, 3.5, 8.0, 64.0, 1024.0}) {
      const kernels::Load load = kernels::load_of(liking, tokens), twice = kernels::load_of(liking, 2 * tokens);
      CHECK(std::fabs(load.pairs - 8 * tokens) < 0.01 * 8 * tokens); // none is lost
      CHECK(load.met > met);
      CHECK(twice.met <= 2 * load.met);
      met = load.met;
    }
    const double eight = kernels::load_of(liking, 8).met;
    if (skew == 0) CHECK(std::fabs(eight - 256 * (1 - std::pow(1 - 8.0 / 256, 8))) < 1e-9);
    else CHECK(eight < before);
    before = eight;
  }
  const kernels::Load whole = kernels::load_of(kernels::liking_of(256, 1, 8, 2), 512), eighth = kernels::load_of(kernels::liking_of(256, 8, 8, 2), 512);
  CHECK(eighth.pairs > whole.pairs / 8); // the fullest of eight GPUs
  CHECK(eighth.pairs < whole.pairs / 4);
}

TEST_CASE("sums across hosts go by NCCL, between nodes by a tree and all of their adapters") {
  const auto each = [](const std::string& device, int gpus, double sequences) { // microseconds
    const Scenario scenario = served("model=qwen3-235b-a22b&profile=vllm&device=" + device + "&tensor_parallel=" + std::to_string(gpus));
    const auto model = timing::PassModel::of(scenario);
    REQUIRE(model);
    constexpr int kSums = 2 * 94; // of 94 layers
    return model->at({.decoding = sequences, .context = 100}).communication / kSums / 1000;
  };
  CHECK(each("h100-80-sxm", 8, 1) < 12); // vLLM's own kernel
  // NCCL in a node of eight, then once and twice to a further node and back at 8.5.
  const double two = each("h100-80-sxm", 16, 1), four = each("h100-80-sxm", 32, 1);
  CHECK(two > 16 + 2 * 8.5);
  CHECK(two < 20 + 2 * 8.5);
  CHECK(std::fabs(four - two - 2 * 8.5) < 0.1);
  // 8.2 MB there and back over eight adapters of 50 GB/s: one alone would take 0.3 ms.
  CHECK(each("h100-80-sxm", 16, 1000) - two < 100);
  CHECK(each("gb200", 8, 1) > 1.5 * each("b200", 8, 1)); // two hosts of four
  CHECK(std::fabs(each("gb200", 4, 1) / each("b200", 4, 1) - 1) < 0.01);
}

TEST_CASE("more requests at once never shorten a wait, in closed form") {
  for (const std::string query : {kDense, kExperts}) {
    double first = 0, each = 0;
    for (const int concurrency : {1, 2, 4, 8, 16, 32, 64, 128}) {
      const Load load = steady_load(served(query + "&length_spread=200&concurrency=" + std::to_string(concurrency)));
      REQUIRE(load.exists);
      CHECK(static_cast<double>(load.first_token.mean.value) >= first * 0.98);
      CHECK(static_cast<double>(load.per_token.mean.value) >= each * 0.98);
      first = static_cast<double>(load.first_token.mean.value);
      each = static_cast<double>(load.per_token.mean.value);
    }
  }
}

TEST_CASE("the closed form and the simulation hold together") {
  const std::string reads_first = "model=qwen3-32b&device=h100-80-sxm&profile=sglang&tensor_parallel=4&prompt_tokens=1024&answer_tokens=256";
  for (const std::string query : {std::string{kDense} + "&length_spread=200", std::string{kExperts} + "&length_spread=200", std::string{kDense}, std::string{kExperts}, reads_first})
    for (const int concurrency : {1, 8, 32, 64}) {
      const Scenario scenario = served(query + "&concurrency=" + std::to_string(concurrency));
      const Load steady = steady_load(scenario), simulated = simulated_load(scenario, {});
      INFO(query << " " << concurrency);
      CHECK(std::fabs(std::log(static_cast<double>(steady.per_token.mean.value) / static_cast<double>(simulated.per_token.mean.value))) < 0.10);
      CHECK(std::fabs(std::log(static_cast<double>(steady.first_token.mean.value) / static_cast<double>(simulated.first_token.mean.value))) < 0.45);
    }
}

TEST_CASE("random loads: every request is answered, no more run than may, and all is the same the second time") {
  timing::Chance chance{11};
  for (int i = 0; i < 60; ++i) {
    const auto drawn = [&](double most) { return std::to_string(static_cast<int>(1 + most * chance.next())); };
    const bool closed = chance.next() < 0.5;
    const std::string load = closed ? "&concurrency=" + drawn(64) : "&request_rate=" + drawn(8) + "&arrivals=" + (chance.next() < 0.5 ? "poisson" : "bursts");
    const Scenario scenario = served(std::string{"model=llama-3.1-8b&device=h100-80-sxm&profile="} + (chance.next() < 0.5 ? "vllm" : "sglang") + "&prompt_tokens=" + drawn(6000) +
                                     "&answer_tokens=" + drawn(500) + "&length_spread=" + drawn(900) + "&requests=" + drawn(300) + load + (chance.next() < 0.3 ? "&pipeline_parallel=" + drawn(4) : "") + (chance.next() < 0.3 ? "&drafter=ngram&acceptance_rate=0.6&draft_tokens=" + drawn(5) : ""));
    const Count room{static_cast<std::int64_t>(7000 + 60000 * chance.next())};
    const Load found = simulated_load(scenario, {room}), again = simulated_load(scenario, {room});
    REQUIRE(found.exists);
    REQUIRE(!found.too_long);
    CHECK(found.first_token.mean > Nanoseconds{0});
    CHECK(found.whole.p99 >= found.whole.p50);
    CHECK(found.cache_permille <= Count{1000});
    CHECK(found.requests > Count{0});
    if (closed) CHECK(found.running <= Count{1000} * Count{scenario.workload.traffic.concurrency});
    CHECK(found.first_token.mean == again.first_token.mean);
    CHECK(found.steps == again.steps);
  }
}

TEST_CASE("requests one by one: what was sent is answered, and a later crowd waits") {
  const auto traced = [](const std::string& trace) { return simulated_load(served("model=llama-3.1-8b&device=h100-80-sxm&profile=vllm&trace=" + trace), {}); };
  const Load one = traced("0,1000,100"), apart = traced("0,1000,100,60000,1000,100"), crowd = traced("0,1000,100,0,1000,100,0,1000,100,0,1000,100,0,1000,100,0,1000,100,0,1000,100,0,1000,100,0,1000,100,0,1000,100");
  REQUIRE(one.exists);
  CHECK(one.simulated == Count{1});
  CHECK(apart.simulated == Count{2});
  CHECK(apart.first_token.p99 <= Nanoseconds{one.first_token.p99.value * 101 / 100});
  CHECK(crowd.first_token.mean > one.first_token.mean);
  CHECK(crowd.first_token.p99 > one.first_token.p99);
  CHECK(crowd.whole.p99 >= crowd.whole.p50);
  const Scenario longest = served("model=llama-3.1-8b&device=h100-80-sxm&profile=vllm&trace=0,1000,100,5,300,4000");
  CHECK(longest.workload.context_tokens == 4300);
}

TEST_CASE("prompts whose beginning is in the cache are read sooner, the more of them the sooner") {
  const auto load = [](const std::string& hits) {
    return simulated_load(served("model=llama-3.1-8b&device=h100-80-sxm&profile=vllm&prompt_tokens=4000&answer_tokens=100&concurrency=32&shared_tokens=3000&prefix_hits=" + hits), {});
  };
  const Load none = load("0"), half = load("0.5"), all = load("1");
  CHECK(all.first_token.mean < half.first_token.mean);
  CHECK(half.first_token.mean < none.first_token.mean);
  CHECK(all.answer_tokens > none.answer_tokens);
}

TEST_CASE("a load that is not stated is asked for, and one that cannot be told is refused") {
  const io::Catalog& catalog = test::catalog();
  Issues issues;
  const auto report = [&](const char* query) { return io::load_report(catalog, {}, io::request_from_query(query, issues)); };
  const io::LoadReport none = report("model=llama-3.1-8b&device=h100-80-sxm&profile=vllm");
  CHECK(!none.ok);
  CHECK(none.issues.front().field == "prompt_tokens");
  const io::LoadReport unknown = report("model=llama-3.1-8b&device=m1-max-64&profile=vllm&prompt_tokens=100&answer_tokens=100&concurrency=1");
  CHECK(!unknown.ok);
  const io::LoadReport good = report("model=llama-3.1-8b&device=h100-80-sxm&profile=vllm&prompt_tokens=1000&answer_tokens=100&concurrency=8&price_per_gpu_hour=2");
  CHECK(good.ok);
  REQUIRE(good.money.per_million_answers);
  CHECK(*good.money.per_million_answers > *good.money.per_million_tokens);
  REQUIRE(good.money.per_million_in);
  CHECK(*good.money.per_million_in < *good.money.per_million_out); // a token that is read takes less than one that is written
  CHECK(good.money.energy_per_million);
  CHECK(!good.money.break_even);
  CHECK(good.query.find("context_tokens") == std::string::npos); // it follows from the load
}

TEST_CASE("GPUs cost what a cloud asks for them on demand where nobody says what they cost") {
  Issues issues;
  const io::Prices prices{io::read_prices(test::catalog(), R"({"source": "s", "date": "2026-11-01", "cloud": "Mine", "prices": [
    {"instance": "dear", "gpu": "h100-80-sxm", "gpus": 1, "usd_per_hour": 4}, {"instance": "cheap", "gpu": "h100-80-sxm", "gpus": 1, "usd_per_hour": 2},
    {"instance": "spot", "gpu": "h100-80-sxm", "gpus": 1, "usd_per_hour": 1, "kind": "spot"}]})").rows};
  const auto report = [&](const char* more) {
    return io::load_report(test::catalog(), prices, io::request_from_query(std::string{"model=llama-3.1-8b&device=h100-80-sxm&profile=vllm&prompt_tokens=1000&answer_tokens=100&concurrency=8"} + more, issues));
  };
  const io::LoadReport asked = report(""), own = report("&price_per_gpu_hour=2"), nowhere = report("&device=l40s");
  REQUIRE(asked.money.fleet.row != nullptr);
  CHECK(asked.money.fleet.row->instance == "cheap");
  CHECK(own.money.fleet.row == nullptr);
  REQUIRE(asked.money.per_million_answers);
  CHECK(*asked.money.per_million_answers == *own.money.per_million_answers);
  CHECK(io::load_text(asked).find("Mine cheap of 2026-11-01") != std::string::npos);
  CHECK(!nowhere.money.per_million_answers);
}

TEST_CASE("an API's price: half of it doubles the load from which on own GPUs are cheaper") {
  Issues issues;
  const auto money = [&](const char* api) {
    return io::load_report(test::catalog(), {}, io::request_from_query(std::string{"model=llama-3.1-8b&device=h100-80-sxm&profile=vllm&prompt_tokens=1000&answer_tokens=100&concurrency=8&price_per_gpu_hour=2"} + api, issues)).money;
  };
  const io::LoadMoney dear = money("&api_price_in=1&api_price_out=4"), cheap = money("&api_price_in=0.5&api_price_out=2");
  REQUIRE(dear.break_even);
  REQUIRE(cheap.break_even);
  // 2 dollars an hour over 0.001 + 0.0004 dollars a request are 1,428.6 requests an hour
  CHECK(std::llabs(dear.break_even->value - 397) <= 8); // to a thousandth of the load of some 8 requests per second
  CHECK(std::llabs(cheap.break_even->value - 794) <= 8);
}

TEST_CASE("own GPUs are weighed against the cheapest API of their model, unless a price is stated; what a cache has costs what it costs there") {
  Issues issues;
  const io::ReadPrices read = io::read_prices(test::catalog(), R"({"source": "s", "date": "2026-11-01", "prices": [
    {"cloud": "Dear", "model": "llama-3.1-8b", "usd_per_million_in": 1, "usd_per_million_out": 4},
    {"cloud": "Cheap", "model": "llama-3.1-8b", "usd_per_million_in": 0.5, "usd_per_million_cached": 0.1, "usd_per_million_out": 2},
    {"cloud": "Gone", "model": "llama-3.1-8b", "usd_per_million_in": 0.1, "usd_per_million_out": 0.1, "kind": "historical"},
    {"cloud": "Other", "model": "llama-3.3-70b", "usd_per_million_in": 0.1, "usd_per_million_out": 0.1}]})");
  REQUIRE(read.issues.empty());
  const io::Prices prices{read.rows, read.apis};
  const std::string query = "model=llama-3.1-8b&device=h100-80-sxm&profile=vllm&prompt_tokens=1000&answer_tokens=100&concurrency=8&price_per_gpu_hour=2";
  const auto asked = [&](const std::string& more) { return io::load_report(test::catalog(), prices, io::request_from_query(query + more, issues)); };
  const io::LoadReport known = asked(""), stated = asked("&api_price_in=0.5&api_price_out=2"), talks = asked("&turns=4"), other = asked("&kv_heads=4&model=qwen3-32b&tensor_parallel=2");
  REQUIRE(known.money.api != nullptr);
  CHECK(known.money.api->cloud == "Cheap");
  CHECK(stated.money.api == nullptr);
  CHECK(known.money.api_hourly == stated.money.api_hourly);
  CHECK(known.money.break_even == stated.money.break_even);
  CHECK(io::load_text(known).find("Cheap of 2026-11-01") != std::string::npos);
  CHECK(other.money.api == nullptr);
  // thousandths of tokens a second, micro-dollars for a million
  const Load& load = talks.load;
  const double hourly = 3.6e-6 * (static_cast<double>((load.prompt_tokens - load.found_tokens).value) * 500'000 + static_cast<double>(load.found_tokens.value) * 100'000 + static_cast<double>(load.answer_tokens.value) * 2'000'000);
  REQUIRE(talks.money.api_hourly);
  CHECK(std::fabs(static_cast<double>(talks.money.api_hourly->value) - hourly) < 2);
}

TEST_CASE("a trace that is no trace is refused, and so is a limit beside one") {
  Issues issues;
  const auto first_issue = [&](const char* trace, const io::LatencyLimits& limits) {
    const io::LoadReport report = io::load_report(test::catalog(), {}, io::request_from_query(std::string{"model=llama-3.1-8b&device=h100-80-sxm&profile=vllm&trace="} + trace, issues), limits);
    return report.ok || report.issues.empty() ? std::string{} : report.issues.front().field;
  };
  CHECK(first_issue("0,10,10,5", {}) == "trace");
  CHECK(first_issue("0,10,0", {}) == "trace");
  CHECK(first_issue("0,10,10", {}) == "");
  CHECK(first_issue("0,10,10", {.first_token_ms = 100}) == "trace");
}

TEST_CASE("a scheduler that looks for requests seldom lets first tokens wait") {
  const auto first = [](const char* steps) {
    return simulated_load(served(std::string{"model=llama-3.1-8b&device=h100-80-sxm&profile=sglang&prompt_tokens=1000&answer_tokens=300&concurrency=16&length_spread=300&poll_steps="} + steps), {}).first_token.mean;
  };
  CHECK(first("30") > first("1"));
}

// SGLang reads prompts first, so that requests of one length stay in step; with --enable-mixed-chunk they come apart, as measured on Llama 3.1 8B, 64 at a
// time (ai-dynamo/aiconfigurator, silicon_sample.csv): 1,097 ms to the first token, where those in step would wait for four seconds.
TEST_CASE("prompts that are read beside answers are answered sooner, and hold the answers up") {
  const std::string load = "model=llama-3.1-8b&device=h200-141-sxm&profile=sglang&weight_dtype=fp8_block&prompt_tokens=8000&answer_tokens=1000&concurrency=64&requests=640&prefill_tokens=9500";
  const Load apart = simulated_load(served(load), {}), mixed = simulated_load(served(load + "&mixed_chunks=true"), {});
  CHECK(Count{3} * mixed.first_token.mean < apart.first_token.mean);
  CHECK(mixed.per_token.mean > apart.per_token.mean);
}

TEST_CASE("GPUs that do not reach each other's memory exchange through the host's") {
  const auto rate = [](const std::string& query, std::int64_t gpus = 2) { return between_gpus(served("model=llama-3-8b&" + query).hardware, gpus); };
  constexpr std::int64_t kPcie4 = 31'507'692'304, kPcie5 = 63'015'384'608; // 16 lanes
  const auto through_host = [](std::int64_t pcie) { return pcie / 1000 * kThroughHost; };
  CHECK(rate("device=rtx4090") == through_host(kPcie4)); // GeForce: by its driver
  CHECK(rate("device=rtx4090&gpu_link=pcie") == kPcie4);
  CHECK(rate("device=rtx3090") == 56'250'000'000); // its bridge, which joins two
  CHECK(rate("device=rtx3090", 4) == through_host(kPcie4));
  CHECK(rate("device=h100-80-pcie", 2) == 300'000'000'000);
  CHECK(rate("device=h100-80-pcie", 4) == kPcie5);
  CHECK(rate("device=h100-80-sxm", 8) == 450'000'000'000);
  CHECK(rate("device=rtx3090&gpu_link=host") == through_host(kPcie4));
  CHECK(rate("device=rtxpro6000") == through_host(kPcie5)); // a card of workstations: NCCL, across host bridges
  CHECK(rate("device=l40s") == kPcie4);
  CHECK(rate("device=h100-80-sxm&gpu_link=host") == through_host(kPcie5));
  const std::string load = "model=qwen3-32b&device=rtxpro6000&profile=vllm&tensor_parallel=2&prompt_tokens=500&answer_tokens=300&concurrency=64";
  const Load near = simulated_load(served(load + "&gpu_link=pcie"), {}), apart = simulated_load(served(load), {});
  CHECK(apart.per_token.mean > near.per_token.mean);
  CHECK(apart.first_token.mean > near.first_token.mean);
}

TEST_CASE("a prompt that is not cut waits for a pass that has room for all of it") {
  Scenario scenario = served("model=qwen3-32b&device=h100-80-sxm&profile=tensorrt_llm&tensor_parallel=4&prompt_tokens=1000&answer_tokens=1&concurrency=4&requests=4&prefill_tokens=1500");
  ServingTimes times = *scenario.profile.inference.times;
  CHECK_FALSE(times.scheduling.chunks);
  scenario.profile.inference.times = &times;
  CHECK(simulated_load(scenario, {}).steps == Count{4}); // one prompt in each pass
  times.scheduling.chunks = true;
  CHECK(simulated_load(scenario, {}).steps == Count{3}); // 1500, 1500 and 1000 tokens
  scenario.workload.prefill_tokens = 800;
  times.scheduling.chunks = false;
  CHECK(simulated_load(scenario, {}).steps == Count{8}); // larger than any pass: cut all the same
}

TEST_CASE("a front end sends no more tokens than it has time for, and first tokens wait behind others'") {
  Scenario scenario = served(std::string{kDense} + "&concurrency=64&requests=640");
  ServingTimes times = *scenario.profile.inference.times;
  scenario.profile.inference.times = &times;
  times.step.token = 0;
  const Load fast = simulated_load(scenario, {});
  times.step.token = 1e6; // 1,000 tokens per second, fewer than the GPUs give
  const Load slow = simulated_load(scenario, {});
  CHECK(fast.answer_tokens > Count{1'500'000});
  CHECK(slow.answer_tokens <= Count{1'000'000});
  CHECK(slow.answer_tokens >= Count{900'000});
  CHECK(slow.first_token.mean > fast.first_token.mean);
}

TEST_CASE("packed files are unpacked, damaged ones refused") {
  const std::string packed{"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xcb\x48\xcd\xc9\xc9\x57\xc8\x40\x90\x00\x80\x88\xf9\xe5\x11\x00\x00\x00", 28};
  const auto text = io::latencies::unpacked(packed);
  REQUIRE(text);
  CHECK(*text == "hello hello hello");
  CHECK(!io::latencies::unpacked("nothing of the kind, and long enough"));
  for (std::size_t length = 0; length < packed.size(); ++length) (void)io::latencies::unpacked(packed.substr(0, length)); // must end
}

TEST_CASE("rows of measured kernels: good ones are read, bad ones counted") {
  std::vector<io::latencies::Measured> rows;
  Issues issues;
  io::latencies::read_rows("gemm.csv", "system,engine,version,op_name,kernel_source,dtype,m,n,k,ms\nh100_sxm,vllm,1,gemm,x,fp8,16,1024,1024,0.01\nh100_sxm,vllm,1,gemm,x,fp8,-1,1024,1024,0.01\n", rows, issues);
  CHECK(rows.size() == 1);
  CHECK(issues.size() == 1);
  CHECK(rows.front().ns == 10'000);
  io::latencies::read_rows("other.csv", "a,b\n1,2\n", rows, issues);
  CHECK(rows.size() == 1);
}
