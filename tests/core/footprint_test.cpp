#include "plimsoll/method/footprint.hpp"
#include "plimsoll/method/timeline.hpp"

#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

using namespace plimsoll;

namespace {

Footprint of(const std::string& query, const AllocatorSettings& settings = {}) {
  const io::Answer answer = test::answer_to(query);
  return footprint(answer.scenario, answer.estimate.rank, settings);
}

/// Some of all queries: a footprint takes a thousand times as long as an estimate.
std::vector<std::string> some_queries() {
  constexpr std::size_t kEvery = 17;
  const std::vector<std::string> all = test::valid_queries(40);
  std::vector<std::string> some;
  for (std::size_t i = 0; i < all.size(); i += kEvery) some.push_back(all[i]);
  return some;
}

bool in_order(const Footprint& at) {
  const auto ordered = [](const MemoryRange& range) { return Bytes{0} <= range.low && range.low <= range.expected && range.expected <= range.high; };
  const auto below = [](const MemoryRange& a, const MemoryRange& b) { return a.low <= b.low && a.expected <= b.expected && a.high <= b.high; };
  return ordered(at.requested) && ordered(at.allocated) && ordered(at.reserved) && ordered(at.process) &&
         below(at.requested, at.allocated) && below(at.allocated, at.reserved) && below(at.reserved, at.process);
}

} // namespace

TEST_CASE("the four numbers grow from one to the next, and ranges hold what is expected") {
  for (const std::string& query : some_queries()) {
    INFO(query);
    CHECK(in_order(of(query)));
  }
}

TEST_CASE("what several replays have in common may be walked once: to the byte the same") {
  for (const std::string& query : some_queries()) {
    const io::Answer answer = test::answer_to(query);
    const AllocatorSettings settings{.expandable_segments = answer.scenario.profile.runtime.expandable_segments};
    Scenario scenario = answer.scenario;
    INFO(query);
    const auto compare = [&] { // on the device, and where it has too little for the cache, or for anything
      const Footprint shared = footprint(scenario, answer.estimate.rank, settings), apart = footprint(scenario, answer.estimate.rank, settings, Replays::apart);
      for (const MemoryNumber& number : memory_numbers()) {
        const MemoryRange a = shared.*number.range, b = apart.*number.range;
        CHECK((a.expected == b.expected && a.low == b.low && a.high == b.high));
      }
      CHECK(shared.returns_cache == apart.returns_cache);
      return shared;
    };
    const Footprint here = compare();
    scenario.hardware.usable_bytes = ((here.allocated.expected + here.reserved.expected).value / 2) + (here.process.expected - here.reserved.expected).value;
    compare();
    scenario.hardware.usable_bytes = here.process.expected.value / 2;
    compare();
  }
}

TEST_CASE("what the trace requests is the peak of the estimate") {
  std::int64_t compared = 0, off = 0;
  for (const std::string& query : some_queries()) {
    const io::Answer answer = test::answer_to(query);
    const Bytes requested = answer.estimate.at_peak().requested, replayed = footprint(answer.scenario, answer.estimate.rank).requested.expected;
    INFO(query << ": " << requested.value << " and " << replayed.value);
    CHECK(requested <= replayed); // every moment is passed; between two moments there may be more
    ++compared;
    if (replayed.value - requested.value > requested.value / 100) ++off, UNSCOPED_INFO("more: " << query);
  }
  CAPTURE(compared, off);
  CHECK(off * 50 <= compared);
}

TEST_CASE("gradients that are freed as soon as they are used do not add up in the trace") {
  for (const char* query : {"model=llama-3-8b&task=finetune&optimizer_in_backward=1", "model=llama-3-8b&task=finetune&recompute=full&optimizer_in_backward=1",
                            "model=llama-3-8b&task=finetune&optimizer=lomo", "model=llama-3-8b&task=finetune&recompute=full&optimizer=adamw_8bit&optimizer_in_backward=1"}) {
    INFO(query);
    const io::Answer answer = test::answer_to(query);
    REQUIRE(answer.ok);
    const Bytes requested = answer.estimate.at_peak().requested, replayed = footprint(answer.scenario, answer.estimate.rank).requested.expected;
    CHECK(requested <= replayed);
    CHECK(replayed <= requested + Bytes{requested.value / 100});
  }
}

