// Tensor parallelism splits attention by heads and the MLP by channels; norms and the biases of row-parallel matrices are
// replicated, and so are KV heads once there are more GPUs than KV heads.
// Shoeybi et al., Megatron-LM, 2019 (arXiv 1909.08053), section 3; vLLM, vllm/config, get_num_kv_heads.
#include "plimsoll/sharding.hpp"

namespace plimsoll {

namespace {

/// The largest share when `degree` GPUs divide `whole`: the last ones may hold padding.
Count split(Count whole, std::int64_t degree) noexcept { return ceil_div(whole, Count{degree}); }

} // namespace

LayerShare layer_share(const LayerGroup& group, const Strategy& strategy) noexcept {
  LayerShare share;
  share.query_heads = split(group.attention.query_heads, strategy.tensor_parallel);
  share.kv_heads = max(Count{1}, split(group.attention.kv_heads, strategy.tensor_parallel));
  share.head_dim = group.attention.head_dim;
  share.query_width = share.query_heads * share.head_dim;
  share.kv_width = share.kv_heads * share.head_dim;
  share.intermediate = split(group.mlp.intermediate_size, strategy.tensor_parallel);
  return share;
}

ModelShare model_share(const Model& model, const Strategy& strategy) noexcept {
  return {.vocab = split(model.vocab_size, strategy.tensor_parallel)};
}

Count gpu_count(const Strategy& strategy) noexcept {
  return Count{strategy.tensor_parallel} * Count{strategy.data_parallel};
}

bool has_replicas(const Strategy& strategy) noexcept { return strategy.data_parallel > 1; }

} // namespace plimsoll
