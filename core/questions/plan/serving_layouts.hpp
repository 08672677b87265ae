#pragma once
// How GPUs can divide a model that they serve, as far as an engine knows how.

#include "plimsoll/method/scenario.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace plimsoll::io {

struct ServingLayout {
  std::int64_t gpus = 1, tensor_parallel = 1, pipeline_parallel = 1, replicas = 1; ///< the last three multiply to the first
  std::int64_t expert_parallel = 1;
  Switch data_parallel_attention = Switch::profile; ///< `profile` where there is nothing to switch
};

/// What a question states; the rest is varied.
struct ServingDegrees {
  std::optional<std::int64_t> tensor_parallel, pipeline_parallel, expert_parallel;
  std::optional<Switch> data_parallel_attention;
};

/// Tensor groups stay within a node. Stages, groups of experts and replicas that divide experts only where the engine has them; experts
/// in parts or whole, nothing between. Whether the model's heads and channels can be divided so is left to validate().
std::vector<ServingLayout> serving_layouts(const Inputs& inputs, const InferenceProfile& engine, std::int64_t gpus, const ServingDegrees& stated);

/// Writes a layout into inputs of serving.
void apply(const ServingLayout& layout, Inputs& inputs) noexcept;

} // namespace plimsoll::io
