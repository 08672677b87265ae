// Tensor parallelism splits attention and recurrences by heads, MLPs and experts by channels; norms and the biases of row-parallel
// matrices are replicated, and so are KV heads once there are more GPUs than KV heads, and the latent vectors of latent attention.
// Shoeybi et al., Megatron-LM, 2019 (arXiv 1909.08053), section 3; vLLM, vllm/config, get_num_kv_heads; MLAAttentionSpec.
#include "plimsoll/sharding.hpp"

namespace plimsoll {

namespace {

/// The largest share when `degree` GPUs divide `whole`: the last ones may hold padding.
Count split(Count whole, std::int64_t degree) noexcept {
  return degree == 1 ? whole : ceil_div(whole, Count{degree});
}

/// The share of `amount` that goes with a share of `units` parts.
Count split_by(Count units, Count amount, std::int64_t degree) noexcept {
  if (degree == 1 || units == Count{0}) return amount;
  return ceil_div(amount * split(units, degree), units);
}

struct Widths {
  Count heads, query, key, value, output;
};

Widths widths_of(const Attention& attention, std::int64_t degree) noexcept {
  const Count heads = split(attention.query_heads, degree), kv_heads = split(attention.kv_heads, degree);
  const Count value_dim = attention.value_dim == Count{0} ? attention.head_dim : attention.value_dim;
  return {heads, heads * attention.head_dim, kv_heads * attention.head_dim, kv_heads * value_dim, heads * value_dim};
}

Widths widths_of(const LatentAttention& attention, std::int64_t degree) noexcept {
  const Count heads = attention.copies * split(attention.heads, degree);
  const Count query = heads * (attention.nope_dim + attention.rope_dim), value = heads * attention.value_dim;
  return {heads, query, query, value, value};
}

Count cached(const Attention& attention, const Widths& widths) noexcept {
  if (!attention.caches || attention.reuses_cache) return Count{0};
  return attention.one_cache ? widths.key : widths.key + widths.value;
}

} // namespace

LayerShare layer_share(const LayerGroup& group, const Strategy& strategy) noexcept {
  const std::int64_t degree = strategy.tensor_parallel;
  const Widths grouped = widths_of(group.attention, degree);
  LayerShare share;
  share.query_heads = grouped.heads;
  share.query_width = grouped.query;
  share.key_width = grouped.key;
  share.value_width = grouped.value;
  share.output_width = grouped.output;
  share.cached_width = cached(group.attention, grouped);
  share.intermediate = group.mlp.copies * split(group.mlp.intermediate_size, degree);
  if (const LatentAttention& latent = group.latent; latent.heads > Count{0}) {
    const Widths widths = widths_of(latent, degree);
    const Count vector = latent.kv_rank + latent.rope_dim;
    share.query_heads += widths.heads;
    share.query_width += widths.query;
    share.key_width += widths.key;
    share.value_width += widths.value;
    share.output_width += widths.output;
    share.latent_width = latent.copies * (latent.query_rank + vector);
    share.cached_width += latent.copies * vector;
  }
  if (const Moe& moe = group.moe; moe.experts > Count{0}) {
    share.expert = split(moe.expert_size, degree);
    share.shared = split(moe.shared_size, degree);
  }
  if (const RecurrenceShape& shape = group.recurrence_shape; shape.inner > Count{0}) {
    share.recurrent_projected = split_by(shape.units, shape.projected, degree);
    share.recurrent_inner = split_by(shape.units, shape.inner, degree);
    share.recurrent_state = split_by(shape.units, shape.state, degree);
    share.conv_state = split_by(shape.units, shape.conv_channels, degree) * shape.conv_taps;
  }
  return share;
}

Count cross_cached_width(const LayerGroup& group, const Strategy& strategy) noexcept {
  return cached(group.cross, widths_of(group.cross, strategy.tensor_parallel));
}

TensorShare tensor_share(const Tensor& tensor, const Strategy& strategy) noexcept {
  const std::int64_t degree = strategy.tensor_parallel;
  switch (tensor.split) {
    case Split::rows: return {split_by(tensor.units, tensor.rows, degree), tensor.columns};
    case Split::columns: return {tensor.rows, split_by(tensor.units, tensor.columns, degree)};
    case Split::none: break;
  }
  return {tensor.rows, tensor.columns};
}

Count elements_per_gpu(const Tensor& tensor, const Strategy& strategy) noexcept {
  const TensorShare share = tensor_share(tensor, strategy);
  return tensor.copies * (share.rows * share.columns);
}

Count parameters_per_gpu(const Model& model, const Strategy& strategy) noexcept {
  Count total;
  for (const ModelTensor& part : model.tensors)
    if (in_language_model(part.tensor.kind)) total += part.layers * elements_per_gpu(part.tensor, strategy);
  return total;
}

Count gpu_count(const Strategy& strategy) noexcept {
  return Count{strategy.tensor_parallel} * Count{strategy.data_parallel};
}

bool has_replicas(const Strategy& strategy) noexcept { return strategy.data_parallel > 1; }

} // namespace plimsoll
