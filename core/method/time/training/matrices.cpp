// Matrix multiplications by roofline: as long as their arithmetic takes, or as long as memory takes to deliver the weights where few
// tokens share them. Williams, Waterman and Patterson, CACM 52 (2009).
#include "method/time/training/parts.hpp"

#include "method/time/training/rates.hpp"

#include <algorithm>

namespace plimsoll::timing {

namespace {

constexpr SymbolText kMicroBatches{"micro_batches", "", "of a step", "micro_batches"};
constexpr SymbolText kWork{"work", "FLOP", "of one GPU in one micro-batch", ""};
constexpr SymbolText kDense{"dense", "FLOP", "of one GPU in one micro-batch, without routed experts", ""};
constexpr SymbolText kExperts{"experts", "FLOP", "of routed experts", "expert_parallel"};
constexpr SymbolText kGrouped{"grouped", "thousandths", "of the rate of other multiplications that those grouped by expert reach", ""};
constexpr SymbolText kRate{"rate", "FLOP/s", "the best matrix multiplication that was measured on the device, or the usual share of its data sheet", "device"};
constexpr SymbolText kShare{"share", "thousandths", "of that rate, on average over a step's multiplications", ""};

constexpr Formula kLayers{[] { return FormulaText{
    .id = "time.matrices.layers",
    .label = "GEMMs in layers",
    .unit = "ns",
    .text = "micro_batches * (max(ceil_div(dense * 1000000000000, rate * share), ceil_div(weights * 1000000000000, memory * memory_share)) + "
            "max(ceil_div(ceil_div(1000 * experts, grouped) * 1000000000000, rate * share), ceil_div(expert_weights * 1000000000000, memory * memory_share)))",
    .citation = "roofline",
    .basis = Basis::published,
    .symbols = {{kMicroBatches, kDense, kExperts, kGrouped, kRate, kShare,
                 {"weights", "bytes", "of weights that the passes of one micro-batch read and of gradients that they add to, without routed experts", ""},
                 {"expert_weights", "bytes", "the same of the routed experts that this GPU holds, each of which few tokens may share", "expert_parallel"},
                 {"memory", "bytes/s", "of the device", "device"},
                 {"memory_share", "thousandths", "of that", ""}}}}; }};

constexpr std::string_view kAtRate = "micro_batches * ceil_div(work * 1000000000000, rate * share)";
constexpr Formula kHead{[] { return FormulaText{.id = "time.matrices.head", .label = "GEMMs of the output head", .unit = "ns", .text = kAtRate, .citation = "roofline",
                        .basis = Basis::published, .symbols = {{kMicroBatches, kWork, kRate, kShare}}}; }};
constexpr Formula kAgain{[] { return FormulaText{.id = "time.recompute.matrices", .label = "Recomputed GEMMs", .unit = "ns", .text = "micro_batches * ceil_div((dense + ceil_div(1000 * experts, grouped)) * 1000000000000, rate * share)", .citation = "checkpoint_early_stop",
                         .basis = Basis::published,
                         .symbols = {{kMicroBatches,
                                      {"dense", "FLOP", "of one GPU in one micro-batch, without routed experts; without the last of each layer where the framework stops before it", "recompute"},
                                      kExperts,
                                      kGrouped,
                                      kRate,
                                      kShare}}}; }};

/// Multiplications that are grouped by expert, as many as take as long at the rate of the others:
/// ceil_div(1000 * experts, grouped) of the formulas, whose product may exceed 64 bits where the quotient does not.
Count as_dense(Count dense, Count experts, std::int64_t grouped) noexcept {
  const Count share{std::max<std::int64_t>(grouped, 1)};
  return dense + Count{1000} * Count{experts.value / share.value} + ceil_div(Count{1000} * Count{experts.value % share.value}, share);
}

Term at_rate(const Formula& formula, const Scenario& scenario, Count work, Speed speed) noexcept {
  const Count micro_batches{scenario.workload.micro_batches};
  return timed(formula, [&](End end) { return micro_batches * time_of(work, speed.rate, share_at(*speed.share, end)); },
               {micro_batches.value, work.value, speed.rate, speed.share->value});
}

} // namespace

Term layer_matrices(const Scenario& scenario, Count work, Count experts, Bytes weights, Bytes expert_weights) noexcept {
  const Count micro_batches{scenario.workload.micro_batches};
  const Speed speed = matrix_speed(scenario, format_of_layers(scenario)), memory = memory_speed(scenario);
  const Constant& grouped = scenario.profile.efficiency.grouped;
  Term term = timed(kLayers,
                    [&](End end) {
                      const auto longer = [&](Count arithmetic, Bytes read) {
                        return max(time_of(arithmetic, speed.rate, share_at(*speed.share, end)), time_of(read, memory.rate, share_at(*memory.share, end)));
                      };
                      return micro_batches * (longer(work - experts, weights) + longer(as_dense(Count{0}, experts, share_at(grouped, end)), expert_weights));
                    },
                    {micro_batches.value, (work - experts).value, experts.value, grouped.value, speed.rate, speed.share->value, weights.value, expert_weights.value,
                     memory.rate, memory.share->value});
  term.provenance = speed.share;
  return term;
}

Term head_matrices(const Scenario& scenario, Count work) noexcept {
  return at_rate(kHead, scenario, work, matrix_speed(scenario, format_of_head(scenario)));
}

Term matrices_again(const Scenario& scenario, Count work, Count experts) noexcept {
  const Count micro_batches{scenario.workload.micro_batches}, again = min(experts, work);
  const Speed speed = matrix_speed(scenario, format_of_layers(scenario));
  const Constant& grouped = scenario.profile.efficiency.grouped;
  return timed(kAgain,
               [&](End end) { return micro_batches * time_of(as_dense(work - again, again, share_at(grouped, end)), speed.rate, share_at(*speed.share, end)); },
               {micro_batches.value, (work - again).value, again.value, grouped.value, speed.rate, speed.share->value});
}

} // namespace plimsoll::timing
