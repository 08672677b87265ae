// Formats whose blocks share a scale: engines that load them refuse parts of a matrix that end within a block. vllm-project/vllm,
// vllm/model_executor/layers/quantization/utils/fp8_utils.py, validate_fp8_block_shape, and marlin_utils.py,
// verify_marlin_supports_shape; sgl-project/sglang, python/sglang/srt/layers/quantization/fp8.py, create_weights.
#include "method/validate/checks.hpp"
#include "plimsoll/method/sharding.hpp"

#include <algorithm>

namespace plimsoll::checks {

namespace {

/// "gptq_*" takes every id that begins so.
bool matches(std::string_view pattern, std::string_view id) {
  return pattern.ends_with('*') ? id.starts_with(pattern.substr(0, pattern.size() - 1)) : id == pattern;
}

/// Numbers along one side of the largest block with a scale, of the matrices of that kind; 1 where none has such.
std::int64_t block_of(const Inputs& inputs, TensorKind kind) {
  std::int64_t largest = 1;
  for (const StoredTensor& stored : inputs.weights.tensors) {
    if (inputs.model.tensors[stored.tensor].tensor.kind != kind) continue;
    for (const StoredPart& part : inputs.weights.formats[stored.format].parts)
      if (!part.flat) largest = std::max({largest, part.rows.value, part.columns.value});
  }
  return largest;
}

} // namespace

void serving_blocks(const Inputs& inputs, const Profile& profile, Issues& issues) {
  const auto& whole = profile.inference.whole_blocks;
  const std::string& scheme = inputs.weights.scheme;
  if (std::ranges::none_of(whole, [&](const std::string& pattern) { return matches(pattern, scheme); })) return;
  const Strategy divided = serving_strategy(inputs.strategy, inputs.serving, profile.inference, inputs.model);
  const std::int64_t dense = inputs.strategy.tensor_parallel, routed = divided.expert_tensor_parallel > 0 ? divided.expert_tensor_parallel : dense;
  const auto check = [&](std::int64_t channels, std::int64_t gpus, TensorKind kind, const char* what, const char* remedy) {
    const std::int64_t block = block_of(inputs, kind);
    if (gpus <= 1 || channels == 0 || channels % gpus != 0 || channels / gpus % block == 0) return false;
    refuse(issues, "tensor_parallel", number(gpus) + " GPUs leave each " + number(channels / gpus) + " channels of " + what + ", which end within a block of " + number(block) + " in " +
           scheme + ": " + profile.name + " does not start.", remedy);
    return true;
  };
  for (const LayerGroup& group : inputs.model.groups) {
    if (check(group.moe.expert_size.value, routed, TensorKind::experts, "an expert", "Keep experts whole with expert_parallel, or choose fewer GPUs as tensor_parallel.")) return;
    if (check(group.mlp.intermediate_size.value, dense, TensorKind::mlp, "an MLP", "Choose fewer GPUs as tensor_parallel, or another weight_dtype.")) return;
  }
}

} // namespace plimsoll::checks
