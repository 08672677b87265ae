// A decoder's attention to the encoder: queries of its own tokens, keys and values of the encoder's, which may be fewer or more. With a
// fused kernel the set is that of self-attention (attention.cpp); without one the softmax of every pair is kept.
#include "method/memory/activations/common.hpp"

namespace plimsoll::memory {

namespace {

constexpr Formula kCross{[] { return FormulaText{
    .id = "memory.activations.cross_attention",
    .label = "Attention to the encoder",
    .unit = "bytes",
    .text = "layers * (tokens * (element * (query + output) + 4 * heads + heads * context * bytes_per_score) + seen * element * keys_values)",
    .citation = "flash_attention_2",
    .basis = Basis::published,
    .symbols = {{kLayers,
                 kTokens,
                 kElement,
                 {"query", "channels", "query heads × head size, of this GPU", "query_heads"},
                 {"keys_values", "channels", "keys and values of one token of the encoder, of this GPU", "kv_heads"},
                 {"output", "channels", "that attention gives to its output map", "query_heads"},
                 {"heads", "heads", "query heads of this GPU: one fp32 log-sum-exp each", "query_heads"},
                 {"context", "tokens", "of the encoder: one score each", "context_tokens"},
                 {"bytes_per_score", "bytes", "kept of every score: none by a fused kernel", "profile"},
                 {"seen", "tokens", "of the encoder, of all sequences of a micro-batch", "batch"}}}}; }};

} // namespace

Term saved_cross_attention(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept {
  const CrossShare share = cross_share(group, scenario.strategy);
  const AttentionKernel kernel = attention_kernel(scenario, group);
  const Count tokens = tokens_inside(scenario), own{scenario.workload.context_tokens}, context = scenario.model.encoder_sequence(own);
  const Count seen = context == own ? tokens : Count{scenario.workload.batch} * context;
  const Bytes element = precision_bytes(scenario.strategy.precision).compute;
  const bool recomputed = reruns_scores(scenario.strategy);
  const Bytes score = keeps_scores(kernel) && !recomputed ? score_bytes(scenario, group, kernel) : Bytes{0};
  const Bytes per_token = (share.query_width + share.output_width) * element + share.heads * Bytes{4} + share.heads * (context * score);
  return make_term(kCross, layers * (tokens * per_token + seen * (share.keys_values * element)),
                   {layers.value, tokens.value, element.value, share.query_width.value, share.keys_values.value,
                    share.output_width.value, share.heads.value, context.value, score.value, seen.value}, {.group = &group});
}

} // namespace plimsoll::memory
