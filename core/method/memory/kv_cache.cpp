// Keys and values of every token a sequence can still attend to, kept in pages of a fixed number of tokens.
// Kwon et al., PagedAttention, 2023 (arXiv 2309.06180); Ainslie et al., grouped-query attention, 2023 (arXiv 2305.13245).
#include "method/memory/serving.hpp"

#include "method/memory/layers.hpp"
#include "method/term.hpp"
#include "plimsoll/method/sharding.hpp"

namespace plimsoll::memory {

namespace {

constexpr SymbolText kLayers{"layers", "layers", "layers of this kind", "layers"};
constexpr SymbolText kCached{"cached", "channels", "of one token on this GPU: keys and values of its heads, or the latent vector they are expanded from", "kv_heads"};
constexpr SymbolText kBlock{"block", "numbers", "of the cache that share a scale; 1 in plain formats", "kv_dtype"};
constexpr SymbolText kBlockBytes{"block_bytes", "bytes", "of such a block", "kv_dtype"};

constexpr Formula kCache{[] { return FormulaText{
    .id = "memory.kv_cache.tokens",
    .label = "KV cache",
    .unit = "bytes",
    .text = "layers * sequences * (ceil_div(tokens, page) + spare_pages) * page * ceil_div(cached, block) * block_bytes",
    .citation = "paged_attention",
    .basis = Basis::published,
    .symbols = {{kLayers,
                 {"sequences", "sequences", "held at once", "batch"},
                 {"tokens", "tokens", "of a sequence that this GPU keeps: the context, its part of it, or what a window and one prefill pass need",
                  "context_tokens"},
                 {"page", "tokens", "per page of the cache", "block_tokens"},
                 {"spare_pages", "pages", "1 for a window, which seldom starts at a page's edge", "sliding_window"},
                 kCached,
                 kBlock,
                 kBlockBytes}}}; }};

// Pages that are full of shared tokens are kept once for all that begin with them; the first page that is not is everybody's own.
// vllm-project/vllm, vllm/v1/core/kv_cache_manager.py, get_computed_blocks; with beams, NVIDIA/TensorRT-LLM,
// cpp/tensorrt_llm/batch_manager/kvCacheManager.cpp, where beams share the blocks of their prompt.
constexpr Formula kSharedCache{[] { return FormulaText{
    .id = "memory.kv_cache.tokens",
    .label = "KV cache",
    .unit = "bytes",
    .text = "layers * (sequences * (ceil_div(tokens, page) - floor_div(shared, page)) + prefixes * floor_div(shared, page)) * page * "
            "ceil_div(cached, block) * block_bytes",
    .citation = "prefix_caching",
    .basis = Basis::published,
    .symbols = {{kLayers,
                 {"sequences", "sequences", "held at once, each beam one", "batch"},
                 {"tokens", "tokens", "of a sequence that this GPU keeps", "context_tokens"},
                 {"page", "tokens", "per page of the cache", "block_tokens"},
                 {"shared", "tokens", "that sequences begin with alike", "shared_tokens"},
                 {"prefixes", "", "different ones of them", "shared_by"},
                 kCached,
                 kBlock,
                 kBlockBytes}}}; }};

// Gu and Dao 2023 (arXiv 2312.00752): the state of a recurrence has one size, whatever the length. vLLM, MambaSpec; llama.cpp keeps
// both parts in fp32 (ggml-org/llama.cpp, src/llama-memory-recurrent.cpp).
constexpr Formula kState{[] { return FormulaText{
    .id = "memory.kv_cache.state",
    .label = "Recurrent state",
    .unit = "bytes",
    .text = "layers * sequences * (taps * element + state * state_bytes)",
    .citation = "vllm_mamba_spec",
    .basis = Basis::published,
    .symbols = {{kLayers,
                 {"sequences", "sequences", "held at once", "batch"},
                 {"taps", "numbers", "that the causal convolution of this GPU's channels remembers", "conv_kernel"},
                 {"element", "bytes", "size of one of them: an activation's, or what the engine keeps", "profile"},
                 {"state", "numbers", "of recurrent state on this GPU", "ssm_state_size"},
                 {"state_bytes", "bytes", "size of one number of state: fp32", ""}}}}; }};

constexpr Formula kPerToken{[] { return FormulaText{.id = "fact.kv_cache_per_token",
                            .label = "KV cache per token",
                            .unit = "bytes",
                            .text = "layers * ceil_div(cached, block) * block_bytes",
                            .citation = "gqa",
                            .basis = Basis::counted,
                            .symbols = {{kLayers, kCached, kBlock, kBlockBytes}}}; }};

/// Tokens of one sequence that a layer keeps, and the pages it needs beyond those they fill.
struct Kept {
  Count tokens, spare_pages;
};

/// vLLM must hold the window before the first token of a prefill pass, and the pass itself, which need not start at a page's edge:
/// v1/kv_cache_interface.py, SlidingWindowSpec and ChunkedLocalAttentionSpec. llama.cpp takes as many cells as window and pass have
/// tokens: src/llama-kv-cache-iswa.cpp.
Kept kept_by(const Scenario& scenario, const Attention& attention) noexcept {
  const Count context{scenario.workload.context_tokens}, pass{scenario.workload.prefill_tokens};
  const bool whole = attention.pattern == AttentionPattern::full || scenario.serving.full_window_cache == Switch::on;
  if (whole) return {cached_tokens(ceil_div(context, attention.compression), scenario.serving), Count{0}};
  if (scenario.profile.inference.window_cache == WindowCache::cells) return {min(attention.window + pass, context), Count{0}};
  const Count before = attention.pattern == AttentionPattern::sliding ? attention.window - Count{1} : attention.window;
  return {min(before + pass, context), Count{1}};
}

/// Numbers of one token, and the format they are kept in.
struct Part {
  Count numbers;
  CacheFormat format;
};

Bytes bytes_of(Part part) noexcept { return ceil_div(part.numbers, part.format.numbers) * part.format.bytes; }

Term cache(const Scenario& scenario, const LayerGroup& group, Count layers, Count sequences, Kept kept, Part part) noexcept {
  const Count page{scenario.serving.block_tokens};
  const Count tokens = (ceil_div(kept.tokens, page) + kept.spare_pages) * page;
  return make_term(kCache, layers * (sequences * (tokens * bytes_of(part))),
                   {layers.value, sequences.value, kept.tokens.value, page.value, kept.spare_pages.value, part.numbers.value,
                    part.format.numbers.value, part.format.bytes.value}, {.group = &group, .provenance = &scenario.profile.inference.kv_block_tokens});
}

/// The same where sequences share the tokens that they begin with.
Term shared_cache(const Scenario& scenario, const LayerGroup& group, Count layers, Count sequences, Part part) noexcept {
  const Serving& serving = scenario.serving;
  const Count page{serving.block_tokens}, all{scenario.workload.context_tokens}, alike = min(Count{serving.shared_tokens}, all);
  const Count context = cached_tokens(all, serving), others = cached_tokens(all - alike, serving), shared = context - others;
  const Count sharing = serving.shared_by > 0 ? Count{serving.shared_by} * Count{serving.beams} : sequences;
  const Count prefixes = ceil_div(sequences, max(sharing, Count{1})), common{shared.value / page.value};
  const Count pages = sequences * (ceil_div(context, page) - common) + prefixes * common;
  return make_term(kSharedCache, layers * (pages * (page * bytes_of(part))),
                   {layers.value, sequences.value, context.value, page.value, shared.value, prefixes.value, part.numbers.value,
                    part.format.numbers.value, part.format.bytes.value}, {.group = &group});
}

/// Layers with a window keep only what stands at the end of a context.
bool shares(const Scenario& scenario, const LayerGroup& group) noexcept {
  const bool whole = group.attention.pattern == AttentionPattern::full || scenario.serving.full_window_cache == Switch::on;
  return whole && group.attention.compression == Count{1} && scenario.serving.shared_tokens >= scenario.serving.block_tokens;
}

/// Lengths of the heads that have scales of their own, where there are such.
struct Heads {
  Count keys, values;
};

/// Whether keys and values of every head are cached where the vector they are expanded from would do.
bool caches_expanded(const Scenario& scenario, const LayerGroup& group) noexcept {
  return group.attention_shape.caches_vector && scenario.serving.latent_cache == LatentCache::expanded;
}

/// A vector that is cached is one head, and so is its transposed copy, which has no rotary part.
Heads heads_of(const Scenario& scenario, const LayerGroup& group) noexcept {
  const AttentionShape& of = group.attention_shape;
  if (of.caches_vector && !caches_expanded(scenario, group)) return {of.cached_keys, of.key_value_vector};
  return {of.query_dim, of.value_dim};
}

Part part_of(CacheDtype dtype, Count numbers, Count head) noexcept { return {numbers, format_of(dtype, max(head, Count{1}))}; }

/// Keys, or where both have one format keys and values, go into `first`.
struct Parts {
  Part first, values;
  std::string_view names[2]{"keys", "values"};
};

// vllm-project/vllm, vllm/v1/kv_cache_interface.py, MLAAttentionSpec, fp8_ds_mla: 512 numbers with four scales, and 64 of the rotary
// part in bf16 are 656 bytes.
Parts latent_and_rotary(const LayerGroup& group, Count numbers) noexcept {
  const Count rotary = min(group.attention_shape.rotary_dim, numbers);
  return {{numbers - rotary, format_of(CacheDtype::fp8_ds_mla)}, {rotary, format_of(CacheDtype::bf16)}, {"latent", "rotary"}};
}

Parts parts_of(const Scenario& scenario, const LayerGroup& group) noexcept {
  const LayerShare share = layer_share(group, scenario.strategy);
  Count keys = share.cached_width - share.cached_values, values = share.cached_values;
  if (caches_expanded(scenario, group)) keys = share.key_width, values = share.value_width;
  if (scenario.serving.latent_cache == LatentCache::latent_and_values) values += share.transposed_vector;
  const CacheDtype of_keys = scenario.serving.kv_dtype, of_values = scenario.serving.value_dtype;
  const Heads heads = heads_of(scenario, group);
  if (of_keys == CacheDtype::fp8_ds_mla && group.attention_shape.caches_vector && values == Count{0}) return latent_and_rotary(group, keys);
  const bool alike = of_values == of_keys && (!scales_heads(of_keys) || heads.keys == heads.values);
  if (alike) return {part_of(of_keys, keys + values, heads.keys), {}};
  return {part_of(of_keys, keys, heads.keys), part_of(of_values, values, heads.values)};
}

Term per_token(const LayerGroup& group, Count layers, Part part) noexcept {
  return make_term(kPerToken, layers * bytes_of(part),
                   {layers.value, part.numbers.value, part.format.numbers.value, part.format.bytes.value}, {.group = &group});
}

/// Where keys and values have formats of their own, each is a term.
CacheTerms apart(const Parts& parts, Term keys, Term values) noexcept {
  keys.variant = parts.names[0];
  values.variant = parts.names[1];
  if (values.amount == 0) return {keys, std::nullopt};
  return {keys, values};
}

} // namespace

CacheTerms kv_cache(const Scenario& scenario, const LayerGroup& group, Count layers, Count sequences) noexcept {
  const Parts parts = parts_of(scenario, group);
  const Kept kept = kept_by(scenario, group.attention);
  const bool shared = shares(scenario, group);
  const auto term = [&](Part part) { return shared ? shared_cache(scenario, group, layers, sequences, part) : cache(scenario, group, layers, sequences, kept, part); };
  if (parts.values.numbers == Count{0}) return {term(parts.first), std::nullopt};
  return apart(parts, term(parts.first), term(parts.values));
}

Term cross_kv_cache(const Scenario& scenario, const LayerGroup& group, Count layers, Count sequences) noexcept {
  Term term = cache(scenario, group, layers, sequences, {scenario.model.encoder_sequence(Count{scenario.workload.context_tokens}), Count{0}},
                    part_of(scenario.serving.kv_dtype, cross_cached_width(group, scenario.strategy), group.cross.head_dim));
  term.variant = "cross";
  return term;
}

Term recurrent_state(const Scenario& scenario, const LayerGroup& group, Count layers, Count sequences) noexcept {
  const LayerShare share = layer_share(group, scenario.strategy);
  const std::int64_t own = scenario.profile.inference.conv_bytes.value;
  const Bytes element = own > 0 ? Bytes{own} : scenario.weights.compute_bytes, state_bytes{4};
  return make_term(kState, layers * (sequences * (share.conv_state * element + share.recurrent_state * state_bytes)),
                   {layers.value, sequences.value, share.conv_state.value, element.value, share.recurrent_state.value,
                    state_bytes.value}, {.group = &group});
}

bool grows(const Scenario& scenario, const Attention& attention) noexcept {
  const bool whole = attention.pattern == AttentionPattern::full || scenario.serving.full_window_cache == Switch::on;
  return whole || kept_by(scenario, attention).tokens >= Count{scenario.workload.context_tokens};
}

// vllm-project/vllm, vllm/model_executor/models/deepseek_v2.py, DeepseekV32IndexerCache: the key in fp8 with a 32-bit scale for each 128
// numbers, whatever the format of the other cache; every GPU of a tensor-parallel group keeps all of it.
namespace {

Part index_part(const Scenario& scenario, const LayerGroup& group) noexcept {
  return {group.attention_shape.index_dim, {Count{128}, Bytes{scenario.profile.inference.index_bytes.value}}};
}

Term of_index(Term term, const Scenario& scenario) noexcept {
  term = with_provenance(term, scenario.profile.inference.index_bytes);
  term.variant = "index_keys";
  return term;
}

} // namespace

bool indexes(const Scenario& scenario, const LayerGroup& group) noexcept {
  return group.attention_shape.index_dim > Count{0} && scenario.profile.inference.index_bytes.value > 0;
}

Term index_keys(const Scenario& scenario, const LayerGroup& group, Count layers, Count sequences) noexcept {
  const Part part = index_part(scenario, group);
  return of_index(shares(scenario, group) ? shared_cache(scenario, group, layers, sequences, part)
                                          : cache(scenario, group, layers, sequences, kept_by(scenario, group.attention), part), scenario);
}

Term index_keys_per_token(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept {
  return of_index(per_token(group, layers, index_part(scenario, group)), scenario);
}

Bytes kv_cache_of_layer(const Scenario& scenario, const LayerGroup& group) noexcept {
  if (!attends(group)) return Bytes{0};
  const Parts parts = parts_of(scenario, group);
  return parts.values.numbers == Count{0} ? bytes_of(parts.first) : bytes_of(parts.first) + bytes_of(parts.values);
}

CacheTerms kv_cache_per_token(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept {
  const Parts parts = parts_of(scenario, group);
  if (parts.values.numbers == Count{0}) return {per_token(group, layers, parts.first), std::nullopt};
  return apart(parts, per_token(group, layers, parts.first), per_token(group, layers, parts.values));
}

} // namespace plimsoll::memory
