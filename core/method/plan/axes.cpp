// The values that people try. What cannot run is left to validate(); here are the limits beyond which nobody looks.
#include "plimsoll/method/plan.hpp"

#include <algorithm>

namespace plimsoll {

namespace {

constexpr std::int64_t kLargestMicroBatch = 64;
constexpr std::int64_t kMostChunks = 16;       // of a stage
constexpr std::int64_t kMostStages = 64;       // the field's range
constexpr std::int64_t kFewestTokens = 1024;   // of a sequence on one GPU of a context-parallel group

std::int64_t most_gpus(const PlanVariant& variant) {
  std::int64_t most = 1;
  for (const Fleet& fleet : variant.fleets) most = std::max(most, fleet.gpus);
  return most;
}

/// Divisors of any fleet, up to `most`; 1 alone where the framework does not divide so.
std::vector<std::int64_t> degrees(const PlanVariant& variant, bool able, std::int64_t most) {
  std::vector<std::int64_t> values{1};
  for (std::int64_t value = 2; able && value <= std::min(most, most_gpus(variant)); ++value)
    if (std::ranges::any_of(variant.fleets, [&](const Fleet& fleet) { return fleet.gpus % value == 0; })) values.push_back(value);
  return values;
}

std::vector<ScheduleChoice> schedules(const PlanAbilities& abilities, std::int64_t layers) {
  std::vector<ScheduleChoice> choices;
  for (PipelineSchedule schedule : abilities.schedules) {
    const bool interleaves = abilities.interleaves && schedule == PipelineSchedule::one_f_one_b;
    const std::int64_t most = interleaves ? std::min(kMostChunks, layers) : 1;
    for (std::int64_t chunks = 1; chunks <= most; ++chunks) {
      choices.push_back({schedule, chunks, false});
      if (abilities.counts_ends && schedule == PipelineSchedule::one_f_one_b) choices.push_back({schedule, chunks, true});
    }
    if (abilities.sizes_ends && schedule == PipelineSchedule::one_f_one_b) choices.push_back({schedule, 1, false, true});
    for (std::int64_t chunks = 1; abilities.writes_chunks && interleaves && chunks <= most; ++chunks) choices.push_back({schedule, chunks, false, false, true});
  }
  return choices;
}

/// 1, 2, 3, 4, 6, 8, 12, 16, 24, ...: a third to a half more each time.
std::vector<std::int64_t> widening(std::int64_t below) {
  std::vector<std::int64_t> values;
  for (std::int64_t power = 1; power < below; power *= 2) {
    values.push_back(power);
    if (power > 1 && power / 2 * 3 < below) values.push_back(power / 2 * 3);
  }
  return values;
}

/// Modules that some layer has.
std::uint32_t modules_of(const Model& model) {
  std::uint32_t modules = kRecomputeCoreAttention | kRecomputeNorms;
  for (const LayerGroup& group : model.groups) {
    const bool routes = group.moe.experts > Count{0};
    if (group.expands_vectors()) modules |= kRecomputeLatentUp;
    if (!routes && group.mlp.intermediate_size > Count{0}) modules |= kRecomputeMlp;
    if (routes) modules |= kRecomputeExpertActivation | kRecomputeExperts | (group.moe.shared_size > Count{0} ? kRecomputeSharedExperts : 0U);
  }
  return modules;
}

std::vector<RecomputeChoice> recomputes(const PlanAbilities& abilities, const Model& model) {
  const auto layers = static_cast<std::int64_t>(model.pattern.size());
  std::vector<RecomputeChoice> choices;
  for (Recompute recompute : abilities.recomputes) {
    const bool counts = recompute == Recompute::full ? abilities.segments : recompute == Recompute::block || recompute == Recompute::every_k;
    for (const std::int64_t n : counts ? widening(layers) : std::vector<std::int64_t>{1}) {
      if (recompute == Recompute::every_k && n == 1) continue; // as full
      choices.push_back({recompute, n});
    }
    if (counts && layers <= 1 && recompute == Recompute::full) choices.push_back({recompute, 1});
    for (const std::uint32_t set : recompute == Recompute::selective ? abilities.modules : std::vector<std::uint32_t>{})
      if ((set & ~modules_of(model)) == 0) choices.push_back({recompute, 1, set});
  }
  return choices;
}

} // namespace

PlanAxes usual_axes(const PlanVariant& variant, const PlanAbilities& abilities, std::int64_t global_batch) {
  const Inputs& inputs = variant.inputs;
  const auto layers = static_cast<std::int64_t>(inputs.model.pattern.size());
  std::int64_t experts = 1;
  for (const LayerGroup& group : inputs.model.groups) experts = std::max(experts, group.moe.experts.value);
  PlanAxes axes;
  axes.tensor_parallel = degrees(variant, abilities.tensor_parallel, inputs.hardware.gpus_per_node);
  axes.pipeline_parallel = degrees(variant, abilities.pipeline_parallel, std::min(layers, kMostStages));
  axes.context_parallel = degrees(variant, abilities.context_parallel, inputs.workload.context_tokens / kFewestTokens);
  axes.expert_parallel = degrees(variant, abilities.expert_parallel, experts);
  if (abilities.expert_tensor_parallel && experts > 1) axes.expert_tensor_parallel.push_back(1);
  axes.batch.clear();
  for (std::int64_t batch = 1; batch <= std::min(global_batch, kLargestMicroBatch); batch *= 2) axes.batch.push_back(batch);
  axes.schedules = schedules(abilities, layers);
  axes.shardings = abilities.shardings;
  axes.offloads = abilities.offloads;
  axes.recomputes = recomputes(abilities, inputs.model);
  if (std::ranges::find(abilities.sends_once, inputs.hardware.arch) != abilities.sends_once.end()) axes.dispatch = ExpertDispatch::once;
  axes.overlaps_experts = abilities.overlaps_experts;
  axes.overlaps_tensor = abilities.overlaps_tensor && experts == 1;
  return axes;
}

} // namespace plimsoll
