#include "method/footprint/uncertainties.hpp"

#include "method/moments/visit_each.hpp"

#include <algorithm>

namespace plimsoll::footprint_detail {

namespace {

// Routers are trained towards an even load and never quite get there. That the busiest GPU may get twice its even share is
// assumed: no public table of loads was found to measure it by.
constexpr Count kBusiest{2};

void add(std::vector<Uncertainty>& list, Uncertainty one) {
  const auto at = std::ranges::find(list, one.id, &Uncertainty::id);
  if (at == list.end()) return list.push_back(std::move(one));
  at->less += one.less;
  at->more += one.more;
  at->basis = std::max(at->basis, one.basis);
}

void add_term(std::vector<Uncertainty>& list, const Term& term) {
  if (term.low == term.amount && term.high == term.amount) return;
  const FormulaText& formula = term.formula->written();
  add(list, {.id = std::string{formula.id},
             .label = std::string{formula.label},
             .less = max(term.bytes() - Bytes{term.low}, Bytes{0}),
             .more = max(Bytes{term.high} - term.bytes(), Bytes{0}),
             .citation = term.provenance == nullptr ? std::string{formula.citation} : std::string{term.provenance->citation},
             .basis = term.provenance == nullptr ? formula.basis : term.provenance->basis});
}

} // namespace

TermRanges ranges_at(const Scenario& scenario, const Stage& stage, Moment moment) {
  TermRanges ranges;
  const moments::LifetimeSet alive = moments::alive_at(moment, moments::Lifetimes{scenario});
  const bool divides_experts = trains(scenario.workload.task) && scenario.strategy.expert_parallel > 1;
  moments::visit_each(scenario, stage, [&](moments::Lifetime block, Part part, const Term& term) {
    if (!moments::contains(alive, block)) return;
    add_term(block == moments::Lifetime::process ? ranges.outside : ranges.inside, term);
    if (divides_experts && scenario.strategy.expert_load_permille == 1000 && part == Part::activations && term.formula->written().id == "memory.activations.experts")
      add(ranges.inside, {.id = "uncertainty.routing",
                          .label = "Routers that send one GPU up to twice its even share of tokens",
                          .more = (kBusiest - Count{1}) * term.bytes(),
                          .basis = Basis::assumed});
  });
  return ranges;
}

std::vector<Uncertainty> ranges_of_lengths(const Scenario& scenario, const Estimate& expected) {
  std::vector<Uncertainty> list;
  const std::int64_t mean = scenario.workload.mean_tokens, longest = scenario.workload.context_tokens;
  const bool varies = trains(scenario.workload.task) && scenario.workload.batching != Batching::packed && mean > 0 && mean < longest;
  if (!varies) return list;
  const auto requested_by = [&](std::int64_t tokens) { // where all sequences are that long
    Scenario alike = scenario;
    alike.workload.context_tokens = alike.workload.mean_tokens = tokens;
    return estimate_rank(alike, expected.rank).at_peak().requested;
  };
  const Bytes now = expected.at_peak().requested;
  const bool padded = scenario.workload.batching == Batching::padded;
  list.push_back({.id = "uncertainty.mean",
                  .label = padded ? "A longest batch that is padded to the average length only" : "A longest batch of sequences of average length only",
                  .less = max(now - requested_by(mean), Bytes{0}),
                  .basis = Basis::assumed});
  if (!padded)
    list.push_back({.id = "uncertainty.longest",
                    .label = "Several sequences as long as the context in one batch",
                    .more = max(requested_by(longest) - now, Bytes{0}),
                    .basis = Basis::assumed});
  return list;
}

std::vector<Uncertainty> ranges_of_comparisons(const ComparisonsProfile& comparisons, Bytes allocated) {
  return {{.id = "uncertainty.comparisons",
           .label = "What comparisons with measured runs of this framework leave unexplained",
           .less = thousandths_of(allocated, comparisons.less),
           .more = thousandths_of(allocated, comparisons.more),
           .citation = std::string{comparisons.more.citation},
           .basis = std::max(comparisons.less.basis, comparisons.more.basis)}};
}

std::vector<Uncertainty> ranges_of_allocator(const AllocatorStatistics& even, Bytes varied, bool training, bool several_streams) {
  std::vector<Uncertainty> list;
  list.push_back({.id = "uncertainty.cache",
                  .label = "Cached blocks, which the allocator gives back before it runs out of memory",
                  .less = even.reserved.peak - even.allocated.peak,
                  .citation = "pytorch_caching_allocator",
                  .basis = Basis::published});
  // What people measure with steps of one shape: 3 to 15 % more reserved than allocated. The replay knows the tensors of a layer, not
  // the order in which its operations ask for them.
  // Each stream has a cache with holes of its own: there the slack comes on top of what the streams hold apart.
  const Bytes most = (several_streams ? even.reserved : even.allocated).peak + Bytes{even.allocated.peak.value / 100 * kMostSlack};
  if (training && even.reserved.peak < most)
    list.push_back({.id = "uncertainty.order",
                    .label = "The order in which operations ask for memory, which leaves holes in the cache",
                    .more = most - max(even.reserved.peak, min(varied, most)),
                    .citation = "pytorch_caching_allocator",
                    .basis = Basis::assumed});
  if (even.reserved.peak < varied)
    list.push_back({.id = "uncertainty.lengths",
                    .label = "Batches of different lengths, which leave holes in the cache",
                    .more = varied - even.reserved.peak,
                    .citation = "pytorch_caching_allocator",
                    .basis = Basis::assumed});
  return list;
}

} // namespace plimsoll::footprint_detail
