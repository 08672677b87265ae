// Kernels of a pass are launched one by one by a process of the host, which also runs the framework's own code between them. Where a GPU
// has done the work before the next kernel is launched, the step takes as long as the host: small models, and large ones whose micro-batch
// and share of a layer are small. Replayed CUDA graphs need no such launches.
#include "method/time/training/parts.hpp"

#include <algorithm>

namespace plimsoll::timing {

namespace {

constexpr Formula kLaunches{[] { return FormulaText{
    .id = "time.launches.passes",
    .label = "Waiting for the host in passes",
    .unit = "ns",
    .text = "micro_batches * max(0, ceil_div(passes * layer + routed * experts + ceil_div(ring * share * layer, 1000), 3) - busy)",
    .citation = "megatron_iteration_times",
    .basis = Basis::measured,
    .symbols = {{{"micro_batches", "", "of a step", "micro_batches"},
                 {"passes", "", "through a layer of this stage, the backward one counted twice; none where they are captured", "training_graphs"},
                 {"layer", "ns", "that the host takes for three of them", "profile"},
                 {"routed", "", "of those, through layers with experts", ""},
                 {"experts", "ns", "that the host takes longer for three of these", "profile"},
                 {"ring", "", "steps of context rings after the first in all passes", "context_parallel"},
                 {"share", "thousandths", "of a layer's launches that such a step has", ""},
                 {"busy", "ns", "that the GPU works and exchanges in one micro-batch", ""}}}}; }};

constexpr Formula kLaunchesOfStep{[] { return FormulaText{
    .id = "time.launches.step",
    .label = "Waiting for the host between steps",
    .unit = "ns",
    .text = "max(0, step - optimizer)",
    .citation = "megatron_iteration_times",
    .basis = Basis::measured,
    .symbols = {{{"step", "ns", "that the host takes for the optimizer, the reduction of gradients, the next batch and its logs", "profile"},
                 {"optimizer", "ns", "that the GPU steps meanwhile", ""}}}}; }};

} // namespace

namespace {

/// Passes of two micro-batches that hide each other's exchange are cut in nodes, each with streams and events to wait for and a backward pass of
/// its own: NVIDIA/Megatron-LM, megatron/core/pipeline_parallel/combined_1f1b.py.
Count experts_at(const Scenario& scenario, End end) noexcept {
  const TrainingEfficiency& efficiency = scenario.profile.efficiency;
  const bool overlaps = scenario.implementation.expert_overlap && scenario.workload.micro_batches > 1;
  return Count{amount_at(efficiency.launch_experts, end) + (overlaps ? amount_at(efficiency.launch_overlap, end) : 0)};
}

} // namespace

Term launches(const Scenario& scenario, const LayerPasses& passes, const Term& busy) noexcept {
  const TrainingEfficiency& efficiency = scenario.profile.efficiency;
  const Count micro_batches{scenario.workload.micro_batches}, three{3};
  const auto time = [&](End end) {
    const Count layer{amount_at(efficiency.launch_layer, end)}, steps = ceil_div(passes.ring * Count{amount_at(efficiency.launch_ring, end)} * layer, Count{1000});
    const Count host = ceil_div(passes.all * layer + passes.routed * experts_at(scenario, end) + steps, three);
    return micro_batches * max(Nanoseconds{host.value} - Nanoseconds{amount_at(busy, end) / micro_batches.value}, Nanoseconds{0});
  };
  Term term = timed(kLaunches, time, {micro_batches.value, passes.all.value, efficiency.launch_layer.value, passes.routed.value, experts_at(scenario, End::expected).value,
                                    passes.ring.value, efficiency.launch_ring.value, busy.amount / micro_batches.value});
  // What the host is waited for need not grow towards the slow end, where the GPU is busy for longer, too.
  term.low = std::min(term.low, term.amount), term.high = std::max(term.high, term.amount);
  term.provenance = &efficiency.launch_layer;
  return term;
}

Term launches_of_step(const Scenario& scenario, const Term& optimizer) noexcept {
  const Constant& step = scenario.profile.efficiency.launch_step;
  Term term = timed(kLaunchesOfStep, [&](End end) { return max(Nanoseconds{amount_at(step, end) - amount_at(optimizer, end)}, Nanoseconds{0}); }, {step.value, optimizer.amount});
  term.provenance = &step;
  return term;
}

} // namespace plimsoll::timing
