// Inputs of layers, or of modules of theirs, that go to the host's memory in the forward pass and come back in the backward pass, on a stream of their own: only what
// the passes of a micro-batch do not hide costs time. pytorch/torchtune, torchtune/training/_activation_offloading.py, OffloadActivations,
// use_streams. DeepSpeed's cpu_checkpointing copies in line with the passes (deepspeed/runtime/activation_checkpointing/checkpointing.py).
#include "method/memory/activations.hpp"
#include "method/memory/activations/layer_tensors.hpp"
#include "method/memory/activations/offloaded.hpp"
#include "method/memory/activations/visit_layer.hpp"
#include "method/memory/states.hpp"
#include "method/time/training/parts.hpp"
#include "method/time/training/rate.hpp"
#include "method/time/training/rates.hpp"

namespace plimsoll::timing {

namespace {

constexpr Formula kActivations{[] { return FormulaText{
    .id = "time.offload.activations",
    .label = "Activations to the host and back",
    .unit = "ns",
    .text = "micro_batches * max(0, ceil_div(bytes * 1000000000000, rate * share) - passes)",
    .citation = "torchtune_offload",
    .basis = Basis::published,
    .symbols = {{{"micro_batches", "", "of a step", "micro_batches"},
                 {"bytes", "bytes", "that go and come in one micro-batch", "recompute"},
                 {"rate", "bytes/s", "of the device's PCIe link in one direction", "device"},
                 {"share", "thousandths", "of that", ""},
                 {"passes", "ns", "of a micro-batch, which hide it", ""}}}}; }};

} // namespace

Bytes activations_away(const Scenario& scenario, Count layers) noexcept {
  if (scenario.strategy.recompute == Recompute::offloaded) {
    const Bytes residual = memory::precision_bytes(scenario.strategy.precision).residual;
    return stage_layers(layers, scenario.strategy) * (memory::tokens_between(scenario) * (scenario.model.hidden_size * residual));
  }
  Bytes away;
  if (moves_kept(scenario.strategy)) {
    const bool again = scenario.profile.training.offload.kept == KeptOffload::tensors && !scenario.profile.training.offload.repeats_stay;
    for (const LayerGroup& group : scenario.model.groups) {
      const Count moved = memory::layers_away(scenario, group);
      memory::visit_layer(scenario, group, moved, memory::kAllTensors, [&](const Term& term) { away += term.bytes(); });
      if (again) away += memory::kept_again(scenario, group, moved).bytes();
    }
    return away;
  }
  if (scenario.strategy.offload_modules == 0) return away;
  for (const LayerGroup& group : scenario.model.groups)
    away += memory::part_offloaded(scenario, stage_layers(group.layers, scenario.strategy)) * memory::layer_bytes(scenario, group, memory::on_host(scenario, group));
  return away;
}

Term activation_offload(const Scenario& scenario, Bytes away, Nanoseconds passes) noexcept {
  const Bytes bytes = Count{2} * away;
  if (memory::moves_alone(scenario)) passes = Nanoseconds{0};
  const Speed speed{scenario.hardware.rates.host, &scenario.profile.efficiency.link};
  const Count micro_batches{scenario.workload.micro_batches};
  return timed(kActivations, [&](End end) {
    return micro_batches * max(time_of(bytes, speed.rate, share_at(*speed.share, end)) - passes, Nanoseconds{0});
  }, {micro_batches.value, bytes.value, speed.rate, speed.share->value, passes.value});
}

} // namespace plimsoll::timing
