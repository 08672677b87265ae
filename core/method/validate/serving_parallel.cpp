#include "method/validate/checks.hpp"
#include "plimsoll/method/sharding.hpp"

#include <algorithm>

namespace plimsoll::checks {

namespace {

/// GPUs that share a layer's experts keep whole ones in groups, and each group of them divides its experts.
void experts_of(const Inputs& inputs, const InferenceProfile& engine, Issues& issues) {
  const Strategy& strategy = inputs.strategy;
  const std::int64_t gpus = expert_group(strategy, inputs.serving, engine, inputs.model).value, degree = engine.groups_experts ? strategy.expert_parallel : 1;
  const bool together = gpus > strategy.tensor_parallel;
  if (gpus % degree != 0)
    return refuse(issues, "expert_parallel", "The " + number(gpus) + " GPUs that share the experts cannot form " + number(degree) + " groups.",
                  together ? "Choose a number that divides tensor_parallel × data_parallel." : "Choose a number that divides tensor_parallel.");
  const Strategy divided = serving_strategy(strategy, inputs.serving, engine, inputs.model);
  const std::int64_t each = divided.expert_tensor_parallel;
  for (const LayerGroup& group : inputs.model.groups) {
    if (each <= 1 || group.moe.expert_size.value % each == 0) continue;
    return refuse(issues, together ? "data_parallel" : "tensor_parallel", number(each) + " GPUs cannot split " + number(group.moe.expert_size.value) + " channels of an expert evenly.",
                  "Choose a larger expert_parallel, which keeps experts whole, or other degrees.");
  }
}

// vllm-project/vllm, vllm/config/model.py, verify_with_parallel_config: no more parts than there would be copies of a key-value head.
void cache_parts(const Inputs& inputs, Issues& issues) {
  const std::int64_t parts = inputs.serving.cache_parallel, gpus = inputs.strategy.tensor_parallel;
  if (parts <= 1) return;
  if (gpus % parts != 0)
    return refuse(issues, "cache_parallel", "The " + number(gpus) + " GPUs of a tensor-parallel group cannot form groups of " + number(parts) + ".",
                  "Choose a number that divides tensor_parallel.");
  for (const LayerGroup& group : inputs.model.groups) {
    const std::int64_t heads = group.attention.kv_heads.value;
    if (group.attention.query_heads == Count{0} || parts * heads <= gpus) continue;
    return refuse(issues, "cache_parallel", "With " + number(heads) + " key-value heads, " + number(gpus) + " GPUs hold fewer than " + number(parts) + " copies of each.",
                  "Set it to 1, or use more GPUs as tensor_parallel.");
  }
}

} // namespace

void serving_parallel(const Inputs& inputs, const Profile& profile, Issues& issues) {
  const InferenceProfile& engine = profile.inference;
  const std::int64_t stages = inputs.strategy.pipeline_parallel, layers = std::ssize(inputs.model.pattern);
  if (engine.pipelines && stages > layers)
    refuse(issues, "pipeline_parallel", number(stages) + " stages are more than the model's " + number(layers) + " layers.", "Choose at most as many stages as layers.");
  if (engine.divides_cache) cache_parts(inputs, issues);
  const bool any = std::ranges::any_of(inputs.model.groups, [](const LayerGroup& group) { return group.moe.experts > Count{0}; });
  if (any) experts_of(inputs, engine, issues);
}

} // namespace plimsoll::checks
