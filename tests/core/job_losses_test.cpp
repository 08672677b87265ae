// What jobs lose beside their steps, by hand.
#include "plimsoll/method/parameters.hpp"
#include "plimsoll/method/time.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <cstdint>
#include <string>

using namespace plimsoll;

namespace {

// Llama 3 405B as on 16,384 H100 (arXiv 2407.21783, table 4).
const std::string kLlama = "model=llama-3.1-405b&task=pretrain&device=h100-80-sxm&profile=megatron&precision=master_bf16&context_tokens=8192&micro_batches=16&tensor_parallel=8&"
                           "sequence_parallel=true&pipeline_parallel=16&data_parallel=128&sharding=optimizer&first_stage_layers=7&last_stage_layers=7&train_tokens=15600000000000&job_losses=true";

JobTime job_of(const std::string& query) {
  const JobTime job = job_time(test::answer_to(query).scenario);
  REQUIRE(job.known);
  return job;
}

double seconds(Nanoseconds time) { return static_cast<double>(time.value) / 1e9; }

} // namespace

TEST_CASE("a job on 16,384 GPUs is interrupted every three hours, and keeps over nine tenths of its time, as Llama 3's did") {
  const JobTime job = job_of(kLlama);
  REQUIRE(job.losses.known);
  const std::int64_t parameters = count_parameters(test::answer_to(kLlama).scenario.model).value;
  CHECK(job.losses.checkpoint == Bytes{14 * parameters}); // bf16 weights, fp32 main weights, two fp32 states
  CHECK(std::abs(seconds(job.losses.write.expected) - 14e-9 * static_cast<double>(parameters) / 2048) < 1e-3);
  // 10^6 hours / (20 × 16,384) are 10,986 s; 2.77 s a checkpoint.
  const double between = 1e6 * 3600 / (20.0 * 16384), write = seconds(job.losses.write.expected), interval = std::sqrt(2 * write * between);
  CHECK(std::abs(seconds(job.losses.interval.expected) - interval) < 1e-3);
  const double lost = interval / 2 + 600 + write, hold = 1 / (1 - lost / between) * (1 + write / interval);
  CHECK(job.goodput > 900);
  CHECK(std::abs(static_cast<double>(job.goodput) / 1000 - 1 / hold) < 0.0015); // its start is a few minutes of many days
  CHECK(std::abs(static_cast<double>(job.losses.interruptions.expected.value) - seconds(job.wall.expected) / between) < 0.005 * seconds(job.wall.expected) / between);
  CHECK(job.wall.low < job.wall.expected);
  CHECK(job.wall.expected < job.wall.high);
}

TEST_CASE("of a stated interval, half is lost with a failure; what is copied while training goes on costs little; nothing fails where nothing does") {
  const JobTime best = job_of(kLlama), hourly = job_of(kLlama + "&checkpoint_minutes=60"), behind = job_of(kLlama + "&checkpoint_async=true"), never = job_of(kLlama + "&failures_per_million_gpu_hours=0");
  CHECK(seconds(hourly.losses.interval.expected) == 3600);
  CHECK(hourly.losses.failures.expected > best.losses.failures.expected);
  CHECK(hourly.losses.checkpoints.expected < best.losses.checkpoints.expected);
  CHECK(hourly.wall.expected > best.wall.expected);
  CHECK(behind.losses.write.expected < best.losses.write.expected);
  CHECK(behind.wall.expected < best.wall.expected);
  CHECK(never.losses.failures.high == Nanoseconds{0});
  CHECK(never.losses.interruptions.high == Count{0});
  CHECK(never.goodput >= 998);
}

TEST_CASE("an evaluation costs about a third of training on as many tokens; with adapters more, as nothing multiplies for gradients of frozen weights") {
  const JobTime job = job_of(kLlama + "&failures_per_million_gpu_hours=0&evaluation_tokens=1560000000000"), without = job_of(kLlama + "&failures_per_million_gpu_hours=0");
  CHECK(std::abs(seconds(job.losses.evaluation.expected) / seconds(without.wall.expected) - 0.1 / 3) < 1e-3);
  // Of each part of a step: a third of what multiplies by weights, moves or waits, two of seven multiplications of attention, half of the sums over tensor-parallel GPUs.
  const StepTime step = step_time(test::answer_to(kLlama).scenario);
  const auto part = [&](TimePart which) { return seconds(step.parts[static_cast<std::size_t>(which)].expected); };
  const double forward = (part(TimePart::matrices) + part(TimePart::elementwise) + part(TimePart::pipeline) + part(TimePart::launches)) / 3 + part(TimePart::attention) * 2 / 7 + part(TimePart::tensor_parallel) / 2;
  CHECK(std::abs(seconds(job.losses.evaluation.expected) / seconds(without.wall.expected) - 0.1 * forward / seconds(step.total.expected)) < 2e-4);
  // Llama 2 70B with adapters on eight B200, logs of MLPerf Training v5.0: 71 s for five evaluations of 22 rounds, in steps of 1.52 s: .42 of a step each.
  const std::string adapters = "model=llama-2-70b&task=finetune&method=lora&device=b200-sxm&profile=megatron&fp8=parameters&context_tokens=8192&data_parallel=8&sharding=optimizer&job_losses=true&"
                               "failures_per_million_gpu_hours=0&restart_minutes=0&dataset_tokens=65536&evaluation_tokens=65536";
  const double share = seconds(job_of(adapters).losses.evaluation.expected) / seconds(step_time(test::answer_to(adapters).scenario).total.expected);
  CHECK(share > 0.40);
  CHECK(share < 0.46);
  CHECK(job_of(adapters + "&recompute=full").losses.evaluation.expected == job_of(adapters).losses.evaluation.expected); // nothing is kept, nothing runs again
}

TEST_CASE("a usual job loses as much with every doubling from 8 to 256 GPUs, and no more beyond") {
  const auto share = [](int gpus) {
    return job_of("model=llama-2-7b&task=pretrain&device=a100-80-sxm&profile=pytorch&context_tokens=4096&sharding=parameters&typical_job=true&train_tokens=2000000000000&data_parallel=" + std::to_string(gpus)).goodput;
  };
  CHECK(share(8) == share(4));
  CHECK(share(16) - share(32) == share(8) - share(16));
  CHECK(share(24) == (share(16) + share(32)) / 2);
  CHECK(share(128) > share(256));
  CHECK(share(256) == share(2048));
}

TEST_CASE("a GPU that fails before it has caught up never finishes; losses are counted only where that is asked, and only of a layout") {
  CHECK(job_of(kLlama + "&failures_per_million_gpu_hours=1000").goodput <= 1);
  CHECK_FALSE(job_of(kLlama + "&job_losses=false").losses.known);
  CHECK_FALSE(job_of(kLlama + "&typical_job=true").losses.known);
}

TEST_CASE("of a network with three times as much below as above, a third passes between nodes") {
  const auto step = [](const std::string& more) {
    return step_time(test::answer_to("model=llama-3-8b&task=pretrain&device=h100-80-sxm&profile=torchtitan&data_parallel=64&sharding=parameters" + more).scenario).total.expected;
  };
  CHECK(step("&oversubscription=2") == step("&network_bytes_per_s=25000000000"));
  CHECK(step("&oversubscription=2") > step(""));
}
