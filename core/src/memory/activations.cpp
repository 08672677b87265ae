// Which tensors autograd saves, operation by operation: a linear map keeps its input, a norm its input (and, in eager
// RMSNorm code, an fp32 copy and the normalised values), flash attention q, k, v, its output and the log-sum-exp, a gated
// MLP gate, activation, up and product. Generalises Korthikanti et al. 2022 (arXiv 2205.05198), table 2, to grouped-query
// attention and to the code that runs today; the bytes per channel are the profile's.
#include "memory/activations.hpp"

#include "memory/states.hpp"
#include "term.hpp"

namespace plimsoll::memory {

namespace {

constexpr SymbolText kLayers{"layers", "layers", "layers of this kind that keep them", "layers"};
constexpr SymbolText kTokens{"tokens", "tokens", "sequences per micro-batch × tokens per sequence", "batch"};
constexpr SymbolText kHidden{"hidden", "channels", "width of the model", "hidden_size"};
constexpr SymbolText kElement{"element", "bytes", "size of one activation", "regime"};

constexpr Formula kNorms{
    .id = "memory.activations.norms",
    .label = "Norms and their outputs",
    .unit = "bytes",
    .text = "layers * tokens * (norms * (norm_bytes * hidden + statistics) + reads * element * hidden)",
    .citation = "saved_tensors",
    .basis = Basis::published,
    .symbols = {{kLayers,
                 kTokens,
                 {"norms", "", "norms per layer", "norms_per_layer"},
                 {"norm_bytes", "bytes", "kept inside one norm for each channel", "profile"},
                 kHidden,
                 {"statistics", "bytes", "kept per token: 4 for RMSNorm, 8 for LayerNorm", "norm"},
                 {"reads", "", "copies of the norm outputs that the linear maps keep", "regime"},
                 kElement}}};

constexpr Formula kAttention{
    .id = "memory.activations.attention",
    .label = "Attention",
    .unit = "bytes",
    .text = "layers * tokens * (element * (2 * query + 2 * kv) + 4 * heads)",
    .citation = "flash_attention_2",
    .basis = Basis::published,
    .symbols = {{kLayers,
                 kTokens,
                 kElement,
                 {"query", "channels", "query heads × head size, of this GPU: queries and output", "query_heads"},
                 {"kv", "channels", "key/value heads × head size, of this GPU: keys and values", "kv_heads"},
                 {"heads", "heads", "query heads of this GPU: one fp32 log-sum-exp each", "query_heads"}}}};

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

// When attention goes backward, its layer's MLP is done and has let go of what it kept.
constexpr Formula kPlainBackward{
    .id = "memory.activations.backward",
    .label = "Temporaries of one layer's backward",
    .unit = "bytes",
    .text = "tokens * (max(mlp_elements * element * channels, 12 * heads * context - freed) + residual * hidden)",
    .citation = "measured_h200",
    .basis = Basis::measured,
    .symbols = {{kTokens,
                 {"mlp_elements", "", "gradients of that width alive at once in the MLP", "profile"},
                 kElement,
                 {"channels", "channels", "intermediate channels of this GPU", "intermediate_size"},
                 {"heads", "heads", "query heads of this GPU", "query_heads"},
                 {"context", "tokens", "tokens per sequence: three fp32 tensors of softmax size", "context_tokens"},
                 {"freed", "bytes", "kept per token by MLP, its norm and the output projection, free by then", ""},
                 {"residual", "bytes", "size of one number of the gradient that flows back", "regime"},
                 kHidden}}};

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

constexpr Formula kPlainMlp{
    .id = "memory.activations.mlp",
    .label = "MLP, activation written out in Python",
    .unit = "bytes",
    .text = "layers * tokens * bytes_per_channel * channels",
    .citation = "measured_h200",
    .basis = Basis::measured,
    .symbols = {{kLayers,
                 kTokens,
                 {"bytes_per_channel", "bytes", "kept by the operations that the activation is made of", "activation"},
                 {"channels", "channels", "intermediate channels of this GPU", "intermediate_size"}}}};

constexpr Formula kHeadGradient{
    .id = "memory.activations.head_gradient",
    .label = "Gradient of the head's input",
    .unit = "bytes",
    .text = "tokens * hidden * element",
    .citation = "measured_h200",
    .basis = Basis::measured,
    .symbols = {{kTokens, kHidden, kElement}}};

constexpr Formula kMlp{
    .id = "memory.activations.mlp",
    .label = "MLP",
    .unit = "bytes",
    .text = "layers * tokens * mlp_elements * element * channels",
    .citation = "saved_tensors",
    .basis = Basis::published,
    .symbols = {{kLayers,
                 kTokens,
                 {"mlp_elements", "", "tensors of that width kept: gate, activation, up and product when gated and not fused",
                  "profile"},
                 kElement,
                 {"channels", "channels", "intermediate channels of this GPU", "intermediate_size"}}}};

constexpr Formula kCheckpoints{
    .id = "memory.activations.checkpoints",
    .label = "Layer inputs kept",
    .unit = "bytes",
    .text = "layers * tokens * hidden * residual",
    .citation = "checkpointing",
    .basis = Basis::published,
    .symbols = {{kLayers, kTokens, kHidden, {"residual", "bytes", "size of one number of the residual stream", "regime"}}}};

constexpr Formula kHead{
    .id = "memory.activations.head",
    .label = "Final norm and head input",
    .unit = "bytes",
    .text = "tokens * (norm_bytes * hidden + statistics + element * hidden)",
    .citation = "saved_tensors",
    .basis = Basis::published,
    .symbols = {{kTokens,
                 {"norm_bytes", "bytes", "kept inside one norm for each channel", "profile"},
                 kHidden,
                 {"statistics", "bytes", "kept per token: 4 for RMSNorm, 8 for LayerNorm", "norm"},
                 kElement}}};

constexpr Formula kBackward{
    .id = "memory.activations.backward",
    .label = "Temporaries of one layer's backward",
    .unit = "bytes",
    .text = "tokens * (max(mlp_elements * element * channels, element * (query + 2 * kv) + 4 * query + 4 * heads) "
            "+ residual * hidden)",
    .citation = "flash_attention_2",
    .basis = Basis::published,
    .symbols = {{kTokens,
                 {"mlp_elements", "", "gradients of that width alive at once in the MLP", "profile"},
                 kElement,
                 {"channels", "channels", "intermediate channels of this GPU", "intermediate_size"},
                 {"query", "channels", "query heads × head size, of this GPU: its gradient, and an fp32 accumulator", "query_heads"},
                 {"kv", "channels", "key/value heads × head size, of this GPU", "kv_heads"},
                 {"heads", "heads", "query heads of this GPU", "query_heads"},
                 {"hidden", "channels", "width of the model: the gradient that flows back", "hidden_size"},
                 {"residual", "bytes", "size of one number of that gradient", "regime"}}}};

bool is_rmsnorm(const Model& model) noexcept {
  return model.norm == NormKind::rmsnorm || model.norm == NormKind::rmsnorm_zero_centered;
}

/// What one norm keeps. Native LayerNorm saves its input; eager RMSNorm code casts to fp32 first and saves that copy.
const Constant& norm_constant(const Scenario& scenario) noexcept {
  const TrainingProfile& profile = scenario.profile.training;
  const bool fp32_stream = regime_bytes(scenario.strategy.regime).residual == Bytes{4};
  if (scenario.model.norm == NormKind::rmsnorm_zero_centered) return profile.rmsnorm_bytes_fp32; // computes in fp32 always
  if (scenario.model.norm == NormKind::rmsnorm) return fp32_stream ? profile.rmsnorm_bytes_fp32 : profile.rmsnorm_bytes;
  return fp32_stream ? profile.layernorm_bytes_fp32 : profile.layernorm_bytes;
}

/// Whether attention runs without a fused kernel: PyTorch has none for grouped queries in fp32.
bool plain_attention(const Scenario& scenario, const LayerGroup& group) noexcept {
  return scenario.strategy.regime == Regime::fp32 && group.attention.kv_heads < group.attention.query_heads;
}

/// Root mean square, or mean and deviation, of each token in fp32.
Bytes norm_statistics(const Model& model) noexcept { return Bytes{is_rmsnorm(model) ? 4 : 8}; }

bool gated(const LayerGroup& group) noexcept { return group.mlp.kind == MlpKind::gated; }

/// How many hidden-sized tensors the linear maps keep as their inputs. Without autocast all readers of a norm share its output;
/// autocast casts the fp32 output anew for each linear map (query, key, value; gate, up, or the fused ones), and each keeps it.
Count norm_reads(const Scenario& scenario, const LayerGroup& group) noexcept {
  if (scenario.strategy.regime == Regime::mixed_bf16) return Count{group.fused_projections ? 2 : gated(group) ? 5 : 4};
  return Count{group.parallel ? 1 : 2};
}

} // namespace

Count micro_batch_tokens(const Workload& workload) noexcept { return Count{workload.batch} * Count{workload.context_tokens}; }

Term saved_norms(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept {
  const Count tokens = micro_batch_tokens(scenario.workload), h = scenario.model.hidden_size;
  const Constant& kept = norm_constant(scenario);
  const Bytes statistics = norm_statistics(scenario.model), element = regime_bytes(scenario.strategy.regime).compute;
  const Count reads = norm_reads(scenario, group);
  const Bytes per_token = group.norms * (h * Bytes{kept.value} + statistics) + reads * (h * element);
  return in_group(sourced(make_term(kNorms, layers * (tokens * per_token),
                                   {layers.value, tokens.value, group.norms.value, kept.value, h.value, statistics.value,
                                    reads.value, element.value}),
                         kept),
                 group);
}

Term saved_attention(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept {
  const LayerShare share = layer_share(group, scenario.strategy);
  const Count tokens = micro_batch_tokens(scenario.workload), q = share.query_width, kv = share.kv_width;
  const Bytes element = regime_bytes(scenario.strategy.regime).compute;
  if (plain_attention(scenario, group)) {
    const Count context{scenario.workload.context_tokens}, heads = share.query_heads;
    return in_group(make_term(kPlainAttention, layers * (tokens * ((heads * context + Count{4} * q) * element)),
                              {layers.value, tokens.value, element.value, heads.value, context.value, q.value}),
                    group);
  }
  const Bytes per_token = (Count{2} * q + Count{2} * kv) * element + share.query_heads * Bytes{4};
  return in_group(make_term(kAttention, layers * (tokens * per_token),
                           {layers.value, tokens.value, element.value, q.value, kv.value, share.query_heads.value}),
                 group);
}

Term saved_qk_norms(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept {
  const LayerShare share = layer_share(group, scenario.strategy);
  const Count tokens = micro_batch_tokens(scenario.workload), q = share.query_width, kv = share.kv_width;
  const TrainingProfile& profile = scenario.profile.training;
  const bool in_fp32 = scenario.strategy.regime == Regime::fp32 || scenario.model.norm == NormKind::rmsnorm_zero_centered;
  const Constant& kept = in_fp32 ? profile.qk_norm_bytes_fp32 : profile.qk_norm_bytes;
  return in_group(sourced(make_term(kQkNorms, layers * (tokens * (Count{kept.value} * (q + kv) * Bytes{1})),
                                   {layers.value, tokens.value, kept.value, q.value, kv.value}),
                         kept),
                 group);
}

Term saved_mlp(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept {
  const TrainingProfile& profile = scenario.profile.training;
  const Constant& kept = gated(group) ? profile.mlp_gated_saved : profile.mlp_plain_saved;
  const Count tokens = micro_batch_tokens(scenario.workload), f = layer_share(group, scenario.strategy).intermediate;
  const Bytes element = regime_bytes(scenario.strategy.regime).compute;
  if (group.mlp.activation == Activation::gelu_new) {
    const Constant& bytes = scenario.strategy.regime == Regime::mixed_bf16 ? profile.mlp_gelu_new_bytes_mixed
                            : scenario.strategy.regime == Regime::fp32     ? profile.mlp_gelu_new_bytes_fp32
                                                                           : profile.mlp_gelu_new_bytes;
    return in_group(sourced(make_term(kPlainMlp, layers * (tokens * (f * Bytes{bytes.value})),
                                      {layers.value, tokens.value, bytes.value, f.value}),
                            bytes),
                    group);
  }
  return in_group(sourced(make_term(kMlp, layers * (tokens * (Count{kept.value} * (f * element))),
                                   {layers.value, tokens.value, kept.value, element.value, f.value}),
                         kept),
                 group);
}

bool norm_keeps_its_input(const Scenario& scenario) noexcept {
  const bool fp32_stream = regime_bytes(scenario.strategy.regime).residual == Bytes{4};
  return fp32_stream || !is_rmsnorm(scenario.model); // RMSNorm code keeps an fp32 copy of a bf16 input
}

Term checkpoints(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept {
  const Count tokens = micro_batch_tokens(scenario.workload), h = scenario.model.hidden_size;
  const Bytes residual = regime_bytes(scenario.strategy.regime).residual;
  return in_group(make_term(kCheckpoints, layers * (tokens * (h * residual)), {layers.value, tokens.value, h.value, residual.value}),
                 group);
}

Term saved_head(const Scenario& scenario) noexcept {
  const Count tokens = micro_batch_tokens(scenario.workload), h = scenario.model.hidden_size;
  const Constant& kept = norm_constant(scenario);
  const Bytes statistics = norm_statistics(scenario.model), element = regime_bytes(scenario.strategy.regime).compute;
  return sourced(make_term(kHead, tokens * (h * Bytes{kept.value} + statistics + h * element),
                           {tokens.value, kept.value, h.value, statistics.value, element.value}),
                 kept);
}

Term head_gradient(const Scenario& scenario) noexcept {
  const Count tokens = micro_batch_tokens(scenario.workload), h = scenario.model.hidden_size;
  const Bytes element = regime_bytes(scenario.strategy.regime).compute;
  return make_term(kHeadGradient, tokens * (h * element), {tokens.value, h.value, element.value});
}

Term backward_temporaries(const Scenario& scenario, const LayerGroup& group) noexcept {
  const TrainingProfile& profile = scenario.profile.training;
  const Constant& alive = gated(group) ? profile.mlp_gated_backward : profile.mlp_plain_backward;
  const LayerShare share = layer_share(group, scenario.strategy);
  const Count tokens = micro_batch_tokens(scenario.workload), h = scenario.model.hidden_size;
  const Count q = share.query_width, kv = share.kv_width, f = share.intermediate;
  const Bytes element = regime_bytes(scenario.strategy.regime).compute;
  const Bytes residual = regime_bytes(scenario.strategy.regime).residual;
  const Bytes mlp = Count{alive.value} * (f * element);
  if (plain_attention(scenario, group)) {
    const Constant& norm = norm_constant(scenario);
    const Constant& kept = gated(group) ? profile.mlp_gated_saved : profile.mlp_plain_saved;
    const Count context{scenario.workload.context_tokens}, heads = share.query_heads;
    const Bytes freed = Count{kept.value} * (f * element) + h * Bytes{norm.value} + norm_statistics(scenario.model) + (h + q) * element;
    const Bytes softmax = Count{12} * (heads * (context * Bytes{1})) - freed;
    return make_term(kPlainBackward, tokens * (max(mlp, softmax) + h * residual),
                     {tokens.value, alive.value, element.value, f.value, heads.value, context.value, freed.value, residual.value, h.value});
  }
  const Bytes attention = (q + Count{2} * kv) * element + q * Bytes{4} + share.query_heads * Bytes{4};
  return sourced(make_term(kBackward, tokens * (max(mlp, attention) + h * residual),
                           {tokens.value, alive.value, element.value, f.value, q.value, kv.value, share.query_heads.value, h.value,
                            residual.value}),
                 alive);
}

} // namespace plimsoll::memory
