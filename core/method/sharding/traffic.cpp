// Who passes how much to whom, and how long stages of a pipeline wait for each other.
#include "plimsoll/method/sharding.hpp"

#include <algorithm>

namespace plimsoll {

Count gpus_of_a_replica(const Strategy& strategy) noexcept {
  return Count{strategy.tensor_parallel} * Count{strategy.context_parallel} * Count{strategy.pipeline_parallel};
}

Count micro_batch_share(Count per_token, const Workload& workload, const Strategy& strategy) noexcept {
  return ceil_div(per_token * sequence_tokens(workload), gpus_of_a_replica(strategy));
}

Count step_tokens(const Workload& workload, const Strategy& strategy) noexcept {
  return sequence_tokens(workload) * Count{workload.micro_batches} * Count{strategy.data_parallel};
}

Count stage_layers(Count layers, const Strategy& strategy) noexcept { return ceil_div(layers, Count{strategy.pipeline_parallel}); }

RingShape ring_of(Ring ring, const Strategy& strategy) noexcept {
  const Count tensor{strategy.tensor_parallel}, sequence = tensor * Count{strategy.context_parallel};
  const Count expert = Count{strategy.expert_parallel} * Count{strategy.expert_tensor_parallel > 0 ? strategy.expert_tensor_parallel : strategy.tensor_parallel};
  const Count replica = sequence * Count{strategy.data_parallel}, shards = shard_count(TensorKind::embedding, strategy);
  switch (ring) {
    case Ring::tensor: return {tensor, tensor};
    case Ring::context: return {Count{strategy.context_parallel}, sequence};
    case Ring::experts: return {Count{strategy.expert_parallel}, max(tensor, expert)};
    case Ring::shards: return {shards, min(replica, tensor * shards)};
    case Ring::copies: return {ceil_div(Count{strategy.data_parallel} * Count{strategy.context_parallel}, shards), replica};
    case Ring::stages: break;
  }
  return {Count{strategy.pipeline_parallel}, gpu_count(strategy)};
}

Count members_in_node(const RingShape& ring, std::int64_t per_node) noexcept {
  const Count apart = max(ceil_div(ring.span, max(ring.members, Count{1})), Count{1}); // ranks from one member to the next
  return max(min(Count{per_node / apart.value}, ring.members), Count{1});
}

// Thakur, Rabenseifner and Gropp, "Optimization of Collective Communication Operations in MPICH", 2005, sections 4.1 and 4.2.
Bytes ring_traffic(Bytes whole, Count members) noexcept {
  if (members <= Count{1}) return Bytes{0};
  return Bytes{ceil_div((members - Count{1}) * Count{whole.value}, members).value};
}

// Narayanan et al., 2021 (arXiv 2104.04473), section 2.2: (p - 1) / m, divided by the chunks of each stage where they interleave. With
// forward, input and weight passes of equal length, three make the busy time of a micro-batch: one of them remains idle in ZB-H1
// (p - 1 times), none in ZB-H2 and ZB-V, two in DualPipe (p / 2 - 1 times). Qi et al., 2024 (arXiv 2401.10241), table 1;
// deepseek-ai/DualPipe, README.md, "Pipeline Bubbles and Memory Usage Comparison".
Bubble bubble_of(const Strategy& strategy, const Workload& workload) noexcept {
  constexpr Count kPasses{3};
  const Count stages{strategy.pipeline_parallel}, micro_batches{std::max<std::int64_t>(workload.micro_batches, 1)};
  switch (strategy.pipeline_schedule) {
    case PipelineSchedule::one_f_one_b: return {kPasses * (stages - Count{1}), kPasses * (Count{std::max<std::int64_t>(strategy.virtual_stages, 1)} * micro_batches)};
    case PipelineSchedule::gpipe: return {kPasses * (stages - Count{1}), kPasses * micro_batches};
    case PipelineSchedule::zb_h1: return {stages - Count{1}, kPasses * micro_batches};
    case PipelineSchedule::zb_h2:
    case PipelineSchedule::zb_v: return {Count{0}, kPasses * micro_batches};
    case PipelineSchedule::dualpipe:
    case PipelineSchedule::dualpipe_v: break;
  }
  return {Count{2} * max(Count{stages.value / 2} - Count{1}, Count{0}), kPasses * micro_batches};
}

} // namespace plimsoll
