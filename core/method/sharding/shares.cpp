// Tensor parallelism splits attention and recurrences by heads, MLPs and experts by channels; norms and the biases of row-parallel
// matrices are replicated, and so are KV heads once there are more GPUs than KV heads, and the latent vectors of latent attention.
// Shoeybi et al., Megatron-LM, 2019 (arXiv 1909.08053), section 3; vLLM, vllm/config, get_num_kv_heads; MLAAttentionSpec.
#include "plimsoll/method/sharding.hpp"

#include <algorithm>
#include <bit>

namespace plimsoll {

namespace {

/// The largest share when `degree` GPUs divide `whole`: the last ones may hold padding. Most degrees are powers of two, and a shift
/// takes a tenth of a division's time.
Count split(Count whole, std::int64_t degree) noexcept {
  const std::int64_t below = degree - 1;
  if (below == 0) return whole;
  if ((degree & below) != 0 || whole.value > Count::kMax - degree) return ceil_div(whole, Count{degree});
  return Count{(whole.value + below) >> std::countr_zero(static_cast<std::uint64_t>(degree))};
}

/// The share of `amount` that goes with a share of `units` parts.
Count split_by(Count units, Count amount, std::int64_t degree) noexcept {
  const std::int64_t below = degree - 1;
  if (below == 0 || units == Count{0}) return amount;
  if ((degree & below) == 0 && (units.value & below) == 0) return split(amount, degree);
  const Count share = split(units, degree);
  return share * Count{degree} == units ? split(amount, degree) : ceil_div(amount * share, units); // amount / degree either way
}

/// GPUs that divide one expert.
std::int64_t expert_degree(const Strategy& strategy) noexcept {
  return strategy.expert_tensor_parallel > 0 ? strategy.expert_tensor_parallel : strategy.tensor_parallel;
}

/// GPUs that divide a dense MLP.
std::int64_t dense_degree(const Strategy& strategy) noexcept {
  return strategy.dense_tensor_parallel > 0 ? strategy.dense_tensor_parallel : strategy.tensor_parallel;
}

std::int64_t degree_of(TensorKind kind, const Strategy& strategy) noexcept {
  if (is_routed(kind)) return expert_degree(strategy);
  const bool dense = kind == TensorKind::mlp || kind == TensorKind::shared_experts || kind == TensorKind::head;
  return dense ? dense_degree(strategy) : strategy.tensor_parallel;
}

std::int64_t degree_of(const Tensor& tensor, const Strategy& strategy) noexcept {
  return is_expert(tensor) ? expert_degree(strategy) : degree_of(tensor.kind, strategy);
}

/// What one of `degree` GPUs has of a vocabulary, filled up as its framework does. Megatron-LM, megatron/training/tokenizer/tokenizer.py,
/// _vocab_size_with_padding; vLLM, vllm/model_executor/layers/vocab_parallel_embedding.py, pad_vocab_size.
Count vocab_part(Count tokens, const Strategy& strategy, std::int64_t degree) noexcept {
  if (strategy.vocab_multiple <= 1) return split(tokens, degree);
  const Count step = Count{strategy.vocab_multiple} * Count{strategy.vocab_multiple_each ? degree : 1};
  return split(ceil_div(tokens, step) * step, degree);
}

/// Tables and heads with a row for each token of the vocabulary.
bool has_vocabulary(const Tensor& tensor) noexcept {
  return (tensor.kind == TensorKind::embedding || tensor.kind == TensorKind::head) && tensor.split == Split::rows && tensor.units == tensor.rows;
}

/// Replicas of a dense tensor: data-parallel ones, and the parts of a sequence.
std::int64_t replicas(const Strategy& strategy) noexcept { return strategy.data_parallel * strategy.context_parallel; }

struct Widths {
  Count heads, query, key, value, output;
};

Widths widths_of(const Attention& attention, std::int64_t degree) noexcept {
  const Count heads = split(attention.query_heads, degree), kv_heads = split(attention.kv_heads, degree);
  const Count value_dim = attention.value_dim == Count{0} ? attention.head_dim : attention.value_dim;
  return {heads, heads * attention.head_dim, kv_heads * attention.head_dim, kv_heads * value_dim, heads * value_dim};
}

/// What one GPU has of a recurrence; nothing of a layer without one.
struct RecurrentShare {
  Count projected, inner, heads, state, conv_state;
};

RecurrentShare recurrent_share(const RecurrenceShape& shape, std::int64_t degree) noexcept {
  if (shape.inner <= Count{0}) return {};
  return {split_by(shape.units, shape.projected, degree), split_by(shape.units, shape.inner, degree), split(shape.heads, degree),
          split_by(shape.units, shape.state, degree), split_by(shape.units, shape.conv_channels, degree) * shape.conv_taps};
}

inline MlpShare mlp_of(const LayerGroup& group, const Strategy& strategy) noexcept {
  const bool has_experts = group.moe.experts > Count{0};
  return {.intermediate = group.mlp.copies * split(group.mlp.intermediate_size, dense_degree(strategy)),
          .expert = has_experts ? split(group.moe.expert_size, expert_degree(strategy)) : Count{0},
          .shared = has_experts ? split(group.moe.shared_size, dense_degree(strategy)) : Count{0}};
}

} // namespace

MlpShare mlp_share(const LayerGroup& group, const Strategy& strategy) noexcept { return mlp_of(group, strategy); }

/// Heads are divided, the vectors that they are expanded from are not.
LayerShare layer_share(const LayerGroup& group, const Strategy& strategy) noexcept {
  const std::int64_t degree = strategy.tensor_parallel;
  const AttentionShape& of = group.attention_shape;
  const Count heads = of.copies * split(of.heads, degree), kv_heads = of.copies * split(of.kv_heads, degree);
  const Count cached_heads = of.caches_vector ? of.copies : kv_heads, cached_values = cached_heads * of.cached_values;
  const bool expands = of.key_value_vector != Count{0};
  const auto expanded = [&](Count copies, Count channels) { return expands ? copies * channels : Count{0}; };
  const Count vector = expanded(of.copies, of.key_value_vector);
  const MlpShare mlp = mlp_of(group, strategy);
  const RecurrentShare recurrent = recurrent_share(group.recurrence_shape, degree);
  return {.query_heads = heads,
          .query_width = heads * of.query_dim,
          .key_width = kv_heads * of.query_dim,
          .value_width = kv_heads * of.value_dim,
          .output_width = heads * of.value_dim,
          .expanded_keys = expanded(heads, of.expanded_dim),
          .query_vector = expanded(of.copies, of.query_vector),
          .key_value_vector = vector,
          .shared_rotary = expanded(of.copies, of.rotary_dim),
          .cached_width = cached_heads * of.cached_keys + cached_values,
          .cached_values = cached_values,
          .transposed_vector = vector,
          .intermediate = mlp.intermediate,
          .expert = mlp.expert,
          .shared = mlp.shared,
          .recurrent_projected = recurrent.projected,
          .recurrent_inner = recurrent.inner,
          .recurrent_heads = recurrent.heads,
          .recurrent_state = recurrent.state,
          .conv_state = recurrent.conv_state};
}

CrossShare cross_share(const LayerGroup& group, const Strategy& strategy) noexcept {
  const Widths widths = widths_of(group.cross, strategy.tensor_parallel);
  return {widths.heads, widths.query, widths.key + widths.value, widths.output};
}

Count cross_cached_width(const LayerGroup& group, const Strategy& strategy) noexcept {
  const Widths widths = widths_of(group.cross, strategy.tensor_parallel);
  return group.cross.caches ? widths.key + widths.value : Count{0};
}

namespace {

inline TensorShare share_of(const Tensor& tensor, const Strategy& strategy) noexcept {
  if (tensor.split == Split::none) return {tensor.rows, tensor.columns};
  const std::int64_t degree = degree_of(tensor, strategy);
  if (tensor.split == Split::columns) return {tensor.rows, split_by(tensor.units, tensor.columns, degree)};
  if (has_vocabulary(tensor)) return {vocab_part(tensor.rows, strategy, degree), tensor.columns};
  return {split_by(tensor.units, tensor.rows, degree), tensor.columns};
}

} // namespace

TensorShare tensor_share(const Tensor& tensor, const Strategy& strategy) noexcept { return share_of(tensor, strategy); }

Count copies_per_gpu(const Tensor& tensor, const Strategy& strategy) noexcept {
  return is_expert(tensor) ? split(tensor.copies, strategy.expert_parallel) : tensor.copies;
}

TensorShare tensor_share(const Tensor& tensor, Count rows, Count columns, const Strategy& strategy) noexcept {
  Tensor matrix = tensor; // experts are divided by other GPUs than the rest
  matrix.rows = rows;
  matrix.columns = columns;
  return tensor_share(matrix, strategy);
}

HeldTensor held_per_gpu(const Tensor& tensor, const Strategy& strategy) noexcept {
  const TensorShare share = share_of(tensor, strategy);
  const Count copies = is_expert(tensor) ? split(tensor.copies, strategy.expert_parallel) : tensor.copies;
  return {copies, copies * (share.rows * share.columns)};
}

namespace {

/// Whether a number can be halved so often that there are `degree` equal parts.
bool halves_into(std::int64_t degree, int halvings) noexcept {
  return (degree & (degree - 1)) == 0 && std::countr_zero(static_cast<std::uint64_t>(degree)) <= halvings;
}

/// Apart, so that what divides all at once saves no registers for it.
[[gnu::noinline]] HeldTensor held_one_by_one(const ModelTensors& tensors, const TensorRun& run, const Strategy& strategy) noexcept {
  HeldTensor sum;
  for (std::size_t at = run.first; at < run.last; ++at) {
    const HeldTensor held = held_per_gpu(tensors[at].tensor, strategy);
    sum.copies += held.copies;
    sum.numbers += held.numbers;
  }
  return sum;
}

} // namespace

/// All of a run are divided at once where nothing is left over: degrees are mostly small powers of two, and sizes of models multiples of them.
HeldTensor held_per_gpu(const ModelTensors& tensors, const TensorRun& run, const Strategy& strategy) noexcept {
  const std::int64_t degree = degree_of(run.kind, strategy);
  const bool filled_up = strategy.vocab_multiple > 1 && (run.kind == TensorKind::embedding || run.kind == TensorKind::head);
  if (!run.summed || filled_up || !halves_into(degree, run.halvings)) return held_one_by_one(tensors, run, strategy);
  const Count of_all = run.whole + split(run.divided, degree);
  if (!is_routed(run.kind)) return {run.copies, of_all};
  if (!halves_into(strategy.expert_parallel, run.copy_halvings)) return held_one_by_one(tensors, run, strategy);
  return {split(run.copies, strategy.expert_parallel), split(of_all, strategy.expert_parallel)};
}

namespace {

/// Tokens of a micro-batch whose sequences are divided by `degree` one by one. Padded sequences and packed rows are all as long as the
/// longest. Without padding what decides is the micro-batch that has the longest sequence: the others in it are as long as the average.
/// huggingface/transformers, src/transformers/data/data_collator.py, DataCollatorWithFlattening; Transformer Engine divides each
/// sequence of a row by itself (transformer_engine/pytorch/attention, thd_get_partitioned_indices).
Count tokens_of(const Workload& workload, Count context, std::int64_t degree) noexcept {
  const Count sequences{workload.batch}, longest = split(context, degree);
  if (workload.batching != Batching::padding_free || workload.mean_tokens == 0) return sequences * longest;
  return longest + (sequences - Count{1}) * min(longest, split(Count{workload.mean_tokens}, degree));
}

} // namespace

TokenShare token_share(const Workload& workload, const Strategy& strategy) noexcept { return token_share(workload, Count{workload.context_tokens}, strategy); }

TokenShare token_share(const Workload& workload, Count context, const Strategy& strategy) noexcept {
  const Count inside = tokens_of(workload, context, strategy.context_parallel);
  return {inside, strategy.sequence_parallel ? split(inside, strategy.tensor_parallel) : inside};
}

Count sequence_tokens(const Workload& workload) noexcept { return tokens_of(workload, Count{workload.context_tokens}, 1); }

Count routed_rows(const Workload& workload, const Strategy& strategy, Count per_token) noexcept {
  // GPUs that divide an expert gather each other's tokens; without sequence parallelism they hold the same ones already.
  const bool same_tokens = strategy.tensor_parallel > 1 && !strategy.sequence_parallel;
  const Count even = token_share(workload, strategy).between * per_token * Count{same_tokens ? 1 : expert_degree(strategy)};
  return strategy.expert_parallel > 1 ? ceil_div(even * Count{strategy.expert_load_permille}, Count{1000}) : even; // one GPU has all experts otherwise
}

Count experts_of_gpu(Count experts, const Strategy& strategy) noexcept { return split(experts, strategy.expert_parallel); }

Count gathered_tokens(const Workload& workload, const Strategy& strategy) noexcept {
  return token_share(workload, strategy).between * Count{strategy.expert_parallel} * Count{expert_degree(strategy)};
}

bool divides_experts(const Strategy& strategy) noexcept { return expert_degree(strategy) > 1; }

Count shard_count(TensorKind kind, const Strategy& strategy) noexcept {
  const std::int64_t whole = replicas(strategy), group = strategy.shard_group > 0 ? strategy.shard_group : whole;
  if (!is_routed(kind)) return Count{group};
  const std::int64_t gpus = group * strategy.tensor_parallel;
  return Count{std::max<std::int64_t>(1, gpus / (strategy.expert_parallel * expert_degree(strategy)))};
}

Count shard_of(Count elements, TensorKind kind, const Strategy& strategy) noexcept {
  return replica_part(elements, shard_count(kind, strategy));
}

bool has_shard_copies(const Strategy& strategy) noexcept { return strategy.shard_group > 0 && replicas(strategy) > strategy.shard_group; }

Count replica_part(Count elements, Count replicas) noexcept { return split(elements, replicas.value); }

Count secondary_shard_of(Count elements, const Strategy& strategy) noexcept {
  return strategy.secondary_group > 0 ? ceil_div(elements, Count{strategy.secondary_group}) : Count{0};
}

bool holds(const Stage& stage, TensorKind kind, bool tied_embeddings) noexcept {
  switch (kind) {
    case TensorKind::embedding: return stage.embeds() || (tied_embeddings && stage.has_head()) || stage.predicts(); // of the token before
    case TensorKind::positions: return stage.embeds();
    case TensorKind::final_norm:
    case TensorKind::head:
    case TensorKind::pooler:
    case TensorKind::prediction:
    case TensorKind::prediction_experts: return stage.has_head();
    default: return true;
  }
}

Count vocab_share(const Model& model, const Strategy& strategy) noexcept { return vocab_part(model.vocab_size, strategy, strategy.tensor_parallel); }

Bytes sent_in_all_reduce(Bytes whole, const Strategy& strategy) noexcept {
  const std::int64_t degree = strategy.tensor_parallel;
  return Bytes{split(Count{2 * (degree - 1)} * Count{whole.value}, degree).value};
}

Count work_share(Count whole, const LayerGroup& group, const Strategy& strategy) noexcept {
  if (const Count heads = group.attention.query_heads; heads > Count{0}) return split_by(heads, whole, strategy.tensor_parallel);
  return split(whole, strategy.tensor_parallel);
}

Count gpu_count(const Strategy& strategy) noexcept {
  const Count gpus = Count{strategy.tensor_parallel} * Count{strategy.pipeline_parallel} * Count{replicas(strategy)};
  return strategy.prefill_replicas > 0 ? gpus + prefill_gpus(strategy) : gpus;
}

bool has_replicas(const Strategy& strategy) noexcept { return replicas(strategy) > 1; }

} // namespace plimsoll
