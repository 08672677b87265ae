// DeepSpeed's ZeRO stages: deepspeed/runtime/zero/stage_1_and_2.py, stage3.py, partitioned_param_coordinator.py, config.py.
#include "method/memory/buffers/buffers.hpp"
#include "method/term.hpp"
#include "plimsoll/method/sharding.hpp"

namespace plimsoll::memory {

namespace {

constexpr SymbolText kComputeWeight{"bytes_per_weight", "bytes", "size of one weight of the computation", "precision"};

constexpr Formula kBucket{[] { return FormulaText{.id = "memory.buffers.bucket",
                          .label = "Reduction bucket",
                          .unit = "bytes",
                          .text = "buckets * bucket * bytes_per_gradient",
                          .citation = "deepspeed_zero",
                          .basis = Basis::published,
                          .symbols = {{{"buckets", "", "two where communication overlaps", "overlap_comm"},
                                       {"bucket", "gradients", "in one: reduce_bucket_size, or the hidden size squared", "reduce_bucket_size"},
                                       {"bytes_per_gradient", "bytes", "size of one gradient as it is computed", "precision"}}}}; }};

constexpr Formula kFetched{[] { return FormulaText{.id = "memory.buffers.fetched",
                           .label = "Gathered matrices",
                           .unit = "bytes",
                           .text = "min(largest + prefetch, all) * bytes_per_weight",
                           .citation = "deepspeed_zero",
                           .basis = Basis::published,
                           .symbols = {{{"largest", "parameters", "of one matrix", ""},
                                        {"prefetch", "parameters", "gathered ahead: stage3_prefetch_bucket_size", "prefetch_bucket_size"},
                                        {"all", "parameters", "on this GPU, whole", ""},
                                        kComputeWeight}}}; }};

constexpr Formula kPersistent{[] { return FormulaText{.id = "memory.weights.persistent",
                              .label = "Weights too small to be divided",
                              .unit = "bytes",
                              .text = "parameters * bytes_per_weight",
                              .citation = "deepspeed_zero",
                              .basis = Basis::published,
                              .symbols = {{{"parameters", "parameters", "in tensors of at most stage3_param_persistence_threshold numbers", "param_persistence_threshold"}, kComputeWeight}}}; }};

constexpr Formula kStep{[] { return FormulaText{.id = "memory.optimizer.step_gradients",
                        .label = "Gradients made flat and cast for the step",
                        .unit = "bytes",
                        .text = "min(shard, group) * (bytes_per_gradient + bytes_per_copy)",
                        .citation = "deepspeed_zero",
                        .basis = Basis::published,
                        .symbols = {{{"shard", "parameters", "that this GPU steps", ""},
                                     {"group", "parameters", "stepped at once: with divided weights sub_group_size", "sub_group_size"},
                                     {"bytes_per_gradient", "bytes", "size of one gradient", "gradient_dtype"},
                                     {"bytes_per_copy", "bytes", "size of one gradient as the master weights take it", "precision"}}}}; }};

constexpr Formula kOffload{[] { return FormulaText{.id = "memory.buffers.offload",
                           .label = "Gradients on their way to the host",
                           .unit = "bytes",
                           .text = "largest * bytes_per_gradient",
                           .citation = "deepspeed_offload",
                           .basis = Basis::published,
                           .symbols = {{{"largest", "parameters", "of one tensor", ""},
                                        {"bytes_per_gradient", "bytes", "size of one gradient as it is computed", "precision"}}}}; }};

constexpr Formula kSecondary{[] { return FormulaText{.id = "memory.weights.secondary",
                             .label = "Second set of weight shards",
                             .unit = "bytes",
                             .text = "shard * bytes_per_weight",
                             .citation = "zeropp",
                             .basis = Basis::published,
                             .symbols = {{{"shard", "parameters", "of this GPU's part of the second set", "secondary_group"}, kComputeWeight}}}; }};

constexpr Formula kStaging{[] { return FormulaText{.id = "memory.host.staging",
                           .label = "16-bit copies on their way",
                           .unit = "bytes",
                           .text = "shard * 2",
                           .citation = "deepspeed_offload",
                           .basis = Basis::published,
                           .symbols = {{{"shard", "parameters", "that are stepped on the host", "offload"}}}}; }};

Bytes computed_bytes(const Scenario& scenario) noexcept { return precision_bytes(scenario.strategy.precision).compute; }

} // namespace

ZeroSizes zero_sizes(const Scenario& scenario) noexcept {
  const ShardingProfile& profile = profile_of(scenario);
  const Count h = scenario.model.hidden_size, square = h * h;
  const auto either = [](std::int64_t asked, const Constant& constant, Count standard) {
    return asked > 0 ? Count{asked} : constant.value > 0 ? Count{constant.value} : standard;
  };
  const Strategy& asked = scenario.strategy;
  return {either(asked.reduce_bucket_size, profile.bucket, square), either(asked.prefetch_bucket_size, profile.prefetch, square - ceil_div(square, Count{10})),
          either(asked.param_persistence_threshold, profile.persistence, Count{10} * h)};
}

Count sub_group(const Scenario& scenario) noexcept {
  return Count{scenario.strategy.sub_group_size > 0 ? scenario.strategy.sub_group_size : profile_of(scenario).sub_group.value};
}

Term reduction_bucket(const Scenario& scenario) noexcept {
  const ShardingProfile& profile = profile_of(scenario);
  // Stage 3 reduces from one bucket; in stages 1 and 2 overlapping communication fills another (stage_1_and_2.py, "Use double buffers").
  const bool one = scenario.strategy.sharding == Sharding::parameters;
  const Switch overlaps = one ? Switch::off : scenario.strategy.overlap_comm;
  const Count bucket = zero_sizes(scenario).bucket, buckets{overlaps == Switch::on ? profile.buckets.high : profile.buckets.value};
  const Bytes each = computed_bytes(scenario);
  Term term = make_term(kBucket, buckets * (bucket * each), {buckets.value, bucket.value, each.value});
  term.low = term.high = term.amount;
  if (overlaps == Switch::profile) {
    term.low = (Count{profile.buckets.low} * (bucket * each)).value;
    term.high = (Count{profile.buckets.high} * (bucket * each)).value;
  }
  return with_provenance(term, profile.bucket);
}

Term fetched_weights(const Scenario& scenario, Count largest, Count all) noexcept {
  const Count prefetch = zero_sizes(scenario).prefetch;
  const Bytes each = gathered_bytes(scenario.strategy.precision);
  return make_term(kFetched, min(largest + prefetch, all) * each, {largest.value, prefetch.value, all.value, each.value}, {.provenance = &profile_of(scenario).prefetch});
}

Term persistent_weights(const Scenario& scenario, Count parameters) noexcept {
  const Bytes each = gathered_bytes(scenario.strategy.precision);
  return make_term(kPersistent, parameters * each, {parameters.value, each.value}, {.provenance = &profile_of(scenario).persistence});
}

Term step_gradients(const Scenario& scenario, Count shard) noexcept {
  const bool in_groups = scenario.strategy.sharding == Sharding::parameters;
  const Count group = in_groups ? sub_group(scenario) : shard;
  const Bytes gradient = gradient_bytes(scenario), copy = precision_bytes(scenario.strategy.precision).master;
  return make_term(kStep, min(shard, group) * (gradient + copy), {shard.value, group.value, gradient.value, copy.value});
}

Term offload_buffer(const Scenario& scenario, Count largest) noexcept {
  const Bytes each = computed_bytes(scenario);
  return make_term(kOffload, largest * each, {largest.value, each.value});
}

Term secondary_weights(const Scenario& scenario, Count parameters) noexcept {
  const Count shard = secondary_shard_of(parameters, scenario.strategy);
  const Bytes each = computed_bytes(scenario);
  return make_term(kSecondary, shard * each, {shard.value, each.value});
}

Term host_staging(Count shard) noexcept { return make_term(kStaging, shard * Bytes{2}, {shard.value}); }

} // namespace plimsoll::memory
