// Schedules of pipelines: their lengths, what is in flight, and that no pass comes before what it needs.
#include "plimsoll/schedule.hpp"

#include "plimsoll/pipeline.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

using namespace plimsoll;

namespace {

Strategy pipeline_of(std::int64_t ranks, PipelineSchedule schedule) {
  Strategy strategy;
  strategy.pipeline_parallel = ranks;
  strategy.pipeline_schedule = schedule;
  return strategy;
}

} // namespace

TEST_CASE("both take (m + p - 1) forward and backward passes, as Narayanan et al. count the bubble") {
  const auto schedule = GENERATE(PipelineSchedule::one_f_one_b, PipelineSchedule::gpipe);
  for (const std::int64_t p : {2, 4, 7})
    for (const std::int64_t m : {1, 3, 8, 20}) {
      CAPTURE(p, m);
      CHECK(schedule_of(pipeline_of(p, schedule), m).length == (m + p - 1) * 3);
    }
}

TEST_CASE("what is in flight is what the estimate keeps activations of") {
  const auto kind = GENERATE(PipelineSchedule::one_f_one_b, PipelineSchedule::gpipe);
  for (const std::int64_t p : {2, 4, 7})
    for (const std::int64_t m : {1, 3, 8, 20}) {
      Workload workload;
      workload.micro_batches = m;
      const Strategy strategy = pipeline_of(p, kind);
      const Schedule schedule = schedule_of(strategy, m);
      REQUIRE(schedule.in_flight.size() == static_cast<std::size_t>(p));
      for (std::int64_t rank = 0; rank < p; ++rank) {
        CAPTURE(p, m, rank);
        CHECK(Count{schedule.in_flight[static_cast<std::size_t>(rank)]} == micro_batches_in_flight(strategy, workload, rank, 0));
      }
    }
}

TEST_CASE("passes of a rank follow each other, all of them") {
  const Schedule schedule = schedule_of(pipeline_of(4, PipelineSchedule::one_f_one_b), 8);
  for (const std::vector<Pass>& passes : schedule.ranks) {
    CHECK(passes.size() == 16);
    for (std::size_t i = 1; i < passes.size(); ++i) CHECK(passes[i].begin >= passes[i - 1].end);
  }
}

TEST_CASE("other schedules, and none, are not drawn; long ones are cut") {
  CHECK(!schedule_of(pipeline_of(1, PipelineSchedule::one_f_one_b), 8).known);
  CHECK(!schedule_of(pipeline_of(4, PipelineSchedule::dualpipe), 8).known);
  Strategy interleaved = pipeline_of(4, PipelineSchedule::one_f_one_b);
  interleaved.virtual_stages = 2;
  CHECK(!schedule_of(interleaved, 8).known);
  const Schedule cut = schedule_of(pipeline_of(64, PipelineSchedule::one_f_one_b), 1'000'000'000);
  CHECK(cut.known);
  CHECK(cut.micro_batches == kMostPasses / 2 / 64);
}
