#pragma once
// The members of a model as its table holds them, one after the other: what writes a table and what reads it go the same way, so they agree.
// A walk takes numbers, truths, enumerations and texts by itself, and what consists of them by the functions here.

#include "plimsoll/architectures/huggingface.hpp"

#include <utility>
#include <variant>

namespace plimsoll::io::tables {

template <class Walk> void members(Walk& walk, auto&... each) { (walk.take(each), ...); }

template <class Walk> void members_of(Walk& walk, Tensor& x);
template <class Walk> void members_of(Walk& walk, Layer& x);
template <class Walk> void members_of(Walk& walk, TowerArchitecture& x);
template <class Walk> void members_of(Walk& walk, Architecture& x);
template <class Walk> void members_of(Walk& walk, Issue& x);

/// As many as there are, then each. Reading begins with an empty list.
template <class Walk, class T> void list(Walk& walk, std::vector<T>& items) {
  std::size_t count = items.size();
  walk.take(count);
  items.resize(count);
  for (T& item : items) members_of(walk, item);
}

template <class Walk> void members_of(Walk& walk, Tensor& x) {
  members(walk, x.name, x.kind, x.rows, x.columns, x.copies, x.active, x.active_rows, x.split, x.units, x.matrix);
}

template <class Walk> void members_of(Walk& walk, Attention& x) {
  members(walk, x.query_heads, x.kv_heads, x.head_dim, x.value_dim, x.rotary_dim, x.window, x.pattern, x.qkv_bias, x.key_bias, x.output_bias, x.qk_norm, x.output_gate,
          x.head_gate, x.sinks, x.caps_scores, x.keys_are_values, x.one_cache, x.reuses_cache, x.has_kv_map, x.borrowed, x.caches, x.compression);
}

template <class Walk> void members_of(Walk& walk, LatentAttention& x) {
  members(walk, x.heads, x.query_rank, x.kv_rank, x.nope_dim, x.rope_dim, x.value_dim, x.copies, x.bias, x.output_gate, x.index_dim);
}

template <class Walk> void members_of(Walk& walk, Mlp& x) { members(walk, x.intermediate_size, x.kind, x.bias, x.activation, x.copies, x.borrowed); }

template <class Walk> void members_of(Walk& walk, Moe& x) {
  members(walk, x.experts, x.per_token, x.expert_size, x.shared_size, x.kind, x.bias, x.router_bias, x.correction_bias, x.shared_gate, x.zero_experts, x.latent_size,
          x.latent_norm, x.router_scales);
}

template <class Walk> void members_of(Walk&, std::monostate&) {}
template <class Walk> void members_of(Walk& walk, Mamba1& x) { members(walk, x.inner, x.state, x.rank, x.kernel, x.conv_bias, x.projection_bias, x.inner_norms); }
template <class Walk> void members_of(Walk& walk, Mamba2& x) {
  members(walk, x.heads, x.head_dim, x.state, x.groups, x.kernel, x.conv_bias, x.projection_bias, x.gated_norm);
}
template <class Walk> void members_of(Walk& walk, GatedDeltaNet& x) { members(walk, x.key_heads, x.value_heads, x.key_dim, x.value_dim, x.kernel); }
template <class Walk> void members_of(Walk& walk, KimiDelta& x) { members(walk, x.heads, x.head_dim, x.kernel, x.full_rank_gate, x.full_rank_decay); }
template <class Walk> void members_of(Walk& walk, Lightning& x) { members(walk, x.heads, x.head_dim); }
template <class Walk> void members_of(Walk& walk, ShortConvolution& x) { members(walk, x.kernel, x.bias); }

/// Which alternative, then its members.
template <class Walk, std::size_t... I> void alternatives(Walk& walk, Recurrence& x, std::index_sequence<I...>) {
  std::size_t index = x.index();
  walk.take(index);
  const auto take = [&]<std::size_t At>() {
    if (index != At) return;
    if (x.index() != At) x.template emplace<At>();
    members_of(walk, std::get<At>(x));
  };
  (take.template operator()<I>(), ...);
}

template <class Walk> void members_of(Walk& walk, Layer& x) {
  members_of(walk, x.attention);
  members_of(walk, x.cross);
  members_of(walk, x.latent);
  alternatives(walk, x.recurrence, std::make_index_sequence<std::variant_size_v<Recurrence>>{});
  members_of(walk, x.mlp);
  members_of(walk, x.moe);
  members(walk, x.norms, x.parallel, x.fused_projections, x.encoder);
  list(walk, x.extras);
}

template <class Walk> void members_of(Walk& walk, TowerArchitecture& x) {
  members(walk, x.kind, x.rule, x.join, x.side, x.patches, x.least, x.most, x.frames, x.frame_most);
  members_of(walk, x.architecture);
}

template <class Walk> void members_of(Walk& walk, Architecture& x) {
  members(walk, x.name, x.hidden_size, x.vocab_size, x.embedding_size, x.learned_positions, x.max_context, x.encoder_tokens, x.rotary_factors, x.norm, x.final_norm,
          x.tied_embeddings, x.head_bias, x.has_head, x.has_embedding, x.caps_logits, x.prediction_depths);
  walk.take_layers(x.layers);
  list(walk, x.prediction);
  list(walk, x.towers);
  list(walk, x.extras);
}

template <class Walk> void members_of(Walk& walk, Issue& x) { members(walk, x.severity, x.field, x.message, x.remedy); }

/// Beside the model that is made of the architecture.
template <class Walk> void members_of(Walk& walk, ImportedModel& x) {
  members(walk, x.architecture, x.family, x.dtype);
  walk.take_quantization(x);
  walk.take_facts(x.facts);
  std::vector<Issue>& issues = x.issues;
  list(walk, issues);
}

} // namespace plimsoll::io::tables
