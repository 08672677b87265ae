// Schedules of pipelines: their lengths and bubbles as the papers count them, what is in flight as the estimate counts it, and that no
// pass comes before what it needs.
#include "plimsoll/method/schedule.hpp"

#include "plimsoll/method/pipeline.hpp"

#include "plimsoll/method/estimate.hpp"
#include "plimsoll/results/api.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

using namespace plimsoll;

namespace {

Strategy pipeline_of(std::int64_t ranks, PipelineSchedule schedule, std::int64_t chunks = 1) {
  Strategy strategy;
  strategy.pipeline_parallel = ranks;
  strategy.pipeline_schedule = schedule;
  strategy.virtual_stages = chunks;
  return strategy;
}

/// Of all chunks of a rank, as the formulas of activations take it.
Count kept(const Strategy& strategy, std::int64_t m, std::int64_t rank) {
  Workload workload;
  workload.micro_batches = m;
  Count sum;
  for (std::int64_t chunk = 0; chunk < chunks_per_rank(strategy); ++chunk) sum += micro_batches_in_flight(strategy, workload, rank, chunk);
  return sum;
}

/// Between a rank's first and last pass.
std::int64_t idle(const std::vector<Pass>& passes) {
  std::int64_t sum = 0;
  for (std::size_t i = 1; i < passes.size(); ++i) sum += passes[i].begin - passes[i - 1].end;
  return sum;
}

void check_in_flight(const Strategy& strategy, std::int64_t m) {
  const Schedule schedule = schedule_of(strategy, m);
  REQUIRE(schedule.known);
  REQUIRE(schedule.micro_batches == m);
  for (std::int64_t rank = 0; rank < strategy.pipeline_parallel; ++rank) {
    CAPTURE(strategy.pipeline_parallel, m, rank);
    CHECK(Count{schedule.in_flight[static_cast<std::size_t>(rank)]} == kept(strategy, m, rank));
  }
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

TEST_CASE("interleaving v chunks makes the bubble v times smaller, as Narayanan et al. count it") {
  for (const std::int64_t p : {2, 4, 8})
    for (const std::int64_t v : {2, 3}) {
      CAPTURE(p, v);
      const Schedule schedule = schedule_of(pipeline_of(p, PipelineSchedule::one_f_one_b, v), 2 * p);
      CHECK(schedule.length == (2 * p * v + p - 1) * 3); // in units of a chunk, of which a stage has v
    }
}

TEST_CASE("ZB-H1 idles p - 1 units where 1F1B idles 3 (p - 1); ZB-H2 and ZB-V never between two passes") {
  for (const std::int64_t p : {2, 4, 7}) {
    CAPTURE(p);
    const std::int64_t m = 3 * p;
    CHECK(schedule_of(pipeline_of(p, PipelineSchedule::zb_h1), m).length == 3 * m + p - 1);
    for (const PipelineSchedule kind : {PipelineSchedule::zb_h2, PipelineSchedule::zb_v})
      for (const std::vector<Pass>& passes : schedule_of(pipeline_of(p, kind), m).ranks) CHECK(idle(passes) == 0);
  }
}

TEST_CASE("what is in flight is what the estimate keeps activations of") {
  const auto kind = GENERATE(PipelineSchedule::one_f_one_b, PipelineSchedule::gpipe, PipelineSchedule::zb_h1, PipelineSchedule::zb_h2);
  for (const std::int64_t p : {2, 4, 7})
    for (const std::int64_t m : {1, 3, 8, 20}) check_in_flight(pipeline_of(p, kind), m);
}

TEST_CASE("interleaved, it is so with whole groups of micro-batches") {
  for (const std::int64_t p : {2, 4, 8})
    for (const std::int64_t v : {2, 3})
      for (const std::int64_t groups : {1, 2, 4}) {
        check_in_flight(pipeline_of(p, PipelineSchedule::one_f_one_b, v), groups * p);
        check_in_flight(pipeline_of(p, PipelineSchedule::gpipe, v), groups * p);
        Strategy wide = pipeline_of(p, PipelineSchedule::one_f_one_b, v);
        wide.microbatch_group = 2 * p;
        check_in_flight(wide, 2 * groups * p);
      }
}

TEST_CASE("in both directions and folded, it is so once the pipeline is full") {
  for (const std::int64_t p : {2, 4, 8})
    for (const std::int64_t m : {2 * p, 2 * p + 6}) {
      check_in_flight(pipeline_of(p, PipelineSchedule::zb_v), m);
      check_in_flight(pipeline_of(p, PipelineSchedule::dualpipe), m);
      check_in_flight(pipeline_of(p, PipelineSchedule::dualpipe_v), m);
    }
  check_in_flight(pipeline_of(3, PipelineSchedule::zb_v), 5); // 2p - 1: as few as fill it
  for (const std::int64_t m : {1, 2, 3}) {
    const Strategy strategy = pipeline_of(4, PipelineSchedule::zb_v);
    for (std::int64_t rank = 0; rank < 4; ++rank) CHECK(Count{schedule_of(strategy, m).in_flight[static_cast<std::size_t>(rank)]} <= kept(strategy, m, rank));
  }
}

TEST_CASE("every rank runs every chunk of every micro-batch once, forward before backward, one pass after the other") {
  const auto kind = GENERATE(PipelineSchedule::one_f_one_b, PipelineSchedule::gpipe, PipelineSchedule::zb_h1, PipelineSchedule::zb_h2, PipelineSchedule::zb_v,
                             PipelineSchedule::dualpipe, PipelineSchedule::dualpipe_v);
  const std::int64_t m = 8;
  const Strategy strategy = pipeline_of(4, kind);
  const Schedule schedule = schedule_of(strategy, m);
  REQUIRE(schedule.ranks.size() == 4);
  const std::int64_t cells = kind == PipelineSchedule::dualpipe ? m : m * chunks_per_rank(strategy); // there each half of them has a copy of its own
  for (const std::vector<Pass>& passes : schedule.ranks) {
    std::int64_t forward = 0, input = 0, weight = 0;
    for (std::size_t i = 0; i < passes.size(); ++i) {
      if (i > 0) CHECK(passes[i].begin >= passes[i - 1].end);
      CHECK(passes[i].micro_batch < m);
      forward += passes[i].kind == PassKind::forward;
      input += passes[i].kind == PassKind::backward || passes[i].kind == PassKind::input_gradient;
      weight += passes[i].kind == PassKind::backward || passes[i].kind == PassKind::weight_gradient;
      CHECK(input <= forward);
      CHECK(weight <= input);
    }
    CHECK(forward == cells);
    CHECK(weight == cells);
  }
}

TEST_CASE("what cannot run is not drawn; long schedules are cut") {
  CHECK(!schedule_of(pipeline_of(1, PipelineSchedule::one_f_one_b), 8).known);
  CHECK(!schedule_of(pipeline_of(3, PipelineSchedule::dualpipe), 8).known);
  CHECK(!schedule_of(pipeline_of(4, PipelineSchedule::dualpipe), 6).known);
  CHECK(!schedule_of(pipeline_of(4, PipelineSchedule::dualpipe_v), 7).known);
  Strategy narrow = pipeline_of(4, PipelineSchedule::one_f_one_b, 2);
  narrow.microbatch_group = 2; // of four ranks: the first waits for a pass behind its own
  CHECK(schedule_of(narrow, 8).ranks.empty() != schedule_of(narrow, 8).known);
  const Schedule cut = schedule_of(pipeline_of(64, PipelineSchedule::one_f_one_b), 1'000'000'000);
  CHECK(cut.known);
  CHECK(cut.micro_batches == kMostPasses / 2 / 64);
}

// pytorch/pytorch, torch/distributed/pipelining/stage.py. Llama 3 8B on four stages: one activation is 4,096 tokens of 4,096 numbers of 2 bytes.
TEST_CASE("stages of torch.distributed.pipelining hold a place for every micro-batch, and what they handed on") {
  const std::int64_t each = 4'096ll * 4'096 * 2;
  const auto held = [](const std::string& more, const char* id) {
    const Component tree = explain_moment(test::answer_to("model=llama-3-8b&task=pretrain&profile=torchtitan&context_tokens=4096&recompute=full&pipeline_parallel=4&micro_batches=8" + more).scenario, Moment::last_layer_backward);
    const Component* const found = find_component(tree, id);
    return found == nullptr ? 0 : found->amount;
  };
  // The first stage is the fullest: gradients of eight, outputs of the four in flight.
  CHECK(held("&data_parallel=2&sharding=parameters", "memory.activations.stage_buffers") == 12 * each);
  CHECK(held("&data_parallel=2&sharding=parameters&tensor_parallel=2&sequence_parallel=true", "memory.activations.stage_buffers") == 6 * each);
  CHECK(held("&pipeline_parallel=1", "memory.activations.stage_buffers") == 0);
}
