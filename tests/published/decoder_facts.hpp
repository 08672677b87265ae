#pragma once
// A decoder from a few dimensions, for tests whose rows state no config: dense, or with experts, or with latent attention.

#include "plimsoll/method/model.hpp"
#include "text/json.hpp"

namespace plimsoll::test {

inline Count count(const io::Json& facts, const char* key) { return Count{facts.value(key, std::int64_t{0})}; }

inline Layer layer_of(const io::Json& facts, bool dense) {
  Layer layer;
  layer.norms = Count{facts.value("norms", std::int64_t{2})};
  if (const auto latent = facts.find("latent"); latent != facts.end()) {
    layer.latent = {.heads = count(*latent, "heads"),
                    .query_rank = count(*latent, "query_rank"),
                    .kv_rank = count(*latent, "kv_rank"),
                    .nope_dim = count(*latent, "nope_dim"),
                    .rope_dim = count(*latent, "rope_dim"),
                    .value_dim = count(*latent, "value_dim")};
  } else {
    layer.attention.query_heads = count(facts, "heads");
    layer.attention.kv_heads = count(facts, "kv_heads");
    layer.attention.head_dim = count(facts, "head_dim");
    layer.attention.qkv_bias = facts.value("qkv_bias", false);
    layer.attention.output_bias = facts.value("output_bias", false);
    layer.attention.sinks = facts.value("sinks", false);
    layer.attention.qk_norm = facts.value("qk_norm", false) ? QkNorm::per_head : QkNorm::none;
  }
  if (dense || count(facts, "experts") == Count{0}) {
    layer.mlp.intermediate_size = count(facts, "mlp");
  } else {
    layer.moe.experts = count(facts, "experts");
    layer.moe.per_token = count(facts, "per_token");
    layer.moe.expert_size = count(facts, "expert_size");
    layer.moe.shared_size = count(facts, "shared_size");
    layer.moe.bias = facts.value("expert_bias", false);
    layer.moe.router_bias = facts.value("router_bias", false);
    layer.moe.correction_bias = facts.value("correction_bias", false);
  }
  return layer;
}

inline Architecture architecture_of(const io::Json& facts) {
  Architecture architecture;
  architecture.hidden_size = count(facts, "hidden");
  architecture.vocab_size = count(facts, "vocab");
  architecture.max_context = count(facts, "max_context");
  architecture.rotary_factors = count(facts, "rotary_factors");
  architecture.tied_embeddings = facts.value("tied", false);
  const auto layers = facts.at("layers").get<int>(), dense = facts.value("dense_layers", 0);
  for (int i = 0; i < layers; ++i) architecture.layers.push_back(layer_of(facts, i < dense));
  return architecture;
}

} // namespace plimsoll::test
