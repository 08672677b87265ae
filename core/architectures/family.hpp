#pragma once
// What a model class of transformers is beyond what its config.json says: one row per model_type. A plain variant of the decoder is
// a row of a table (families/*.cpp); what is built differently has a function as well.

#include "architectures/reader.hpp"
#include "plimsoll/method/model.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace plimsoll::io {

/// Something that is there or not: fixed by the class when there are no names, else stated by the file under one of them.
struct FlagRule {
  std::array<const char*, 3> names{};
  bool standard = false;

  bool read(ConfigReader& reader, std::string_view field) const {
    std::size_t count = 0;
    while (count < names.size() && names[count] != nullptr) ++count;
    return reader.flag(field, Names{names.data(), count}, standard);
  }
};
inline constexpr FlagRule kAbsent{};
inline constexpr FlagRule kPresent{.standard = true};

/// What an absent field means. Whole files always state the sizes; nested ones leave out what equals the class. 0 = not known.
struct Defaults {
  std::int64_t hidden = 0, layers = 0, heads = 0;
  std::int64_t kv_heads = 0; ///< 0 = as many as query heads
  std::int64_t head_dim = 0; ///< 0 = hidden / heads
  std::int64_t mlp = 0;
  std::int64_t vocab = 0;
  std::int64_t context = 0;
};

enum class QkRule : unsigned char {
  none,
  per_head,          ///< always
  full,              ///< always
  per_head_by_flag,  ///< use_qk_norm or qk_norm
  per_head_unless_off, ///< likewise, on when absent
  full_by_flag,      ///< use_qk_norm
  layernorm_by_flag, ///< qk_layernorm: one LayerNorm of head size for all heads
  layernorm_unless_off, ///< likewise, on when absent
};

/// How a family says which layers look back over a window. A list layer_types always goes first.
enum class WindowRule : unsigned char {
  none,
  all_layers,        ///< every layer, when sliding_window is set (Mistral, Phi-3)
  when_switched_on,  ///< layers from max_window_layers on, when use_sliding_window is true (Qwen)
  all_but_every_nth, ///< all but every sliding_window_pattern-th layer (Gemma 3); that may be letters as "LLLG" too
  every_second,      ///< layers 0, 2, 4, ... (Gemma 2, gpt-oss)
  own,               ///< the family's function says
};

/// Width of one expert, and of the shared ones.
enum class SharedRule : unsigned char {
  none,
  count_times_width, ///< n_shared_experts of the width of a routed one
  width,             ///< shared_expert_intermediate_size or its like
  one_like_routed,   ///< one of the same width, and no field says so (Llama 4)
};

struct ExpertRule {
  bool has = false;
  bool own_width = true;  ///< moe_intermediate_size; false: the width is intermediate_size
  std::int64_t experts = 0;   ///< defaults; 0 = required, below 0 = none unless stated
  std::int64_t per_token = 0;
  std::int64_t width = 0;
  SharedRule shared = SharedRule::none;
  std::int64_t shared_width = 0; ///< default, with SharedRule::width
  bool shared_gate = false;
  bool router_bias = false;
  FlagRule correction = kAbsent;
  bool dense_first = true; ///< whether first_k_dense_replace and its like are read
  std::int64_t dense_default = 0;
};

/// What classes "…ForSequenceClassification" put in place of the output head.
enum class ClassifierRule : unsigned char {
  score,      ///< one map to the labels, without a bias (decoders)
  pooled,     ///< one map with a bias, behind the pooler (BERT)
  dense,      ///< a map to the width and one to the labels, with biases, and no pooler (RoBERTa)
  dense_norm, ///< a map to the width without a bias, a norm, and a map to the labels (ModernBERT)
};

struct ModelBuilder;

struct Family {
  std::string_view type;
  std::string_view name; ///< as people write it
  Defaults defaults{};
  NormKind norm = NormKind::rmsnorm;
  std::int64_t norms = 2;
  std::int64_t norms_in_parallel = 0; ///< when the block is parallel; 0 = as `norms`
  QkRule qk_norm = QkRule::none;
  FlagRule qkv_bias{}, output_bias{}, mlp_bias{}, head_bias{};
  FlagRule parallel{};
  bool caps_scores = false; ///< what an absent attn_logit_softcapping means
  bool caps_logits = false; ///< what an absent final_logit_softcapping means
  bool tied = false;        ///< what an absent tie_word_embeddings means
  bool fused = false;       ///< one matrix for query, key and value, and one for gate and up
  MlpKind mlp = MlpKind::gated;
  std::int64_t mlp_factor = 0; ///< MLP width as a multiple of the hidden size when the file gives none
  std::string_view activation = "silu";
  bool learned_positions = false;
  std::int64_t position_offset = 0; ///< rows of the position table beyond the longest context
  bool final_norm = true;
  WindowRule window = WindowRule::none;
  std::int64_t window_size = 0;     ///< default
  std::int64_t window_pattern = 0;  ///< default
  ExpertRule experts{};
  ClassifierRule classifier = ClassifierRule::score;
  bool prediction = false; ///< prediction layers are like the last layer, with a map from twice the width and three norms
  std::int64_t (*kv_heads)(ModelBuilder&, std::int64_t heads) = nullptr; ///< where the file says it in its own way
  std::int64_t (*mlp_width)(ModelBuilder&) = nullptr;                    ///< likewise
  void (*finish)(ModelBuilder&) = nullptr; ///< after the common steps: what is particular to the family
  void (*build)(ModelBuilder&) = nullptr;  ///< instead of the common steps
};

/// A model while it is being read. Sizes are within the ranges of their fields, whatever the file says.
struct ModelBuilder {
  ConfigReader& read;
  const Family& family;
  Architecture& out;
  const Json& whole_file; ///< for towers, which stand beside the language model

  std::int64_t hidden() const { return out.hidden_size.value; }
  std::size_t layers() const { return out.layers.size(); }
};

/// The row of that model_type, or null.
const Family* find_family(std::string_view model_type) noexcept;

namespace families {
std::span<const Family> decoder() noexcept;   ///< the generic one
std::span<const Family> llama_like() noexcept;
std::span<const Family> qwen() noexcept;
std::span<const Family> gpt() noexcept;       ///< the age of GPT-2 and GPT-3
std::span<const Family> gemma() noexcept;
std::span<const Family> experts() noexcept;
std::span<const Family> latent() noexcept;
std::span<const Family> uneven() noexcept;    ///< decoders whose layers differ in more than window and experts
std::span<const Family> hybrid() noexcept;
std::span<const Family> state_space() noexcept;
std::span<const Family> encoder() noexcept;
std::span<const Family> encoder_decoder() noexcept;
std::span<const Family> speech() noexcept;    ///< Whisper and wav2vec2
std::span<const Family> image() noexcept;     ///< ViT, DINOv2, CLIP
} // namespace families

} // namespace plimsoll::io
