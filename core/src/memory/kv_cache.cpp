// Keys and values of every token a sequence can still attend to, kept in pages of a fixed number of tokens.
// Kwon et al., PagedAttention, 2023 (arXiv 2309.06180); Ainslie et al., grouped-query attention, 2023 (arXiv 2305.13245).
#include "memory/serving.hpp"
#include "plimsoll/sharding.hpp"
#include "term.hpp"

namespace plimsoll::memory {

namespace {

constexpr SymbolText kLayers{"layers", "layers", "layers of this kind", "layers"};
constexpr SymbolText kCached{"cached", "channels", "of one token on this GPU: keys and values of its heads, or the latent vector they are expanded from", "kv_heads"};
constexpr SymbolText kElement{"element", "bytes", "size of one number of the cache", "kv_dtype"};

constexpr Formula kCache{
    .id = "memory.kv_cache.tokens",
    .label = "KV cache",
    .unit = "bytes",
    .text = "layers * sequences * (ceil_div(tokens, page) + spare_pages) * page * cached * element",
    .citation = "paged_attention",
    .basis = Basis::published,
    .symbols = {{kLayers,
                 {"sequences", "sequences", "held at once", "batch"},
                 {"tokens", "tokens", "kept per sequence: the context, or what a window and one prefill pass need",
                  "context_tokens"},
                 {"page", "tokens", "per page of the cache", "profile"},
                 {"spare_pages", "pages", "1 for a window, which seldom starts at a page's edge", "sliding_window"},
                 kCached,
                 kElement}}};

// Gu and Dao 2023 (arXiv 2312.00752): the state of a recurrence has one size, whatever the length. vLLM, MambaSpec.
constexpr Formula kState{
    .id = "memory.kv_cache.state",
    .label = "Recurrent state",
    .unit = "bytes",
    .text = "layers * sequences * (taps * element + state * state_bytes)",
    .citation = "vllm_mamba_spec",
    .basis = Basis::published,
    .symbols = {{kLayers,
                 {"sequences", "sequences", "held at once", "batch"},
                 {"taps", "numbers", "that the causal convolution of this GPU's channels remembers", "conv_kernel"},
                 kElement,
                 {"state", "numbers", "of recurrent state on this GPU", "ssm_state_size"},
                 {"state_bytes", "bytes", "size of one number of state: fp32", ""}}}};

constexpr Formula kPerToken{.id = "fact.kv_cache_per_token",
                            .label = "KV cache per token",
                            .unit = "bytes",
                            .text = "layers * cached * element",
                            .citation = "gqa",
                            .basis = Basis::counted,
                            .symbols = {{kLayers, kCached, kElement}}};

} // namespace

namespace {

/// Tokens of one sequence that a layer keeps, and the pages it needs beyond those they fill.
struct Kept {
  Count tokens, spare_pages;
};

Kept kept_by(const Attention& attention, const Workload& work) noexcept {
  const Count context{work.context_tokens}, pass{work.prefill_tokens};
  switch (attention.reach) {
    // A window layer must hold the window before the first token of a prefill pass, and the pass itself.
    case Reach::sliding: return {min(attention.window - Count{1} + pass, context), Count{1}};
    case Reach::chunked: return {min(attention.window + pass, context), Count{1}};
    case Reach::full: break;
  }
  return {ceil_div(context, attention.compression), Count{0}};
}

Term cache(const Scenario& scenario, const LayerGroup& group, Kept kept, Count cached) noexcept {
  const Constant& page_tokens = scenario.profile.inference.kv_block_tokens;
  const Count page{page_tokens.value}, sequences{scenario.workload.batch};
  const Bytes element = bytes_per_element(scenario.strategy.kv_dtype);
  const Count tokens = (ceil_div(kept.tokens, page) + kept.spare_pages) * page;
  return in_group(sourced(make_term(kCache, group.layers * (sequences * (tokens * (cached * element))),
                                    {group.layers.value, sequences.value, kept.tokens.value, page.value, kept.spare_pages.value,
                                     cached.value, element.value}),
                          page_tokens),
                  group);
}

} // namespace

Term kv_cache(const Scenario& scenario, const LayerGroup& group) noexcept {
  return cache(scenario, group, kept_by(group.attention, scenario.workload), layer_share(group, scenario.strategy).cached_width);
}

Term cross_kv_cache(const Scenario& scenario, const LayerGroup& group) noexcept {
  Term term = cache(scenario, group, {Count{scenario.workload.context_tokens}, Count{0}}, cross_cached_width(group, scenario.strategy));
  term.variant = "cross";
  return term;
}

Term recurrent_state(const Scenario& scenario, const LayerGroup& group) noexcept {
  const LayerShare share = layer_share(group, scenario.strategy);
  const Count sequences{scenario.workload.batch};
  const Bytes element = bytes_per_element(scenario.strategy.kv_dtype), state_bytes{4};
  return in_group(make_term(kState,
                            group.layers * (sequences * (share.conv_state * element + share.recurrent_state * state_bytes)),
                            {group.layers.value, sequences.value, share.conv_state.value, element.value, share.recurrent_state.value,
                             state_bytes.value}),
                  group);
}

Term kv_cache_per_token(const Scenario& scenario, const LayerGroup& group) noexcept {
  const Count cached = layer_share(group, scenario.strategy).cached_width;
  const Bytes element = bytes_per_element(scenario.strategy.kv_dtype);
  return in_group(make_term(kPerToken, group.layers * (cached * element), {group.layers.value, cached.value, element.value}), group);
}

} // namespace plimsoll::memory
