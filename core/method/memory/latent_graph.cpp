// What llama.cpp's graph holds where attention is latent and runs in one fused kernel: either the queries are mapped into the latent space,
// or the cached vectors are expanded to keys and values of every head. DeepSeek-V2, 2024 (arXiv 2405.04434), section 2.1.
#include "method/memory/latent_graph.hpp"

#include "method/term.hpp"
#include "plimsoll/method/sharding.hpp"

namespace plimsoll::memory {

namespace {

constexpr SymbolText kTokens{"tokens", "tokens", "of one micro-batch", "prefill_tokens"};
constexpr SymbolText kCells{"cells", "tokens", "of the cache that one token may attend to", "context_tokens"};
constexpr SymbolText kHeads{"heads", "heads", "of queries on this GPU", "query_heads"};
constexpr SymbolText kHidden{"hidden", "channels", "width of the model", "hidden_size"};

// ggml-org/llama.cpp, src/models/deepseek2.cpp: queries in the latent space stand beside the same joined with their rotary part, in fp32;
// the mask of scores is there in fp32 and in 16 bits.
constexpr Formula kAbsorbed{[] { return FormulaText{.id = "memory.workspace.latent_graph",
                            .label = "Buffer of the largest graph, latent attention",
                            .unit = "bytes",
                            .text = "4 * tokens * (2 * heads * latent + hidden) + 6 * tokens * cells",
                            .citation = "llama_cpp_latent",
                            .basis = Basis::published,
                            .symbols = {{kTokens, kHeads, {"latent", "channels", "of a cached vector, its rotary part among them", "kv_lora_rank"}, kHidden, kCells}}}; }};

// ikawrakow/ik_llama.cpp, src/graphs/build_deepseek2.cpp, mla=2 and 3 with flash attention, and pull requests 260 and 1211: heads are
// expanded some at a time, in fp32, and cast to 16 bits. Until pull request 1211 attention came after all of them, so that keys and
// values of every head wait. Logs of DeepSeek-R1 with 32,768 and 65,536 cells print 3425.00 and 6081.00 MiB; this is 3422 and 6078 MiB.
constexpr Formula kExpanded{[] { return FormulaText{
    .id = "memory.workspace.expanded_graph",
    .label = "Buffer of the largest graph, latent vectors expanded",
    .unit = "bytes",
    .text = "cells * (2 * kept * (keys + values) + at_once * (4 * (keys - rotary + values) + 2 * keys) + 6 * tokens) + 4 * tokens * (heads * keys + hidden)",
    .citation = "ik_llama_cpp_latent",
    .basis = Basis::measured,
    .symbols = {{kCells,
                 {"kept", "heads", "whose keys and values wait for the others'", "profile"},
                 {"keys", "channels", "of one head's key", "qk_nope_head_dim"},
                 {"values", "channels", "of one head's value", "v_head_dim"},
                 {"at_once", "heads", "that are expanded at a time", "latent_buffer_bytes"},
                 {"rotary", "channels", "of a key, which are not expanded", "qk_rope_head_dim"},
                 kTokens, kHeads, kHidden}}}; }};

/// Heads whose expanded numbers stay within the limit, by halves.
Count heads_at_once(Count heads, Bytes of_one, Bytes limit) noexcept {
  if (limit <= Bytes{0}) return heads;
  while (heads.value % 2 == 0 && heads * of_one > limit) heads = Count{heads.value / 2};
  return heads;
}

Term absorbed(const Scenario& scenario, const LayerGroup& group, Count tokens, Count cells) noexcept {
  const Count heads = layer_share(group, scenario.strategy).query_heads, h = scenario.model.hidden_size;
  const Count latent = group.attention_shape.cached_keys;
  const Count amount = Count{4} * tokens * (Count{2} * heads * latent + h) + Count{6} * tokens * cells;
  return make_term(kAbsorbed, Bytes{amount.value}, {tokens.value, heads.value, latent.value, h.value, cells.value});
}

Term expanded(const Scenario& scenario, const LayerGroup& group, Count tokens, Count cells) noexcept {
  const AttentionShape& attention = group.attention_shape;
  const Count heads = layer_share(group, scenario.strategy).query_heads, h = scenario.model.hidden_size;
  const Count keys = attention.query_dim, values = attention.value_dim, computed = Count{4} * (attention.expanded_dim + values);
  const Count at_once = heads_at_once(heads, cells * Bytes{computed.value}, Bytes{scenario.serving.latent_buffer_bytes});
  const Count kept = scenario.profile.inference.keeps_expanded ? heads : at_once;
  const Count of_cells = cells * (Count{2} * kept * (keys + values) + at_once * (computed + Count{2} * keys) + Count{6} * tokens);
  const Count of_tokens = Count{4} * tokens * (heads * keys + h);
  return make_term(kExpanded, Bytes{(of_cells + of_tokens).value},
                   {cells.value, kept.value, keys.value, values.value, at_once.value, attention.rotary_dim.value, tokens.value, heads.value, h.value});
}

} // namespace

Term latent_graph(const Scenario& scenario, const LayerGroup& group, Count tokens, Count cells) noexcept {
  constexpr Count kFewTokens{128}; // fewer are attended to in the latent space: build_deepseek2.cpp, pp_opt
  const bool expands = scenario.profile.inference.expands_latents && tokens >= kFewTokens;
  return expands ? expanded(scenario, group, tokens, cells) : absorbed(scenario, group, tokens, cells);
}

} // namespace plimsoll::memory
