#include "plimsoll/evidence/allocation_trace.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace plimsoll;

namespace {

using Kind = TraceEvent::Kind;

Bytes mib(std::int64_t n) { return Bytes{n << 20}; }

/// Two layers of 100 MiB of weights; sizes are whole segments, so that blocks and segments can be added up by hand.
StepDescription two_layers() {
  StepDescription step;
  step.persistent = {{mib(100), Count{2}}};
  step.layers = {{.forward = {{mib(10)}},
                  .saved = {{mib(40)}},
                  .backward = {{mib(20)}},
                  .gradients = {{mib(100)}},
                  .layers = Count{2}}};
  step.loss = {{mib(30)}};
  step.loss_backward = {{mib(16)}};
  step.optimizer_states = {{mib(200), Count{2}}};
  step.optimizer_step = {{mib(50)}};
  return step;
}

const AllocatorStatistics& at(const Replay& result, std::string_view name) {
  for (const MarkedStatistics& mark : result.marks)
    if (mark.name == name) return mark.statistics;
  FAIL("no mark " << name);
  return result.statistics;
}

} // namespace

TEST_CASE("a trace is played in order and its marks keep the counters") {
  Trace trace;
  trace.events = {{.kind = Kind::allocate, .tensor = 1, .bytes = mib(30)}, {.kind = Kind::mark, .name = "one"},
                  {.kind = Kind::free, .tensor = 1},                       {.kind = Kind::allocate, .tensor = 2, .bytes = mib(12)},
                  {.kind = Kind::mark, .name = "two"},                     {.kind = Kind::free, .tensor = 9},
                  {.kind = Kind::allocate, .tensor = 2, .bytes = mib(1)}};
  const Replay result = replay(trace);
  CHECK(at(result, "one").allocated.now == mib(30));
  CHECK(at(result, "two").allocated.now == mib(12));
  CHECK(at(result, "two").allocated.peak == mib(30));
  CHECK(at(result, "two").reserved.now == mib(30));
  CHECK(result.ignored == Count{2});
  CHECK(!result.failed_event);
}

TEST_CASE("a replay ends at the allocation that finds no memory") {
  Trace trace;
  trace.events = {{.kind = Kind::allocate, .tensor = 1, .bytes = mib(30)}, {.kind = Kind::allocate, .tensor = 2, .bytes = mib(80)},
                  {.kind = Kind::mark, .name = "never"}};
  const Replay result = replay(trace, {}, mib(100));
  REQUIRE(result.failed_event);
  CHECK(*result.failed_event == 1);
  CHECK(result.marks.empty());
  CHECK(result.statistics.out_of_memory == Count{1});
}

TEST_CASE("what another stream uses is active until it is done") {
  Trace trace;
  trace.events = {{.kind = Kind::allocate, .tensor = 1, .bytes = mib(30)}, {.kind = Kind::record_stream, .tensor = 1},
                  {.kind = Kind::free, .tensor = 1},                       {.kind = Kind::mark, .name = "waiting"},
                  {.kind = Kind::synchronize},                             {.kind = Kind::empty_cache},
                  {.kind = Kind::mark, .name = "done"}};
  const Replay result = replay(trace);
  CHECK(at(result, "waiting").active.now == mib(30));
  CHECK(at(result, "waiting").allocated.now == Bytes{0});
  CHECK(at(result, "done").reserved.now == Bytes{0});
}

TEST_CASE("the moments of a step, added up by hand") {
  const Replay result = replay(trace_of(two_layers()));
  CHECK(result.ignored == Count{0});
  CHECK(at(result, "step 1 forward").allocated.now == mib(200 + 2 * 40));
  CHECK(at(result, "step 1 loss").allocated.now == mib(200 + 2 * 40 + 30 + 16));
  CHECK(at(result, "step 1 backward").allocated.now == mib(200 + 2 * 100));
  // Layer 0 goes backward with what it saved, its temporaries and both gradients; the loss is gone.
  CHECK(at(result, "step 1 backward").allocated.peak == mib(200 + 40 + 20 + 200));
  CHECK(at(result, "step 1 optimizer").allocated.now == mib(200 + 200 + 400 + 50));
  CHECK(at(result, "step 1").allocated.now == mib(200 + 400));
  CHECK(at(result, "step 2 forward").allocated.now == mib(200 + 400 + 2 * 40));
  CHECK(at(result, "step 2").allocated.now == at(result, "step 1").allocated.now);
}

