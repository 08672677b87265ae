#include "questions/plan/serving_layouts.hpp"

#include "plimsoll/method/sharding.hpp"

#include <algorithm>

namespace plimsoll::io {

namespace {

constexpr std::int64_t kMostTensor = 16, kMostStages = 16;

/// The stated one, or 1, 2, 4, ...
std::vector<std::int64_t> degrees(std::optional<std::int64_t> stated, std::int64_t most) {
  if (stated) return {*stated};
  std::vector<std::int64_t> values;
  for (std::int64_t value = 1; value <= most; value *= 2) values.push_back(value);
  return values;
}

/// Replicas that whole groups make of so many GPUs; 0 where some would be left over.
std::int64_t whole_groups(std::int64_t gpus, std::int64_t group) noexcept { return group > 0 && gpus % group == 0 ? gpus / group : 0; }

/// Replicas of a model with experts: each with all of them, or all with parts.
std::vector<Switch> switches(const InferenceProfile& engine, const ServingLayout& layout, std::optional<Switch> stated) {
  if (layout.replicas == 1 || engine.replica_experts == ReplicaExperts::apart) return {Switch::profile};
  return stated ? std::vector{*stated} : std::vector{Switch::off, Switch::on};
}

/// Experts divided like the rest of a layer, or kept whole.
std::vector<std::int64_t> expert_degrees(const Inputs& inputs, const InferenceProfile& engine, const ServingLayout& layout, std::optional<std::int64_t> stated) {
  if (!engine.groups_experts) return {1};
  if (stated) return {*stated};
  Inputs divided = inputs;
  apply(layout, divided);
  const std::int64_t group = expert_group(divided.strategy, divided.serving, engine, inputs.model).value;
  return group > 1 ? std::vector<std::int64_t>{1, group} : std::vector<std::int64_t>{1};
}

} // namespace

std::vector<ServingLayout> serving_layouts(const Inputs& inputs, const InferenceProfile& engine, std::int64_t gpus, const ServingDegrees& stated) {
  const bool experts = has_experts(inputs.model);
  std::vector<ServingLayout> layouts;
  for (const std::int64_t tensor : degrees(stated.tensor_parallel, std::min(kMostTensor, inputs.hardware.gpus_per_node)))
    for (const std::int64_t pipeline : engine.pipelines ? degrees(stated.pipeline_parallel, kMostStages) : std::vector<std::int64_t>{1}) {
      if (tensor > inputs.hardware.gpus_per_node) continue;
      ServingLayout layout{gpus, tensor, pipeline, whole_groups(gpus, tensor * pipeline)};
      if (layout.replicas == 0) continue;
      if (!experts) {
        layouts.push_back(layout);
        continue;
      }
      for (const Switch attention : switches(engine, layout, stated.data_parallel_attention)) {
        layout.data_parallel_attention = attention;
        for (const std::int64_t degree : expert_degrees(inputs, engine, layout, stated.expert_parallel)) {
          layout.expert_parallel = degree;
          layouts.push_back(layout);
        }
        layout.expert_parallel = 1;
      }
    }
  return layouts;
}

void apply(const ServingLayout& layout, Inputs& inputs) noexcept {
  inputs.strategy.tensor_parallel = layout.tensor_parallel;
  inputs.strategy.pipeline_parallel = layout.pipeline_parallel;
  inputs.strategy.data_parallel = layout.replicas;
  inputs.strategy.expert_parallel = layout.expert_parallel;
  if (layout.data_parallel_attention != Switch::profile) inputs.serving.data_parallel_attention = layout.data_parallel_attention;
}

} // namespace plimsoll::io
