// What exists only while a layer, or the head, goes backward.
#include "method/memory/activations/common.hpp"

namespace plimsoll::memory {

namespace {

constexpr Formula kBackward{[] { return FormulaText{
    .id = "memory.activations.backward",
    .label = "Temporaries of one layer's backward",
    .unit = "bytes",
    .text = "tokens * (max(mlp_elements * element * channels, element * (query + keys_values) + 4 * query + 4 * heads) "
            "+ residual * hidden)",
    .citation = "flash_attention_2",
    .basis = Basis::published,
    .symbols = {{kTokens,
                 {"mlp_elements", "", "gradients of that width alive at once in the MLP", "profile"},
                 kElement,
                 {"channels", "channels", "intermediate channels that a token meets on this GPU", "intermediate_size"},
                 {"query", "channels", "query heads × head size, of this GPU: its gradient, and an fp32 accumulator", "query_heads"},
                 {"keys_values", "channels", "key/value heads × head size, of this GPU: keys and values", "kv_heads"},
                 {"heads", "heads", "query heads of this GPU", "query_heads"},
                 {"hidden", "channels", "width of the model: the gradient that flows back", "hidden_size"},
                 {"residual", "bytes", "size of one number of that gradient", "precision"}}}}; }};

// When attention goes backward, its layer's MLP is done and has let go of what it kept.
constexpr Formula kPlainBackward{[] { return FormulaText{
    .id = "memory.activations.backward",
    .label = "Temporaries of one layer's backward",
    .unit = "bytes",
    .text = "tokens * (max(mlp_elements * element * channels, scores * heads * context - freed) + residual * hidden)",
    .citation = "measured_h200",
    .basis = Basis::measured,
    .symbols = {{kTokens,
                 {"mlp_elements", "", "gradients of that width alive at once in the MLP", "profile"},
                 kElement,
                 {"channels", "channels", "intermediate channels that a token meets on this GPU", "intermediate_size"},
                 {"heads", "heads", "query heads of this GPU", "query_heads"},
                 {"context", "tokens", "tokens per sequence", "context_tokens"},
                 {"scores", "bytes", "per score: three tensors of softmax size", "precision"},
                 {"freed", "bytes", "kept per token by MLP, its norm and the output projection, free by then", ""},
                 {"residual", "bytes", "size of one number of the gradient that flows back", "precision"},
                 kHidden}}}; }};

// torchao saves what it multiplies in 16 bits and casts it for each multiplication: input, gradient of the output, weights.
// pytorch/ao, torchao/float8/float8_linear.py, matmul_with_hp_or_float8_args.
constexpr Formula kFp8Casts{[] { return FormulaText{
    .id = "memory.activations.fp8_casts",
    .label = "fp8 casts of one multiplication",
    .unit = "bytes",
    .text = "tokens * (channels + hidden) + channels * hidden",
    .citation = "torchao_float8",
    .basis = Basis::published,
    .symbols = {{kTokens, {"channels", "channels", "of the widest map inside a layer, of this GPU: one byte each", "intermediate_size"}, kHidden}}}; }};

constexpr Formula kHeadGradient{[] { return FormulaText{
    .id = "memory.activations.head_gradient",
    .label = "Gradient of the head's input",
    .unit = "bytes",
    .text = "tokens * hidden * element",
    .citation = "measured_h200",
    .basis = Basis::measured,
    .symbols = {{kTokens, kHidden, kElement}}}; }};

} // namespace

Term head_gradient(const Scenario& scenario) noexcept {
  const Count tokens = tokens_inside(scenario), h = scenario.model.hidden_size;
  const Bytes element = precision_bytes(scenario.strategy.precision).compute;
  return make_term(kHeadGradient, tokens * (h * element), {tokens.value, h.value, element.value});
}

Term fp8_casts(const Scenario& scenario, const LayerGroup& group) noexcept {
  const LayerShare share = layer_share(group, scenario.strategy);
  const Count tokens = tokens_inside(scenario, group), h = scenario.model.hidden_size;
  const Count f = max(max(share.intermediate, share.shared), max(share.query_width, share.recurrent_projected));
  return make_term(kFp8Casts, (tokens * (f + h) + f * h) * Bytes{1}, {tokens.value, f.value, h.value});
}

Term backward_temporaries(const Scenario& scenario, const LayerGroup& group) noexcept {
  const TrainingProfile& profile = scenario.profile.training;
  const Constant& alive = gated(group) ? profile.mlp.gated_backward : profile.mlp.plain_backward;
  const LayerShare share = layer_share(group, scenario.strategy);
  const Count tokens = tokens_inside(scenario, group), h = scenario.model.hidden_size;
  const Count q = share.query_width, keys_values = kept_keys_values(scenario, share);
  const Count f = share.intermediate + group.moe.per_token * share.expert + share.shared;
  const Bytes element = precision_bytes(scenario.strategy.precision).compute;
  const Bytes residual = precision_bytes(scenario.strategy.precision).residual;
  const Bytes mlp = Count{alive.value} * (f * element);
  if (keeps_scores(attention_kernel(scenario, group))) {
    const Constant& norm = norm_constant(scenario, trained(scenario).norms);
    const Count unread{keeps_inputs(scenario) ? 0 : 1};
    const Constant& kept = gated(group) ? profile.mlp.gated_saved : profile.mlp.plain_saved;
    const Count context = scenario.model.sequence_of(group, Count{scenario.workload.context_tokens}), heads = share.query_heads;
    const Bytes freed = (Count{kept.value} - unread) * (f * element) + h * Bytes{norm.value} + norm_statistics(scenario.model) +
                        (Count{1} - unread) * ((h + q) * element);
    const Bytes scores = Count{3} * element, softmax = heads * (context * scores) - freed;
    return make_term(kPlainBackward, tokens * (max(mlp, softmax) + h * residual),
                     {tokens.value, alive.value, element.value, f.value, heads.value, context.value, scores.value, freed.value, residual.value, h.value});
  }
  const Bytes attention = (q + keys_values) * element + q * Bytes{4} + share.query_heads * Bytes{4};
  return make_term(kBackward, tokens * (max(mlp, attention) + h * residual),
                   {tokens.value, alive.value, element.value, f.value, q.value, keys_values.value, share.query_heads.value, h.value,
                    residual.value}, {.provenance = &alive});
}

} // namespace plimsoll::memory
