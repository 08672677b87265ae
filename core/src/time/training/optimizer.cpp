// The optimizer reads gradients and states and writes states and weights; with offload, gradients and weights pass through PCIe.
#include "time/training/parts.hpp"

#include "memory/states.hpp"
#include "time/training/rates.hpp"

namespace plimsoll::timing {

namespace {

constexpr Formula kOptimizer{
    .id = "time.optimizer",
    .label = "Optimizer",
    .unit = "ns",
    .text = "ceil_div(parameters * bytes * 1000000000000, memory * share)",
    .citation = "deepspeed_zero_paper",
    .basis = Basis::published,
    .symbols = {{{"parameters", "parameters", "that one GPU steps", "sharding"},
                 {"bytes", "bytes", "read and written for each", "optimizer"},
                 {"memory", "bytes/s", "of the device", "device"},
                 {"share", "thousandths", "of that", ""}}}};

constexpr Formula kOffload{
    .id = "time.offload",
    .label = "To the host and back",
    .unit = "ns",
    .text = "ceil_div(bytes * 1000000000000, rate * share)",
    .citation = "deepspeed_zero_paper",
    .basis = Basis::published,
    .symbols = {{{"bytes", "bytes", "of gradients that go to the host and weights that come back in a step", "offload"},
                 {"rate", "bytes/s", "of the device's PCIe link in one direction", "device"},
                 {"share", "thousandths", "of that", ""}}}};

} // namespace

Term optimizer_pass(const Scenario& scenario, Count stepped) noexcept {
  const Constant& bytes = scenario.profile.efficiency.optimizer_bytes;
  const Speed memory = memory_speed(scenario);
  Term term = timed(kOptimizer, [&](End end) { return time_of(stepped * Count{amount_at(bytes, end)}, memory.rate, share_at(*memory.share, end)); },
                    {stepped.value, bytes.value, memory.rate, memory.share->value});
  term.decisive = &bytes;
  return term;
}

Term offload(const Scenario& scenario, Count parameters, Count stepped) noexcept {
  const Bytes weight = memory::gathered_bytes(scenario.strategy.regime);
  const Count fetched{scenario.strategy.offload == Offload::parameters ? 2 * scenario.workload.micro_batches : 0};
  const Bytes bytes = stepped * (memory::gradient_bytes(scenario) + weight) + fetched * (parameters * weight);
  const Speed speed{scenario.hardware.rates.host, &scenario.profile.efficiency.link};
  return timed(kOffload, [&](End end) { return time_of(bytes, speed.rate, share_at(*speed.share, end)); }, {bytes.value, speed.rate, speed.share->value});
}

} // namespace plimsoll::timing
