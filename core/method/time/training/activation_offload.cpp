// Inputs of layers that go to the host's memory in the forward pass and come back in the backward pass, on a stream of their own: only what
// the passes of a micro-batch do not hide costs time. pytorch/torchtune, torchtune/training/_activation_offloading.py, OffloadActivations,
// use_streams. DeepSpeed's cpu_checkpointing copies in line with the passes (deepspeed/runtime/activation_checkpointing/checkpointing.py).
#include "method/memory/activations.hpp"
#include "method/memory/states.hpp"
#include "method/time/training/parts.hpp"
#include "method/time/training/rate.hpp"
#include "method/time/training/rates.hpp"

namespace plimsoll::timing {

namespace {

constexpr Formula kActivations{
    .id = "time.offload.activations",
    .label = "Inputs of layers to the host and back",
    .unit = "ns",
    .text = "micro_batches * max(0, ceil_div(bytes * 1000000000000, rate * share) - passes)",
    .citation = "torchtune_offload",
    .basis = Basis::published,
    .symbols = {{{"micro_batches", "", "of a step", "micro_batches"},
                 {"bytes", "bytes", "that go and come in one micro-batch", "recompute"},
                 {"rate", "bytes/s", "of the device's PCIe link in one direction", "device"},
                 {"share", "thousandths", "of that", ""},
                 {"passes", "ns", "of a micro-batch, which hide it", ""}}}};

} // namespace

Term activation_offload(const Scenario& scenario, Count layers, Nanoseconds passes) noexcept {
  const Bytes residual = memory::precision_bytes(scenario.strategy.precision).residual;
  const Bytes bytes = Count{2} * (layers * (memory::tokens_between(scenario) * (scenario.model.hidden_size * residual)));
  const Speed speed{scenario.hardware.rates.host, &scenario.profile.efficiency.link};
  const Count micro_batches{scenario.workload.micro_batches};
  return timed(kActivations, [&](End end) {
    return micro_batches * max(time_of(bytes, speed.rate, share_at(*speed.share, end)) - passes, Nanoseconds{0});
  }, {micro_batches.value, bytes.value, speed.rate, speed.share->value, passes.value});
}

} // namespace plimsoll::timing
