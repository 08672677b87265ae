// What GPUs with the same weights divide: sequences and shards.
#include "method/validate/checks.hpp"

namespace plimsoll::checks {

void context_parallel(const Inputs& inputs, Findings& findings) {
  const Strategy& strategy = inputs.strategy;
  const std::int64_t degree = strategy.context_parallel, tokens = inputs.workload.context_tokens;
  if (degree == 1) return;
  // A causal ring gives each GPU an early and a late chunk, so that all have the same work (Megatron-LM, get_batch_on_this_cp_rank).
  const std::int64_t chunks = strategy.context_method == ContextMethod::ring ? 2 * degree : degree;
  if (tokens % chunks != 0)
    warn(findings, "context_parallel", [&] {
      return Words{number(degree) + " GPUs cannot divide " + number(tokens) + " tokens into " + number(chunks) + " equal chunks.",
                   "Choose a context that is a multiple of " + number(chunks) + "; the estimate is that of the largest share."};
    });
}

void sharding(const Inputs& inputs, Findings& findings) {
  const Strategy& strategy = inputs.strategy;
  if (strategy.sharding == Sharding::none) return;
  const std::int64_t gpus = copies(strategy);
  const auto check = [&](std::string_view field, std::int64_t group) {
    if (group > 0 && gpus % group != 0)
      refuse(findings, field, [&] {
        return Words{"The " + number(gpus) + " data- and context-parallel GPUs cannot form groups of " + number(group) + ".",
                     "Choose a number that divides " + number(gpus) + ", or 0."};
      });
  };
  check("shard_group", strategy.shard_group);
  if (strategy.sharding == Sharding::parameters) check("secondary_group", strategy.secondary_group);
}

void sharding_sizes(const Inputs& inputs, const ShardingProfile& profile, Findings& findings) {
  const Strategy& strategy = inputs.strategy;
  const bool buckets = profile.method == ShardingMethod::buckets;
  const auto idle = [&](std::string_view field, bool set) {
    if (set && !buckets)
      warn(findings, field, [] { return Words{"The framework has no such size: it gathers and reduces a layer at a time.", "Choose deepspeed as profile, or leave it out."}; });
  };
  idle("reduce_bucket_size", strategy.reduce_bucket_size > 0);
  idle("overlap_comm", strategy.overlap_comm != Switch::profile);
  idle("prefetch_bucket_size", strategy.prefetch_bucket_size > 0);
  idle("param_persistence_threshold", strategy.param_persistence_threshold > 0);
  idle("sub_group_size", strategy.sub_group_size > 0);
  if (strategy.nvme != Nvme::none && profile.nvme.state_buffers.value == 0)
    refuse(findings, "nvme", [] { return Words{"The framework leaves nothing on NVMe drives.", "Choose deepspeed as profile, or none as nvme."}; });
}

} // namespace plimsoll::checks
