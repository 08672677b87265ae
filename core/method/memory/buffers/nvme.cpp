// States and weights on NVMe drives: deepspeed/runtime/zero/stage3.py, _create_fp16_partitions_with_defragmentation;
// deepspeed/runtime/swap_tensor/partitioned_param_swapper.py and optimizer_utils.py.
#include "method/memory/buffers/buffers.hpp"
#include "method/term.hpp"

namespace plimsoll::memory {

namespace {

constexpr SymbolText kKeptWeights{"weights", "parameters", "that this GPU keeps between the passes", "sharding"};
constexpr SymbolText kHostWeights{"host", "parameters", "that stay in the host's memory: offload_param.max_in_cpu", "profile"};
constexpr SymbolText kStoredWeight{"bytes_per_weight", "bytes", "size of one weight", "precision"};

constexpr Formula kOnDrives{[] { return FormulaText{.id = "memory.nvme.weights",
                            .label = "Weights on NVMe",
                            .unit = "bytes",
                            .text = "max(weights - host, 0) * bytes_per_weight",
                            .citation = "deepspeed_nvme",
                            .basis = Basis::published,
                            .symbols = {{kKeptWeights, kHostWeights, kStoredWeight}}}; }};

constexpr Formula kOnHost{[] { return FormulaText{.id = "memory.host.weights",
                          .label = "Weights that the host's memory keeps",
                          .unit = "bytes",
                          .text = "min(weights, host) * bytes_per_weight",
                          .citation = "deepspeed_nvme",
                          .basis = Basis::published,
                          .symbols = {{kKeptWeights, kHostWeights, kStoredWeight}}}; }};

constexpr Formula kWeightBuffers{[] { return FormulaText{.id = "memory.host.weight_buffers",
                                 .label = "Buffers for weights from NVMe",
                                 .unit = "bytes",
                                 .text = "buffers * numbers * bytes_per_weight",
                                 .citation = "deepspeed_nvme",
                                 .basis = Basis::published,
                                 .symbols = {{{"buffers", "", "offload_param.buffer_count", "profile"},
                                              {"numbers", "parameters", "in each: offload_param.buffer_size", "profile"},
                                              kStoredWeight}}}; }};

constexpr Formula kStateBuffers{[] { return FormulaText{.id = "memory.host.state_buffers",
                                .label = "Buffers for states from NVMe",
                                .unit = "bytes",
                                .text = "buffers * min(stepped, group) * 4",
                                .citation = "deepspeed_nvme",
                                .basis = Basis::published,
                                .symbols = {{{"buffers", "", "offload_optimizer.buffer_count", "profile"},
                                             {"stepped", "parameters", "that this GPU steps", "sharding"},
                                             {"group", "parameters", "stepped at once: sub_group_size", "sub_group_size"}}}}; }};

const NvmeProfile& nvme_of(const Scenario& scenario) noexcept { return profile_of(scenario).nvme; }
Bytes weight_bytes(const Scenario& scenario) noexcept { return precision_bytes(scenario.strategy.precision).weight; }

} // namespace

Term nvme_weights(const Scenario& scenario, Count weights) noexcept {
  const Count host{nvme_of(scenario).host_weights.value};
  const Bytes each = weight_bytes(scenario);
  return make_term(kOnDrives, max(weights - host, Count{0}) * each, {weights.value, host.value, each.value});
}

Term nvme_host_weights(const Scenario& scenario, Count weights) noexcept {
  const Count host{nvme_of(scenario).host_weights.value};
  const Bytes each = weight_bytes(scenario);
  return make_term(kOnHost, min(weights, host) * each, {weights.value, host.value, each.value});
}

Term nvme_weight_buffers(const Scenario& scenario) noexcept {
  const Count buffers{nvme_of(scenario).weight_buffers.value}, numbers{nvme_of(scenario).weight_buffer.value};
  const Bytes each = weight_bytes(scenario);
  return make_term(kWeightBuffers, buffers * (numbers * each), {buffers.value, numbers.value, each.value});
}

Term nvme_state_buffers(const Scenario& scenario, Count stepped) noexcept {
  const Count buffers{nvme_of(scenario).state_buffers.value}, group = sub_group(scenario);
  return make_term(kStateBuffers, buffers * (min(stepped, group) * Bytes{4}), {buffers.value, stepped.value, group.value});
}

} // namespace plimsoll::memory
