// Keys and values of every token a sequence can still attend to, kept in pages of a fixed number of tokens.
// Kwon et al., PagedAttention, 2023 (arXiv 2309.06180); Ainslie et al., grouped-query attention, 2023 (arXiv 2305.13245).
#include "memory/serving.hpp"
#include "plimsoll/sharding.hpp"
#include "term.hpp"

namespace plimsoll::memory {

namespace {

constexpr SymbolText kLayers{"layers", "layers", "layers of this kind", "layers"};
constexpr SymbolText kKv{"kv", "channels", "key/value heads × head size, of this GPU", "kv_heads"};
constexpr SymbolText kElement{"element", "bytes", "size of one number of the cache", "kv_dtype"};

constexpr Formula kCache{
    .id = "memory.kv_cache",
    .label = "KV cache",
    .unit = "bytes",
    .text = "layers * sequences * (ceil_div(tokens, page) + spare_pages) * page * 2 * kv * element",
    .citation = "paged_attention",
    .basis = Basis::published,
    .symbols = {{kLayers,
                 {"sequences", "sequences", "held at once", "batch"},
                 {"tokens", "tokens", "kept per sequence: the context, or what a sliding window and one prefill pass need",
                  "context_tokens"},
                 {"page", "tokens", "per page of the cache", "profile"},
                 {"spare_pages", "pages", "1 for a sliding window, which seldom starts at a page's edge", "sliding_window"},
                 kKv,
                 kElement}}};

constexpr Formula kPerToken{.id = "fact.kv_cache_per_token",
                            .label = "KV cache per token",
                            .unit = "bytes",
                            .text = "layers * 2 * kv * element",
                            .citation = "gqa",
                            .basis = Basis::counted,
                            .symbols = {{kLayers, kKv, kElement}}};

} // namespace

Term kv_cache(const Scenario& scenario, const LayerGroup& group) noexcept {
  const Workload& work = scenario.workload;
  const Count window = group.attention.window, context{work.context_tokens};
  // A window layer must hold the window before the first token of a prefill pass, and the pass itself.
  const bool slides = window.value > 0;
  const Count tokens = slides ? min(window - Count{1} + Count{work.prefill_tokens}, context) : context;
  const Count spare{slides ? 1 : 0};
  const Constant& page_tokens = scenario.profile.inference.kv_block_tokens;
  const Count page{page_tokens.value}, sequences{work.batch}, kv = layer_share(group, scenario.strategy).kv_width;
  const Bytes element = bytes_per_element(scenario.strategy.kv_dtype);
  const Count kept = (ceil_div(tokens, page) + spare) * page;
  return in_group(sourced(make_term(kCache, group.layers * (sequences * (kept * (Count{2} * (kv * element)))),
                                    {group.layers.value, sequences.value, tokens.value, page.value, spare.value, kv.value,
                                     element.value}),
                          page_tokens),
                  group);
}

Term kv_cache_per_token(const Scenario& scenario, const LayerGroup& group) noexcept {
  const Count kv = layer_share(group, scenario.strategy).kv_width;
  const Bytes element = bytes_per_element(scenario.strategy.kv_dtype);
  return in_group(make_term(kPerToken, group.layers * (Count{2} * (kv * element)), {group.layers.value, kv.value, element.value}),
                  group);
}

} // namespace plimsoll::memory
