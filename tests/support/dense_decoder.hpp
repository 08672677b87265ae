#pragma once
// A plain decoder of equal layers, for tests that need a model they can count by hand.

#include "plimsoll/method/model.hpp"

namespace plimsoll::test {

struct DenseDecoder {
  std::int64_t hidden_size = 4096, layers = 32, query_heads = 32, kv_heads = 8, head_dim = 128;
  std::int64_t intermediate_size = 14336, vocab_size = 128256, learned_positions = 0, norms_per_layer = 2;
  std::int64_t sliding_layers = 0, sliding_window = 0; ///< the last layers slide
  MlpKind mlp_kind = MlpKind::gated;
  NormKind norm = NormKind::rmsnorm;
  QkNorm qk_norm = QkNorm::none;
  bool qkv_bias = false, output_bias = false, mlp_bias = false, head_bias = false, tied_embeddings = false;
};

inline Architecture architecture_of(const DenseDecoder& spec) {
  Layer layer;
  layer.attention = {.query_heads = Count{spec.query_heads},
                     .kv_heads = Count{spec.kv_heads},
                     .head_dim = Count{spec.head_dim},
                     .qkv_bias = spec.qkv_bias,
                     .output_bias = spec.output_bias,
                     .qk_norm = spec.qk_norm};
  layer.mlp = {.intermediate_size = Count{spec.intermediate_size}, .kind = spec.mlp_kind, .bias = spec.mlp_bias};
  layer.norms = Count{spec.norms_per_layer};
  Architecture architecture;
  architecture.hidden_size = Count{spec.hidden_size};
  architecture.vocab_size = Count{spec.vocab_size};
  architecture.learned_positions = Count{spec.learned_positions};
  architecture.norm = spec.norm;
  architecture.tied_embeddings = spec.tied_embeddings;
  architecture.head_bias = spec.head_bias;
  architecture.layers.assign(static_cast<std::size_t>(spec.layers), layer);
  for (std::int64_t i = spec.layers - spec.sliding_layers; i < spec.layers; ++i) {
    Attention& attention = architecture.layers[static_cast<std::size_t>(i)].attention;
    attention.pattern = AttentionPattern::sliding;
    attention.window = Count{spec.sliding_window};
  }
  return architecture;
}

inline Model model_of(const DenseDecoder& spec) { return make_model(architecture_of(spec)); }

} // namespace plimsoll::test
