// Fused attention keeps queries, keys, values, its output and one number per head and query; see norms.cpp for the method.
#include "memory/activations/common.hpp"

namespace plimsoll::memory {

namespace {

constexpr Formula kAttention{
    .id = "memory.activations.attention",
    .label = "Attention",
    .unit = "bytes",
    .text = "layers * tokens * (element * (query + keys_values + output) + 4 * heads)",
    .citation = "flash_attention_2",
    .basis = Basis::published,
    .symbols = {{kLayers,
                 kTokens,
                 kElement,
                 {"query", "channels", "query heads × head size, of this GPU", "query_heads"},
                 {"keys_values", "channels", "key/value heads × head size, of this GPU: keys and values", "kv_heads"},
                 {"output", "channels", "that attention gives to its output map", "query_heads"},
                 {"heads", "heads", "query heads of this GPU: one fp32 log-sum-exp each", "query_heads"}}}};

// Latent attention keeps besides: the vectors that queries, keys and values are expanded from, their norms, and the expanded
// queries and keys before the rotary parts are joined to them. DeepSeek-V2, 2024 (arXiv 2405.04434), section 2.1.
constexpr Formula kLatent{
    .id = "memory.activations.latent",
    .label = "Latent vectors of attention",
    .unit = "bytes",
    .text = "layers * tokens * (element * (2 * latent + query + keys_values) + norm_bytes * latent)",
    .citation = "deepseek_v2",
    .basis = Basis::assumed,
    .symbols = {{kLayers,
                 kTokens,
                 kElement,
                 {"latent", "channels", "of the latent vectors, before and after their norms", "kv_lora_rank"},
                 {"query", "channels", "query heads × head size, of this GPU", "query_heads"},
                 {"keys_values", "channels", "expanded keys and values of this GPU", "query_heads"},
                 {"norm_bytes", "bytes", "kept inside one norm for each channel", "profile"}}}};

// Scaled-dot-product attention has no fused kernel for grouped queries in fp32: PyTorch's plain one keeps the softmax, and
// queries, repeated keys and values, and the copy of the output at full width.
constexpr Formula kPlainAttention{
    .id = "memory.activations.attention",
    .label = "Attention, without a fused kernel",
    .unit = "bytes",
    .text = "layers * tokens * element * (heads * context + 4 * query)",
    .citation = "measured_h200",
    .basis = Basis::measured,
    .symbols = {{kLayers,
                 kTokens,
                 kElement,
                 {"heads", "heads", "query heads of this GPU", "query_heads"},
                 {"context", "tokens", "tokens per sequence: one softmax row each", "context_tokens"},
                 {"query", "channels", "query heads × head size, of this GPU: queries, repeated keys and values, output", "query_heads"}}}};

constexpr Formula kQkNorms{
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
                 {"kv", "channels", "key/value heads × head size, of this GPU", "kv_heads"}}}};

} // namespace

Term saved_attention(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept {
  const LayerShare share = layer_share(group, scenario.strategy);
  const Count tokens = micro_batch_tokens(scenario.workload), q = share.query_width;
  const Bytes element = regime_bytes(scenario.strategy.regime).compute;
  if (plain_attention(scenario, group)) {
    const Count context{scenario.workload.context_tokens}, heads = share.query_heads;
    return in_group(make_term(kPlainAttention, layers * (tokens * ((heads * context + Count{4} * q) * element)),
                              {layers.value, tokens.value, element.value, heads.value, context.value, q.value}),
                    group);
  }
  const Count keys_values = share.key_width + share.value_width, output = share.output_width;
  const Bytes per_token = (q + keys_values + output) * element + share.query_heads * Bytes{4};
  return in_group(make_term(kAttention, layers * (tokens * per_token),
                           {layers.value, tokens.value, element.value, q.value, keys_values.value, output.value, share.query_heads.value}),
                 group);
}

Term saved_latent(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept {
  const LayerShare share = layer_share(group, scenario.strategy);
  const Count tokens = micro_batch_tokens(scenario.workload), latent = share.latent_width;
  const Count q = share.query_width, keys_values = share.key_width + share.value_width;
  const Bytes element = regime_bytes(scenario.strategy.regime).compute;
  const Constant& norm = norm_constant(scenario);
  const Bytes per_token = (Count{2} * latent + q + keys_values) * element + latent * Bytes{norm.value};
  return in_group(make_term(kLatent, layers * (tokens * per_token),
                            {layers.value, tokens.value, element.value, latent.value, q.value, keys_values.value, norm.value}),
                  group);
}

Term saved_qk_norms(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept {
  const LayerShare share = layer_share(group, scenario.strategy);
  const Count tokens = micro_batch_tokens(scenario.workload), q = share.query_width, kv = share.key_width;
  const TrainingProfile& profile = scenario.profile.training;
  const bool in_fp32 = scenario.strategy.regime == Regime::fp32 || scenario.model.norm == NormKind::rmsnorm_zero_centered;
  const Constant& kept = in_fp32 ? profile.qk_norm_bytes_fp32 : profile.qk_norm_bytes;
  return in_group(sourced(make_term(kQkNorms, layers * (tokens * (Count{kept.value} * (q + kv) * Bytes{1})),
                                   {layers.value, tokens.value, kept.value, q.value, kv.value}),
                         kept),
                 group);
}

} // namespace plimsoll::memory
