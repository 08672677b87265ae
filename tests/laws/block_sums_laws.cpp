// What terms add up to, moment by moment, against a sum that is as plain as it gets: every term at every moment at which its block is
// alive, in 128 bits, stopped at the ends of the range.
#include "method/moments/block_sums.hpp"
#include "method/moments/moment_totals.hpp"

#include "method/term.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

using namespace plimsoll;
using namespace plimsoll::moments;

namespace {

__extension__ using Wide = __int128;

struct Taken {
  Lifetime block;
  Part part;
  std::int64_t amount, low, high;
};

Bytes stopped(Wide sum) { return Bytes{static_cast<std::int64_t>(std::min<Wide>(sum, Bytes::kMax))}; }

MomentUse plain_sum(const std::vector<Taken>& terms, Moment moment, const Lifetimes& lifetimes) {
  const LifetimeSet alive = alive_at(moment, lifetimes);
  const bool stepped = moment == Moment::optimizer_step || moment == Moment::between_steps;
  Wide parts[kParts] = {}, total = 0, low = 0, high = 0, outside = 0, later = 0;
  for (const Taken& term : terms) {
    if (!contains(alive, term.block)) continue;
    parts[static_cast<std::size_t>(term.part)] += term.amount;
    total += term.amount, low += term.low, high += term.high;
    const bool former = term.block == Lifetime::former_inputs || term.block == Lifetime::former_loss;
    if (term.block == Lifetime::process || term.block == Lifetime::managed) outside += term.amount;
    if ((term.block == Lifetime::states && !stepped) || term.block == Lifetime::former_buckets || (former && !lifetimes.accumulates)) later += term.amount;
  }
  MomentUse use{.moment = moment, .total = stopped(total), .low = stopped(low), .high = stopped(high)};
  for (std::size_t part = 0; part < kParts; ++part) use.parts[part] = stopped(parts[part]);
  use.requested = use.total - stopped(outside);
  use.first_step = use.requested - stopped(later);
  return use;
}

/// Terms of up to `most` bytes, half of them with a range.
std::vector<Taken> random_terms(std::mt19937_64& random, std::int64_t most) {
  const auto below = [&](std::int64_t end) { return std::uniform_int_distribution<std::int64_t>{0, end - 1}(random); };
  std::vector<Taken> terms(static_cast<std::size_t>(1 + below(60)));
  for (Taken& term : terms) {
    const std::int64_t amount = below(most), spread = below(2) * (amount / 3);
    term = {static_cast<Lifetime>(below(kLifetimes)), static_cast<Part>(below(kParts)), amount, amount - spread, amount + spread};
  }
  return terms;
}

Bytes sum_of(const std::vector<Taken>& terms, Lifetime block) {
  Wide sum = 0;
  for (const Taken& term : terms) sum += term.block == block ? term.amount : 0;
  return stopped(sum);
}

bool same(const MomentUse& one, const MomentUse& other) {
  return one.moment == other.moment && one.parts == other.parts && one.total == other.total && one.low == other.low && one.high == other.high &&
         one.requested == other.requested && one.first_step == other.first_step;
}

void check(const Moments& moments, const std::vector<Taken>& terms) {
  BlockSums sums{moments};
  MomentTotals alone{moments};
  for (const Taken& taken : terms) {
    Term term;
    term.amount = taken.amount, term.low = taken.low, term.high = taken.high;
    sums.take(taken.block, taken.part, term);
    alone.take(taken.block, term);
  }
  InplaceVector<MomentUse, kMaxMoments> uses;
  const BlockSums::Peak written = sums.write(uses), peak = sums.peak();
  Bytes totals[kMaxMoments];
  alone.write(totals);
  REQUIRE(uses.size() == moments.order().size());
  bool saturated = false;
  Bytes most;
  for (std::size_t i = 0; i < uses.size(); ++i) {
    const MomentUse plain = plain_sum(terms, moments.order()[i], moments.lifetimes());
    CHECK(same(uses[i], plain));
    CHECK(totals[i] == plain.total);
    saturated = saturated || plain.total.saturated() || plain.high.saturated();
    most = max(most, plain.total);
  }
  CHECK(written.saturated == saturated);
  CHECK(peak.saturated == saturated);
  CHECK(written.moment == peak.moment);
  CHECK(peak.total == most);
  CHECK(written.total == most);
  CHECK(sums.on_host() == sum_of(terms, Lifetime::host));
  CHECK(sums.on_drives() == sum_of(terms, Lifetime::nvme));
  CHECK(sums.movable() == sum_of(terms, Lifetime::managed));
}

} // namespace

TEST_CASE("terms add up to what a plain sum of them comes to at every moment, near the ends of the range, too") {
  for (const char* query : {"model=llama-3-8b", "model=llama-3-8b&task=finetune", "model=llama-3-8b&task=finetune&micro_batches=4", "model=llama-3-8b&task=finetune&optimizer=lomo",
                            "model=llama-3-70b&task=pretrain&profile=megatron&pipeline_parallel=4&micro_batches=8", "model=llama-3-8b&task=finetune&preference=dpo",
                            "model=llama-3-8b&task=finetune&preference=grpo", "model=llama-3-8b&task=finetune&preference=ppo&trainer_offload=all&micro_batches=2"}) {
    INFO(query);
    const io::Answer answer = test::answer_to(query);
    const Moments moments{answer.scenario};
    std::mt19937_64 random{1};
    for (const int bits : {8, 40, 54, 57, 59, 61}) // 60 terms below 2^54 stay below 2^60, of 2^61 hardly any sum stays in the range
      for (int i = 0; i < 20; ++i) check(moments, random_terms(random, std::int64_t{1} << bits));
  }
}