TEST_CASE("states made by the first optimizer step make the second step the larger one") {
  StepDescription step = two_layers();
  step.optimizer_step = {};
  step.layers.front().saved = {{mib(400)}};
  const Replay result = replay(trace_of(step));
  CHECK(at(result, "step 1 optimizer").allocated.peak < at(result, "step 2 optimizer").allocated.peak);
}

TEST_CASE("steps are replayed until reserved memory no longer grows, three at most") {
  const Replay result = replay(trace_of(two_layers()));
  int ends = 0;
  for (const MarkedStatistics& mark : result.marks) ends += mark.name == "step 1" || mark.name == "step 2" || mark.name == "step 3";
  CHECK(ends >= 2);
  CHECK(ends <= 3);
  StepDescription settled = two_layers();
  settled.optimizer_states = {};
  CHECK(replay(trace_of(settled)).marks.back().name == "step 2"); // as large as the first
  StepDescription once = two_layers();
  once.steps = 1;
  CHECK(replay(trace_of(once)).marks.back().name == "step 1");
  once.steps = 1'000'000;
  CHECK(trace_of(once).events.back().name == "step 3");
}

TEST_CASE("gradients of later micro-batches are added to the first's and freed") {
  StepDescription step = two_layers();
  step.micro_batches = 4;
  const Replay result = replay(trace_of(step));
  CHECK(at(result, "step 1 backward").allocated.now == mib(200 + 2 * 100));
  // From the second on a layer's new gradient stands beside both kept ones.
  CHECK(at(result, "step 1 backward").allocated.peak == mib(200 + 2 * 100 + 2 * 40 + 20 + 100 + 16));
}

TEST_CASE("gradients that leave with their layer are never two") {
  StepDescription step = two_layers();
  step.gradients = GradientLife::freed;
  const Replay result = replay(trace_of(step));
  CHECK(at(result, "step 1 backward").allocated.now == mib(200));
  CHECK(at(result, "step 1 backward").allocated.peak == mib(200 + 2 * 40 + 20 + 100 + 16));
}

TEST_CASE("micro-batches in flight keep what they saved") {
  StepDescription step = two_layers();
  step.micro_batches = 8;
  step.in_flight = 4;
  const Replay result = replay(trace_of(step));
  // The eighth forward runs while the three before it wait for their backward.
  CHECK(at(result, "step 1 forward").allocated.now == mib(200 + 4 * 2 * 40 + 200));
  CHECK(at(result, "step 1 backward").allocated.now == mib(200 + 200));
  step.in_flight = 100; // more than there are
  CHECK(at(replay(trace_of(step)), "step 1 forward").allocated.now == mib(200 + 8 * 2 * 40));
}

TEST_CASE("every tensor of a trace is freed or stays: no event is senseless, whatever the description") {
  for (const std::int64_t batches : {-1, 1, 2, 5})
    for (const std::int64_t ahead : {-3, 1, 2, 9})
      for (const GradientLife life : {GradientLife::kept, GradientLife::freed}) {
        StepDescription step = two_layers();
        step.micro_batches = batches, step.in_flight = ahead, step.gradients = life;
        const Replay result = replay(trace_of(step));
        CHECK(result.ignored == Count{0});
        CHECK(result.statistics.allocated.now == mib(600));
      }
}

TEST_CASE("expandable segments reserve no more for a step than fixed ones, and within granules of the peak") {
  AllocatorSettings expandable;
  expandable.expandable_segments = true;
  StepDescription step = two_layers();
  step.layers.front().saved = {{Bytes{7'340'033}, Count{5}}, {Bytes{300'000}, Count{7}}};
  step.layers.front().layers = Count{20};
  const AllocatorStatistics fixed = replay(trace_of(step)).statistics, grown = replay(trace_of(step), expandable).statistics;
  CHECK(fixed.allocated.peak > Bytes{0});
  CHECK(fixed.requested.peak == grown.requested.peak);
  CHECK(grown.reserved.peak >= grown.allocated.peak);
  CHECK(grown.reserved.peak <= fixed.reserved.peak);
}

TEST_CASE("absurd descriptions give a truncated trace") {
  StepDescription step = two_layers();
  step.persistent.front().count = Count{Count::kMax};
  CHECK(trace_of(step).truncated);
  step = two_layers();
  step.layers = {LayerTensors{}};
  step.layers.front().layers = Count{Count::kMax};
  CHECK(trace_of(step).truncated);
  step = two_layers();
  step.micro_batches = Count::kMax, step.in_flight = Count::kMax;
  CHECK(trace_of(step).truncated);
  CHECK(trace_of(step).events.size() == kMaxTraceEvents);
  CHECK(!trace_of({}).truncated);
}
