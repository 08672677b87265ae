// Fused attention keeps queries, keys, values, its output and one number per head and query; see norms.cpp for the method.
#include "method/memory/activations/common.hpp"

namespace plimsoll::memory {

namespace {

constexpr Formula kAttention{[] { return FormulaText{
    .id = "memory.activations.attention",
    .label = "Attention",
    .unit = "bytes",
    .text = "layers * tokens * (element * (query + keys_values + outputs * output) + 4 * heads)",
    .citation = "flash_attention_2",
    .basis = Basis::published,
    .symbols = {{kLayers,
                 kTokens,
                 kElement,
                 {"query", "channels", "query heads × head size, of this GPU", "query_heads"},
                 {"keys_values", "channels", "key/value heads × head size, of this GPU: keys and values, and the joint projection that values are a view of", "kv_heads"},
                 {"outputs", "", "layouts in which the output is kept", "profile"},
                 {"output", "channels", "that attention gives to its output map", "query_heads"},
                 {"heads", "heads", "query heads of this GPU: one fp32 log-sum-exp each", "query_heads"}}}}; }};

// Latent attention keeps besides: the vectors that queries, keys and values are expanded from, before and after their norms, and
// the expanded keys before the rotary part is joined to them; expanded values are a view beside them. DeepSeek-V2, 2024
// (arXiv 2405.04434), section 2.1; Megatron-LM, megatron/core/transformer/multi_latent_attention.py.
constexpr Formula kLatent{[] { return FormulaText{
    .id = "memory.activations.latent",
    .label = "Latent vectors of attention",
    .unit = "bytes",
    .text = "layers * (tokens * (norm_bytes * normed + element * (read + rotary)) + inside * element * expanded)",
    .citation = "deepseek_v2",
    .basis = Basis::published,
    .symbols = {{kLayers,
                 kBetween,
                 {"norm_bytes", "bytes", "kept inside one norm for each channel", "profile"},
                 {"normed", "channels", "of the latent vectors of queries, and of keys and values", "kv_lora_rank"},
                 kElement,
                 {"read", "channels", "of them after their norms, kept by maps that train", "kv_lora_rank"},
                 {"rotary", "channels", "of the keys' rotary part", "qk_rope_head_dim"},
                 {"inside", "tokens", "of this GPU inside attention", "batch"},
                 {"expanded", "channels", "of keys without position, of this GPU", "query_heads"}}}}; }};

// Without a fused kernel every score's softmax is kept, for dropout on it a mask and the dropped softmax. Korthikanti et al. 2022
// (arXiv 2205.05198), section 4.1. Operation by operation, keys and values are repeated for all query heads first.
constexpr Formula kScores{[] { return FormulaText{
    .id = "memory.activations.attention",
    .label = "Attention, without a fused kernel",
    .unit = "bytes",
    .text = "layers * tokens * (element * (query + keys_values + output) + heads * context * bytes_per_score)",
    .citation = "attention_scores",
    .basis = Basis::published,
    .symbols = {{kLayers,
                 kTokens,
                 kElement,
                 {"query", "channels", "query heads × head size, of this GPU", "query_heads"},
                 {"keys_values", "channels", "of keys and values, repeated for all query heads where the code does", "kv_heads"},
                 {"output", "channels", "that attention gives to its output map, where that trains", "query_heads"},
                 {"heads", "heads", "query heads of this GPU", "query_heads"},
                 {"context", "tokens", "tokens per sequence: one score each", "context_tokens"},
                 {"bytes_per_score", "bytes", "softmax, and with dropout its mask and output", "profile"}}}}; }};

constexpr Formula kQkNorms{[] { return FormulaText{
    .id = "memory.activations.qk_norms",
    .label = "Query and key norms",
    .unit = "bytes",
    .text = "layers * tokens * qk_norm_bytes * (query + kv)",
    .citation = "saved_tensors",
    .basis = Basis::published,
    .symbols = {{kLayers,
                 kTokens,
                 {"qk_norm_bytes", "bytes", "kept for each channel", "profile"},
                 {"query", "channels", "query heads × head size, of this GPU", "query_heads"},
                 {"kv", "channels", "key/value heads × head size, of this GPU", "kv_heads"}}}}; }};

} // namespace

// Code that runs operation by operation computes the softmax in fp32 and casts it for the next operation; where it caps the scores, it
// keeps their tanh too. transformers, models/gemma2/modeling_gemma2.py, eager_attention_forward; LitGPT, litgpt/model.py.
Bytes score_bytes(const Scenario& scenario, const LayerGroup& group, AttentionKernel kernel) noexcept {
  const AttentionProfile& profile = scenario.profile.training.attention;
  const Bytes element = precision_bytes(scenario.strategy.precision).compute;
  const bool dropped = scenario.implementation.attention_dropout; // then the cast softmax is read by dropout alone, which keeps a mask
  const Bytes softmax = kernel == AttentionKernel::fused_softmax ? Bytes{profile.softmax_bytes.value}
                        : element == Bytes{4} || dropped         ? Bytes{4}
                                                                 : Bytes{4} + element;
  const Bytes capped = caps_by_hand(scenario, group) ? element : Bytes{0};
  return (dropped ? softmax + Bytes{profile.score_dropout_bytes.value} : softmax) + capped;
}

namespace {

Term saved_scores(const Scenario& scenario, const LayerGroup& group, Count layers, AttentionKernel kernel, LayerTensors counted) noexcept {
  const LayerShare share = layer_share(group, scenario.strategy);
  const bool kept = (counted & kScoreMatrix) != 0 && !reruns_scores(scenario.strategy);
  const Count tokens = tokens_inside(scenario, group), q = counting(counted, kQueriesKeysValues, share.query_width), heads = share.query_heads;
  const Count output = share.output_width; // the values, repeated
  const Count keys_values = counting(counted, kQueriesKeysValues, kernel == AttentionKernel::eager ? q + output : share.key_width + share.value_width);
  const Count read = counting(counted, kAttentionOutput, keeps_attention_output(scenario) ? output : Count{0}), context = scenario.model.sequence_of(group, Count{scenario.workload.context_tokens});
  const Bytes element = precision_bytes(scenario.strategy.precision).compute, each = kept ? score_bytes(scenario, group, kernel) : Bytes{0};
  return make_term(kScores, layers * (tokens * ((q + keys_values + read) * element + heads * (context * each))),
                   {layers.value, tokens.value, element.value, q.value, keys_values.value, read.value, heads.value, context.value,
                    each.value}, {.group = &group});
}

} // namespace

Term saved_attention(const Scenario& scenario, const LayerGroup& group, Count layers, LayerTensors counted) noexcept {
  const AttentionKernel kernel = attention_kernel(scenario, group);
  if (keeps_scores(kernel)) return saved_scores(scenario, group, layers, kernel, counted);
  const LayerShare share = layer_share(group, scenario.strategy);
  const Count tokens = tokens_inside(scenario, group), q = counting(counted, kQueriesKeysValues, share.query_width);
  const Bytes element = precision_bytes(scenario.strategy.precision).compute;
  // Sequences in one row are one sequence to the layout. Transformer Engine, qkv_format "thd".
  const AttentionProfile& profile = scenario.profile.training.attention;
  const bool several = scenario.workload.batch > 1 && scenario.workload.batching == Batching::padded;
  const bool copied = kernel == AttentionKernel::flash && (several || profile.copies_each_output);
  const Count outputs{counting(counted, kAttentionOutput, copied && keeps_attention_output(scenario) ? 1 + profile.output_copies.value : 1)};
  // Learned keys and values make queries fewer than keys: scaled_dot_product_attention then gets a mask, and keys and values repeated
  // for all query heads. transformers, integrations/sdpa_attention.py.
  const bool repeated = is_frozen(scenario) && scenario.tuning.method == TuningMethod::prefix;
  const Count output = share.output_width, heads = counting(counted, kAttentionOutput, share.query_heads);
  const Count keys_values = counting(counted, kQueriesKeysValues, repeated ? q + output : viewed_keys_values(scenario, share));
  const Bytes per_token = (q + keys_values + outputs * output) * element + heads * Bytes{4};
  return make_term(kAttention, layers * (tokens * per_token),
                   {layers.value, tokens.value, element.value, q.value, keys_values.value, outputs.value, output.value,
                    heads.value}, {.group = &group});
}

Term saved_vectors(const Scenario& scenario, const LayerGroup& group, Count layers, LayerTensors counted) noexcept {
  const LayerShare share = layer_share(group, scenario.strategy);
  const Count tokens = tokens_between(scenario, group), inside = tokens_inside(scenario, group);
  const Count vectors_width = share.query_vector + share.key_value_vector, normed = counting(counted, kLatentInputs, vectors_width);
  const Count rotary = counting(counted, kLatentInputs, share.shared_rotary), expanded = counting(counted, kExpandedKeys, share.expanded_keys);
  const Bytes element = precision_bytes(scenario.strategy.precision).compute;
  const Constant& norm = norm_constant(scenario, trained(scenario).norms);
  const Count read = counting(counted, kLatentOutputs, keeps_inputs(scenario) ? vectors_width : Count{0});
  const Bytes vectors = normed * Bytes{norm.value} + (read + rotary) * element;
  return make_term(kLatent, layers * (tokens * vectors + inside * (expanded * element)),
                   {layers.value, tokens.value, norm.value, normed.value, element.value, read.value, rotary.value, inside.value,
                    expanded.value}, {.group = &group, .provenance = &norm});
}

Term saved_qk_norms(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept {
  const LayerShare share = layer_share(group, scenario.strategy);
  const Count tokens = tokens_inside(scenario, group), q = share.query_width, kv = share.key_width;
  const NormProfile& profile = scenario.profile.training.norms;
  const bool in_fp32 = scenario.strategy.precision == Precision::fp32 || scenario.model.norm == NormKind::rmsnorm_zero_centered;
  const bool trains = trained(scenario).norms;
  const Constant& kept = in_fp32 ? (trains ? profile.qk_norm_bytes_fp32 : profile.qk_norm_frozen_fp32)
                                 : (trains ? profile.qk_norm_bytes : profile.qk_norm_frozen);
  return make_term(kQkNorms, layers * (tokens * (Count{kept.value} * (q + kv) * Bytes{1})),
                   {layers.value, tokens.value, kept.value, q.value, kv.value}, {.group = &group, .provenance = &kept});
}

} // namespace plimsoll::memory
