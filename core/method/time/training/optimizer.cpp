// The optimizer reads gradients and states and writes states and weights. With offload, gradients and weights pass through PCIe, and the
// host's processors step what the GPUs of their node send: they share its memory.
#include "method/time/training/parts.hpp"

#include "method/memory/states.hpp"
#include "method/time/training/rates.hpp"

namespace plimsoll::timing {

namespace {

constexpr Formula kOptimizer{[] { return FormulaText{
    .id = "time.optimizer",
    .label = "Optimizer",
    .unit = "ns",
    .text = "ceil_div(parameters * bytes * 1000000000000, memory * share)",
    .citation = "deepspeed_zero_paper",
    .basis = Basis::published,
    .symbols = {{{"parameters", "parameters", "that one GPU steps", "sharding"},
                 {"bytes", "bytes", "read and written for each", "optimizer"},
                 {"memory", "bytes/s", "of the device", "device"},
                 {"share", "thousandths", "of that", ""}}}}; }};

constexpr Formula kHostStep{[] { return FormulaText{
    .id = "time.optimizer.host",
    .label = "Optimizer on the host",
    .unit = "ns",
    .text = "ceil_div(parameters * gpus * step, 1000)",
    .citation = "host_adam",
    .basis = Basis::assumed,
    .symbols = {{{"parameters", "parameters", "that the host steps for one GPU", "sharding"},
                 {"gpus", "GPUs", "of one node", "gpus_per_node"},
                 {"step", "ps", "that a host takes for one parameter", "offload"}}}}; }};

constexpr Formula kOffload{[] { return FormulaText{
    .id = "time.offload",
    .label = "To the host and back",
    .unit = "ns",
    .text = "ceil_div(bytes * 1000000000000, rate * share)",
    .citation = "deepspeed_zero_paper",
    .basis = Basis::published,
    .symbols = {{{"bytes", "bytes", "of gradients that go to the host and weights that come back in a step", "offload"},
                 {"rate", "bytes/s", "of the device's PCIe link in one direction", "device"},
                 {"share", "thousandths", "of that", ""}}}}; }};

constexpr Formula kNvme{[] { return FormulaText{
    .id = "time.nvme",
    .label = "To the host's drives and back",
    .unit = "ns",
    .text = "ceil_div(gpus * bytes * 1000000000000, rate * share)",
    .citation = "deepspeed_nvme",
    .basis = Basis::assumed,
    .symbols = {{{"gpus", "GPUs", "of one node", "gpus_per_node"},
                 {"bytes", "bytes", "that one GPU's share reads and writes in a step", "nvme"},
                 {"rate", "bytes/s", "of the node's drives together", "nvme_bytes_per_s"},
                 {"share", "thousandths", "of that", ""}}}}; }};

/// Picoseconds per parameter of a whole node. Published ends: 220 to 300 with all cores of two Xeon 8168 (ZeRO-Offload, 1 to 10 billion
/// parameters); at most 770 on a host of 128 cores (whole steps of 3 billion parameters, cores bound to ranks); 2500 to 3000 where eight
/// ranks share two Xeon 8358 unbound (7 billion parameters, steps with offload less steps without). What lies between is assumed.
constexpr Count host_step_at(End end) noexcept { return Count{end == End::expected ? 800 : end == End::fast ? 250 : 3000}; }

} // namespace

Term optimizer_pass(const Scenario& scenario, Count stepped) noexcept {
  const Constant& bytes = scenario.profile.efficiency.optimizer_bytes;
  const Speed memory = memory_speed(scenario);
  Term term = timed(kOptimizer, [&](End end) { return time_of(stepped * Count{amount_at(bytes, end)}, memory.rate, share_at(*memory.share, end)); },
                    {stepped.value, bytes.value, memory.rate, memory.share->value});
  term.provenance = &bytes;
  return term;
}

Term host_step(const Scenario& scenario, Count stepped) noexcept {
  const Count gpus = min(gpu_count(scenario.strategy), Count{scenario.hardware.gpus_per_node});
  constexpr Count kThousand{1000};
  return timed(kHostStep, [&](End end) { return Nanoseconds{ceil_div(stepped * gpus * host_step_at(end), kThousand).value}; }, {stepped.value, gpus.value, host_step_at(End::expected).value});
}

Term offload(const Scenario& scenario, Count parameters, Count stepped) noexcept {
  const Bytes weight = memory::gathered_bytes(scenario.strategy.precision);
  const Count fetched{scenario.strategy.offload == Offload::parameters ? 2 * scenario.workload.micro_batches : 0};
  const Bytes bytes = stepped * (memory::gradient_bytes(scenario) + weight) + fetched * (parameters * weight);
  const Speed speed{scenario.hardware.rates.host, &scenario.profile.efficiency.link};
  return timed(kOffload, [&](End end) { return time_of(bytes, speed.rate, share_at(*speed.share, end)); }, {bytes.value, speed.rate, speed.share->value});
}

// ZeRO-Infinity, section 6.2: fp32 weights, momentum, variance and gradients are read and written once a step; weights are read for either
// pass of a micro-batch and written once. Nothing is taken to overlap.
Term nvme(const Scenario& scenario, Count parameters, Count stepped) noexcept {
  const Count gpus = min(gpu_count(scenario.strategy), Count{scenario.hardware.gpus_per_node});
  const Bytes weight = memory::gathered_bytes(scenario.strategy.precision);
  const bool weights = scenario.strategy.offload == Offload::parameters && scenario.strategy.nvme == Nvme::parameters;
  const Count passes{weights ? 2 * scenario.workload.micro_batches + 1 : 0};
  constexpr Bytes kStates{2 * 4 * 4};
  const Bytes bytes = stepped * kStates + passes * (parameters * weight);
  constexpr std::int64_t kShare = 1000; // the rate is what the drives do
  const std::int64_t rate = scenario.hardware.nvme_bytes_per_s;
  return timed(kNvme, [&](End) { return time_of(gpus * bytes, rate, kShare); }, {gpus.value, bytes.value, rate, kShare});
}

} // namespace plimsoll::timing
