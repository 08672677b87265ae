#pragma once
// Conditions under which fields about the division of work have an effect.

#include "plimsoll/method/fields.hpp"
#include "plimsoll/method/parameters.hpp"

#include <algorithm>

namespace plimsoll::tables {

inline bool has_experts(const Inputs& inputs) { return plimsoll::has_experts(inputs.model); }
inline bool divides_experts(const Inputs& inputs) { return has_experts(inputs) && inputs.strategy.expert_parallel > 1; }
inline bool freezes_weights(const Inputs& inputs) { return freezes(inputs.workload.task, inputs.tuning); }
inline bool has_prediction(const Inputs& inputs) { return prediction_layers(inputs.model) > Count{0}; }
inline bool has_tensor_group(const Inputs& inputs) { return inputs.strategy.tensor_parallel > 1; }
inline bool has_context_group(const Inputs& inputs) { return inputs.strategy.context_parallel > 1; }
inline bool has_pipeline(const Inputs& inputs) { return inputs.strategy.pipeline_parallel > 1; }
inline bool is_interleaved(const Inputs& inputs) { return inputs.strategy.virtual_stages > 1; }
inline bool has_shards(const Inputs& inputs) { return inputs.strategy.sharding != Sharding::none; }
inline bool shards_parameters(const Inputs& inputs) { return inputs.strategy.sharding == Sharding::parameters; }
/// GPUs of a context-parallel group hold the same weights, as replicas do.
inline bool has_copies(const Inputs& inputs) { return inputs.strategy.data_parallel > 1 || inputs.strategy.context_parallel > 1; }

} // namespace plimsoll::tables
