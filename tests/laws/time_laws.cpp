// What must hold of times of training, whatever the scenario.
#include "plimsoll/method/sharding.hpp"
#include "plimsoll/method/time.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>

using namespace plimsoll;

namespace {

Scenario scenario_of(const std::string& query) { return test::answer_to(query).scenario; }

std::int64_t best(const Hardware& hardware, Arithmetic format) {
  const auto at = static_cast<std::size_t>(format);
  return std::max(hardware.rates.measured[at], hardware.rates.flop[at]);
}

Nanoseconds part_of(const StepTime& step, TimePart part) { return step.parts[static_cast<std::size_t>(part)].expected; }

const std::string kJob = "model=llama-3-8b&task=pretrain&train_tokens=1000000000000";

} // namespace

TEST_CASE("parts of a step add up to it, at both ends of what is likely") {
  int known = 0;
  for (const std::string& query : test::valid_queries(60)) {
    INFO(query);
    const StepTime step = step_time(scenario_of(query));
    if (!step.known) continue;
    ++known;
    TimeRange sum;
    for (const TimeRange& part : step.parts) {
      CHECK(part.low <= part.expected);
      CHECK(part.expected <= part.high);
      sum += part;
    }
    CHECK(sum.expected == step.total.expected);
    CHECK(sum.low == step.total.low);
    CHECK(sum.high == step.total.high);
    CHECK(step.mfu <= step.hfu);
  }
  CHECK(known > 20);
}

TEST_CASE("no step multiplies faster than the best that anyone has measured of the device") {
  for (const char* device : {"a100-80-sxm", "h100-80-sxm", "b200", "mi300x"})
    for (const char* model : {"llama-3-8b", "llama-3.1-405b", "qwen3-30b-a3b"})
      for (const char* more : {"&batch=1", "&batch=16", "&batch=4&recompute=full", "&context_tokens=128"}) {
        const Scenario scenario = scenario_of(std::string{"task=pretrain&device="} + device + "&model=" + model + more);
        const StepTime step = step_time(scenario);
        INFO(device << " " << model << more << ": " << step.hfu);
        REQUIRE(step.known);
        const std::int64_t measured = scenario.hardware.rates.measured[static_cast<std::size_t>(Arithmetic::bf16)];
        const std::int64_t published = scenario.hardware.rates.of(Arithmetic::bf16);
        REQUIRE(measured > 0);
        // At its fastest too.
        const double fastest = static_cast<double>(step.hfu) * static_cast<double>(step.total.expected.value) / static_cast<double>(step.total.low.value);
        CHECK(fastest * static_cast<double>(published) <= 1000.0 * static_cast<double>(measured));
      }
}

TEST_CASE("twice the replicas take no longer for a step than what they exchange in addition") {
  for (const char* sharding : {"&sharding=none", "&sharding=optimizer", "&sharding=parameters"})
    for (std::int64_t gpus = 1; gpus <= 2048; gpus *= 2) {
      const auto step_of = [&](std::int64_t replicas) { return step_time(scenario_of(kJob + sharding + "&data_parallel=" + std::to_string(replicas))); };
      const StepTime one = step_of(gpus), two = step_of(2 * gpus);
      INFO(sharding << " on " << gpus);
      REQUIRE(one.known);
      const Nanoseconds added = part_of(two, TimePart::data_parallel) - part_of(one, TimePart::data_parallel);
      CHECK(added >= Nanoseconds{0});
      CHECK(two.total.expected - one.total.expected <= added);
      CHECK(two.tokens == Count{2} * one.tokens);
    }
}

TEST_CASE("more tokens take longer, and so do slower networks and recomputation") {
  const std::string base = kJob + "&data_parallel=64&sharding=parameters";
  const auto time = [](const std::string& query) { return step_time(scenario_of(query)).total.expected; };
  CHECK(time(base) < time(base + "&batch=2"));
  CHECK(time(base) < time(base + "&micro_batches=2"));
  CHECK(time(base) < time(base + "&recompute=full"));
  CHECK(time(base) < time(base + "&network_bytes_per_s=1000000000"));
  CHECK(time(base + "&gpus_per_node=64") <= time(base));
  CHECK(time(base + "&fp8=compute") < time(base));
}

TEST_CASE("a job takes its tokens at the step's rate: twice as many take twice as long, on twice the GPUs half of that") {
  const JobTime once = job_time(scenario_of(kJob + "&data_parallel=8"));
  REQUIRE(once.known);
  const JobTime twice = job_time(scenario_of(test::with(kJob, "train_tokens", "2000000000000") + "&data_parallel=8"));
  CHECK(std::abs(twice.gpu_hours.expected.value - 2 * once.gpu_hours.expected.value) <= 2);
  CHECK(once.gpu_hours.low <= once.gpu_hours.expected);
  CHECK(once.gpu_hours.expected <= once.gpu_hours.high);
  CHECK_FALSE(job_time(scenario_of("model=llama-3-8b&task=pretrain")).known); // nothing was asked
  CHECK_FALSE(job_time(scenario_of("model=llama-3-8b&task=inference")).known);

  const std::string tuning = "model=llama-3-8b&task=finetune&dataset_tokens=1000000";
  const JobTime one = job_time(scenario_of(tuning)), three = job_time(scenario_of(tuning + "&epochs=3"));
  CHECK(three.tokens == Count{3} * one.tokens);
}

TEST_CASE("devices whose rates nobody has published have no times") {
  int without = 0;
  for (const io::DeviceRow& row : test::catalog().devices()) {
    const StepTime step = step_time(scenario_of("model=llama-3-8b&task=pretrain&device=" + row.hardware.id));
    const bool published = row.hardware.rates.memory > 0 && std::max(best(row.hardware, Arithmetic::bf16), best(row.hardware, Arithmetic::fp16)) > 0;
    INFO(row.hardware.id);
    CHECK(step.known == published);
    without += published ? 0 : 1;
  }
  CHECK(without < static_cast<int>(test::catalog().devices().size()));
}
