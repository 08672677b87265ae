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

/// One number for each GPU of a pipeline, and a layer for each.
void unequal_gpus(const Inputs& inputs, const Profile& profile, Issues& issues) {
  const std::int64_t stages = inputs.strategy.pipeline_parallel;
  const auto check = [&](std::string_view field, const std::vector<std::int64_t>& list) {
    if (list.empty() || stages <= 1) return false;
    if (profile.inference.odd_layers != OddLayers::with_head) {
      warn(issues, field, "GPUs that differ have no effect in " + profile.name + ", which gives each as many layers.", "Leave it out, or choose llama_cpp as profile.");
      return false;
    }
    if (std::ssize(list) != stages) refuse(issues, field, number(std::ssize(list)) + " numbers for " + number(stages) + " GPUs.", "Write one for each, or another pipeline_parallel.");
    return std::ssize(list) == stages;
  };
  const bool memory = check("usable_each", inputs.hardware.usable_each), split = check("tensor_split", inputs.strategy.tensor_split);
  if (!memory && !split) return;
  Strategy asked = inputs.strategy;
  if (!split) asked.tensor_split = inputs.hardware.usable_each;
  if (std::ranges::all_of(asked.tensor_split, [](std::int64_t part) { return part == 0; })) return refuse(issues, "tensor_split", "No GPU gets a part.", "Write numbers such as 3,1.");
  const std::vector<std::int64_t> sizes = serving_strategy(asked, inputs.serving, profile.inference, inputs.model).chunk_layers;
  const auto none = std::ranges::find(sizes, 0);
  if (none != sizes.end())
    refuse(issues, split ? "tensor_split" : "usable_each", "GPU " + number(none - sizes.begin()) + " gets no layer.", "Leave it out, or give it a larger part.");
}

} // namespace

void serving_parallel(const Inputs& inputs, const Profile& profile, Issues& issues) {
  const InferenceProfile& engine = profile.inference;
  const std::int64_t stages = inputs.strategy.pipeline_parallel, layers = std::ssize(inputs.model.pattern);
  if (engine.pipelines && stages > layers)
    refuse(issues, "pipeline_parallel", number(stages) + " stages are more than the model's " + number(layers) + " layers.", "Choose at most as many stages as layers.");
  if (engine.divides_cache) cache_parts(inputs, issues);
  unequal_gpus(inputs, profile, issues);
  if (has_experts(inputs.model)) experts_of(inputs, engine, issues);
}

} // namespace plimsoll::checks
