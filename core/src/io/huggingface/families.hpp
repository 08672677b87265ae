#pragma once
// What a model class of transformers is, beyond what its config.json says: one row per model_type. A further dense family
// is a further row.

#include "plimsoll/model.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace plimsoll::io {

/// How a family says which layers use a sliding window.
enum class WindowRule : unsigned char {
  none,
  all_layers,        ///< every layer, when sliding_window is set (Mistral, Phi-3)
  when_switched_on,  ///< layers from max_window_layers on, when use_sliding_window is true (Qwen)
  every_second,      ///< layers 0, 2, 4, ... (Gemma 2)
  all_but_every_nth, ///< all but every sliding_window_pattern-th layer (Gemma 3)
};

/// Whether biases are there: fixed by the class, or by a flag of the file.
enum class BiasRule : unsigned char { absent, present, attention_bias_flag, mlp_bias_flag };

struct Family {
  std::string_view model_type;
  std::string_view name; ///< as people write it
  MlpKind mlp_kind = MlpKind::gated;
  std::string_view default_activation = "silu"; ///< what an absent hidden_act means
  NormKind norm = NormKind::rmsnorm;
  std::int64_t norms_per_layer = 2;
  QkNorm qk_norm = QkNorm::none;
  BiasRule qkv_bias = BiasRule::absent;
  BiasRule output_bias = BiasRule::absent;
  BiasRule mlp_bias = BiasRule::absent;
  bool head_bias = false;
  bool tied_by_default = false;    ///< what an absent tie_word_embeddings means
  bool learned_positions = false;  ///< max positions are rows of a table
  bool parallel_block = false;
  bool fused_projections = false;  ///< one matrix for query, key and value, and one for gate and up
  WindowRule window = WindowRule::none;
  /// Class defaults for what files of this family really leave out; 0 = none, the field is required.
  std::int64_t default_query_heads = 0;
  std::int64_t default_kv_heads = 0;  ///< 0 = as many as query heads
  std::int64_t default_head_dim = 0;  ///< 0 = hidden_size / query heads
  std::int64_t default_vocab_size = 0;
  std::int64_t default_max_context = 0;
  std::int64_t default_window = 0;
  std::int64_t default_window_pattern = 0;
  std::int64_t mlp_width_factor = 0;  ///< intermediate size as a multiple of the width when absent; 0 = required
};

/// The row of that model_type, or null.
const Family* find_family(std::string_view model_type) noexcept;

/// All model_types, for remedies.
std::vector<std::string_view> family_types();

} // namespace plimsoll::io
