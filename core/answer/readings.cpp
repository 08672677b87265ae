#include "answer/readings.hpp"

#include <cstddef>

namespace plimsoll::io {

const MemoryRange& counted(const Footprint& footprint, MemoryCounter counter) {
  switch (counter) {
    case MemoryCounter::requested: return footprint.requested;
    case MemoryCounter::allocated: return footprint.allocated;
    case MemoryCounter::reserved: return footprint.reserved;
    case MemoryCounter::process: break;
  }
  return footprint.process;
}

MemoryRange range_around(Bytes expected, const ComparisonsProfile& comparisons) {
  return {expected, expected - thousandths_of(expected, comparisons.less), expected + thousandths_of(expected, comparisons.more)};
}

MemoryRange range_as_of(const MemoryRange& shown, Bytes expected) {
  return {expected, max(expected - (shown.expected - shown.low), Bytes{0}), expected + (shown.high - shown.expected)};
}

std::int64_t amount_of(const Component& tree, std::string_view id) {
  const Component* found = find_component(tree, id);
  return found == nullptr ? 0 : found->amount;
}

Bytes saved_by_layer(const Scenario& scenario) {
  const Component tree = explain_moment(scenario, Moment::forward_end);
  return Bytes{amount_of(tree, "memory.activations") - amount_of(tree, "memory.activations.head") - amount_of(tree, "memory.activations.embedding_dropout")};
}

Bytes output_of_layer(Scenario scenario) {
  scenario.strategy.recompute = Recompute::full;
  return Bytes{amount_of(explain_moment(scenario, Moment::forward_end), "memory.activations.checkpoints")};
}

Bytes first_peak(const Estimate& of_rank) {
  Bytes largest;
  for (std::size_t i = 0; i < of_rank.moments.size(); ++i) largest = max(largest, of_rank.moments[i].first_step);
  return largest;
}

Bytes first_micro_batch(Scenario scenario, std::int64_t rank) {
  const auto largest = [](const Estimate& result, bool backward) {
    Bytes most;
    for (std::size_t i = 0; i < result.moments.size(); ++i)
      if ((result.moments[i].moment >= Moment::first_layer_backward) == backward) most = max(most, result.moments[i].first_step);
    return most;
  };
  const Bytes at_end = largest(estimate_rank(scenario, rank), true);
  scenario.workload.micro_batches = 1;
  return max(at_end, largest(estimate_rank(scenario, rank), false));
}

Bytes kept_between_steps(const Estimate& of_rank) { return of_rank.moments.back().requested; }

} // namespace plimsoll::io