TEST_CASE("the gradient that a layer is making is of one matrix, and one request") {
  const io::Answer answer = test::answer_to("model=llama-3-8b&task=finetune&data_parallel=4&tensor_parallel=2");
  const MemoryTimeline timeline = memory_timeline(answer.scenario, answer.estimate.rank);
  const auto purpose = static_cast<std::uint16_t>(std::ranges::find(timeline.names, "Gradients: Gradient being computed") - timeline.names.begin());
  REQUIRE(purpose < timeline.names.size());
  std::size_t requests = 0;
  for (std::size_t i = 0; i < timeline.calls.size(); ++i)
    if (timeline.purposes[i] == purpose && timeline.calls[i].action == AllocatorEvent::Action::alloc) {
      CHECK(timeline.calls[i].size == Bytes{4096 * 7168 * 2});
      ++requests;
    }
  CHECK(requests == 2 * 32); // of two steps, in each layer
}

TEST_CASE("paged optimizer states are the driver's, not the allocator's") {
  const Footprint paged = of("model=llama-3-8b&task=finetune&optimizer=paged_adamw_8bit"), plain = of("model=llama-3-8b&task=finetune&optimizer=adamw_8bit");
  CHECK(paged.allocated.expected + Bytes{8'000'000'000} < plain.allocated.expected); // states of two bytes for each of eight billion
  CHECK(paged.process.expected - paged.reserved.expected > Bytes{16'000'000'000});
}

TEST_CASE("segments that grow in place reserve no more than fixed ones, beside their last granules") {
  for (const char* query : {"model=llama-3-8b&task=finetune", "model=llama-3-8b&task=pretrain&model=llama-3.2-1b", "model=llama-3-8b&task=finetune&recompute=full", "model=llama-3-8b&task=pretrain&tensor_parallel=2"}) {
    INFO(query);
    const Bytes granules{2 * 20'971'520};
    CHECK(of(query, {.expandable_segments = true}).reserved.expected <= of(query).reserved.expected + granules);
  }
}

TEST_CASE("what a process takes beside the allocator is context and communicators") {
  const Footprint one = of("model=llama-3-8b&task=pretrain"), eight = of("model=llama-3-8b&task=pretrain&data_parallel=8");
  const auto outside = [](const Footprint& at) { return at.process.expected - at.reserved.expected; };
  CHECK(outside(eight) - outside(one) == Bytes{24 * 12'582'912}); // a ring of 24 channels
  CHECK(std::ranges::any_of(eight.uncertainties, [](const Uncertainty& one_of) { return one_of.id == "memory.communicators.ring"; }));
}

TEST_CASE("the width of the process is the sum of its named uncertainties, the widest first") {
  for (const char* query : {"model=llama-3-8b&task=finetune", "model=llama-3-8b&task=inference", "model=mixtral-8x7b&task=pretrain&expert_parallel=8&data_parallel=8"}) {
    INFO(query);
    const Footprint at = of(query);
    Bytes less, more;
    for (const Uncertainty& one : at.uncertainties) {
      less += one.less, more += one.more;
      CHECK(!one.label.empty());
      CHECK((!one.citation.empty() || one.basis == Basis::assumed));
    }
    CHECK(std::ranges::is_sorted(at.uncertainties, std::ranges::greater{}, [](const Uncertainty& one) { return one.less + one.more; }));
    CHECK(std::ranges::none_of(at.uncertainties, [](const Uncertainty& one) { return one.less + one.more == Bytes{0}; }));
    CHECK(at.process.expected - at.process.low == less);
    CHECK(at.process.high - at.process.expected == more);
  }
}

TEST_CASE("the mean length moves the low end of padded batches, and both ends of batches without padding") {
  const std::string query = "model=llama-3.2-1b&task=finetune&batch=4&context_tokens=2048&mean_tokens=512";
  const auto width = [](const Footprint& at, const char* id) {
    const auto found = std::ranges::find(at.uncertainties, id, &Uncertainty::id);
    return found == at.uncertainties.end() ? Uncertainty{} : *found;
  };
  const auto requested = [](const std::string& of_query) { return of(of_query).requested.expected; };
  const Footprint padded = of(query), row = of(query + "&batching=padding_free");
  const Bytes all_long = requested("model=llama-3.2-1b&task=finetune&batch=4&context_tokens=2048");
  CHECK(padded.requested.expected == all_long);
  CHECK(width(padded, "uncertainty.mean").less > Bytes{0});
  CHECK(width(padded, "uncertainty.mean").more == Bytes{0});
  CHECK(width(padded, "uncertainty.longest").id.empty());
  CHECK(row.requested.expected < padded.requested.expected);
  CHECK(padded.requested.low < row.requested.expected);
  CHECK(row.requested.high >= padded.requested.expected);
  CHECK(width(row, "uncertainty.longest").more == padded.requested.expected - row.requested.expected);
  CHECK(width(of(query + "&batching=packed&mean_tokens=0"), "uncertainty.mean").id.empty());
}

TEST_CASE("what a stream freed is that stream's: FSDP2's gradients leave nothing behind for the layers") {
  // torchtitan, Qwen3 32B on 8 H100s, full recomputation, 4,096 tokens: 81.47 GiB reserved with one sequence, 89.33 with two (its
  // commit messages); the second costs 2.6 GiB of layer inputs and the loss, though no moment's sum grows by as much.
  const auto reserved = [](const char* batch, bool own_stream) {
    Scenario scenario = test::answer_to(std::string{"model=qwen3-32b&task=pretrain&profile=torchtitan&precision=sharded_bf16&data_parallel=8"
                                                    "&sharding=parameters&context_tokens=4096&recompute=full&batch="} + batch).scenario;
    scenario.hardware.usable_bytes = 102'005'473'280; // these H100s have 95 GiB
    scenario.profile.training.states.sharding.reduces_on_own_stream = own_stream;
    return footprint(scenario, 0);
  };
  const Footprint together = reserved("2", false), apart = reserved("2", true);
  CHECK(apart.requested.expected == together.requested.expected);
  CHECK(apart.reserved.expected > together.reserved.expected + Bytes{8'000'000'000});
  CHECK(std::abs(static_cast<double>(apart.reserved.expected.value) / (89.33 * 1024 * 1024 * 1024) - 1) < 0.03);
  CHECK(std::abs(static_cast<double>(reserved("1", true).reserved.expected.value) / (81.47 * 1024 * 1024 * 1024) - 1) < 0.06);
}

TEST_CASE("what fits is what is allocated and cannot be given back, not the cache") {
  const io::Answer answer = test::answer_to("model=llama-3-8b&task=finetune&device=h100-80-sxm");
  Scenario scenario = answer.scenario;
  scenario.hardware.usable_bytes = std::int64_t{1} << 50;
  const Footprint roomy = footprint(scenario, answer.estimate.rank);
  CHECK_FALSE(roomy.returns_cache);
  const Bytes cache = roomy.reserved.expected - roomy.allocated.expected;
  REQUIRE(cache > Bytes{5'000'000'000});

  // All that it would keep finds room: nothing changes. One byte less: it gives back, and fits.
  scenario.hardware.usable_bytes = roomy.process.expected.value;
  CHECK(footprint(scenario, answer.estimate.rank).process.expected == roomy.process.expected);
  --scenario.hardware.usable_bytes;
  const Footprint close = footprint(scenario, answer.estimate.rank);
  CHECK(close.returns_cache);
  CHECK(close.fits);
  CHECK(close.process.expected < roomy.process.expected);
  CHECK(close.allocated.expected == roomy.allocated.expected);
  CHECK(in_order(close));

  // Less than what is allocated never fits; what is then said to be missing is enough.
  scenario.hardware.usable_bytes = (roomy.process.expected - cache).value - 1;
  const Footprint over = footprint(scenario, answer.estimate.rank);
  CHECK_FALSE(over.fits);
  CHECK(over.headroom < Bytes{0});
  CHECK(over.process.expected < roomy.process.expected);
  CHECK(in_order(over));
  scenario.hardware.usable_bytes = over.process.expected.value;
  const Footprint enough = footprint(scenario, answer.estimate.rank);
  CHECK(enough.fits);
  CHECK(enough.process.expected == over.process.expected);
}

TEST_CASE("a device never shows more than it has, and a larger one never turns a fit down") {
  for (const std::string& query : some_queries()) {
    const io::Answer answer = test::answer_to(query);
    Scenario scenario = answer.scenario;
    INFO(query);
    const Footprint here = footprint(scenario, answer.estimate.rank);
    if (here.fits) CHECK(here.process.expected <= here.usable);
    else CHECK(here.usable < here.process.expected);
    scenario.hardware.usable_bytes = here.process.expected.value;
    CHECK(footprint(scenario, answer.estimate.rank).fits);
  }
}
