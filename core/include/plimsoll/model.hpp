#pragma once
// A language model as its tensors: shared parts plus groups of identical layers.

#include "plimsoll/quantity.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace plimsoll {

enum class MlpKind : unsigned char {
  gated, ///< three matrices: gate, up, down (SwiGLU, GeGLU)
  plain, ///< two matrices: up, down (GELU, ReLU)
};
enum class NormKind : unsigned char {
  rmsnorm,       ///< one weight vector
  layernorm,     ///< weight and bias vectors
  layernorm_no_bias, ///< LayerNorm with a weight vector only
  rmsnorm_zero_centered, ///< RMSNorm that multiplies by 1 + weight, in fp32 (Gemma)
};
enum class QkNorm : unsigned char {
  none,
  per_head, ///< one weight vector of head_dim for queries and one for keys, shared by all heads (Qwen3, Gemma 3)
};

/// The non-linearity of the MLP. It does not change the parameters, but what training keeps.
enum class Activation : unsigned char {
  native,   ///< one operation of the framework: SiLU, GELU, ReLU
  gelu_new, ///< the tanh approximation of GELU written out in Python, operation by operation (GPT-2, Phi)
};

/// Grouped-query attention: kv_heads == query_heads is multi-head, kv_heads == 1 is multi-query.
struct Attention {
  Count query_heads{1};
  Count kv_heads{1};
  Count head_dim{1};
  Count window{0}; ///< tokens a sliding-window layer looks back; 0 = full attention
  bool qkv_bias = false;
  bool output_bias = false;
  QkNorm qk_norm = QkNorm::none;
};

struct Mlp {
  MlpKind kind = MlpKind::gated;
  Count intermediate_size{1};
  bool bias = false;
  Activation activation = Activation::native;
};

/// Layers that are alike. Groups say how many such layers there are, not where they stand in the stack.
struct LayerGroup {
  std::string_view id;    ///< "" when the model has one group, else e.g. "sliding": part of component ids
  std::string_view label; ///< e.g. "sliding-window layers"
  Count layers{0};
  Attention attention;
  Mlp mlp;
  Count norms{2};        ///< norms of width hidden_size per layer
  bool parallel = false; ///< attention and MLP read the same norm (Phi, GPT-J, Falcon)
  bool fused_projections = false; ///< query, key and value are one matrix, and so are gate and up (GPT-2, Phi-3)
};

inline constexpr std::size_t kMaxLayerGroups = 4;

struct Model {
  std::string id;   ///< catalogue id, or "custom"
  std::string name; ///< as people write it
  Count hidden_size{1};
  Count vocab_size{1};
  Count learned_positions{0}; ///< rows of a learned position table; 0 = rotary or none
  Count max_context{0};       ///< tokens the model was made for; 0 = unknown
  NormKind norm = NormKind::rmsnorm;
  bool tied_embeddings = false; ///< the output head is the embedding table
  bool head_bias = false;       ///< the output head has a bias of vocab_size
  std::array<LayerGroup, kMaxLayerGroups> groups{};
  std::size_t group_count = 0;
};

/// The flat description of a dense decoder: what a URL, a form or a config.json can state about it.
/// Ranges are those of the field table (fields.hpp).
struct ModelSpec {
  std::string id;
  std::string name;
  std::int64_t hidden_size = 4096;
  std::int64_t layers = 32;
  std::int64_t query_heads = 32;
  std::int64_t kv_heads = 8;
  std::int64_t head_dim = 128;
  std::int64_t intermediate_size = 14336;
  std::int64_t vocab_size = 128256;
  std::int64_t max_context = 8192;
  std::int64_t learned_positions = 0;
  std::int64_t sliding_layers = 0; ///< how many of `layers` use sliding-window attention
  std::int64_t sliding_window = 0; ///< tokens; matters when sliding_layers > 0
  std::int64_t norms_per_layer = 2;
  MlpKind mlp_kind = MlpKind::gated;
  NormKind norm = NormKind::rmsnorm;
  QkNorm qk_norm = QkNorm::none;
  Activation activation = Activation::native;
  bool qkv_bias = false;
  bool output_bias = false;
  bool mlp_bias = false;
  bool head_bias = false;
  bool tied_embeddings = false;
  bool parallel_block = false;
  bool fused_projections = false;
};

/// The model that `spec` describes: one layer group, or two when some layers use a sliding window.
/// `spec` must have passed validate(); no arithmetic here can fail otherwise.
Model model_of(const ModelSpec& spec);

} // namespace plimsoll
