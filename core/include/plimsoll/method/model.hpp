#pragma once
// A language model: what its layers are made of, in order, and the parameter tensors that follow from it.
//
// A family of models is a rule that fills Layers; new kinds of layers are new members or alternatives here, never a condition
// in the formulas: a part that a layer lacks has the size 0, and its terms come out as 0.

#include "plimsoll/method/model_tensors.hpp"
#include "plimsoll/method/quantity.hpp"
#include "plimsoll/method/recurrence.hpp"
#include "plimsoll/method/tensor.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

enum class MlpKind : unsigned char {
  gated, ///< three matrices: gate, up, down (SwiGLU, GeGLU)
  plain, ///< two matrices: up, down (GELU, ReLU)
};
enum class NormKind : unsigned char {
  rmsnorm,           ///< one weight vector
  layernorm,         ///< weight and bias vectors
  layernorm_no_bias, ///< LayerNorm with a weight vector only
  rmsnorm_zero_centered, ///< RMSNorm that multiplies by 1 + weight, in fp32 (Gemma)
  layernorm_no_weights,  ///< LayerNorm without parameters (OLMo 1)
};
enum class QkNorm : unsigned char {
  none,
  per_head, ///< one weight vector of head_dim for queries and one for keys, shared by all heads (Qwen3, Gemma 3)
  full,     ///< one weight for each channel of each query and key head (OLMo 2, Command R+)
  per_head_layernorm, ///< like per_head, with biases (Phi with qk_layernorm)
};

/// The non-linearity of the MLP. It does not change the parameters, but what training keeps.
enum class Activation : unsigned char {
  native,   ///< one operation of the framework: SiLU, GELU, ReLU
  gelu_new, ///< the tanh approximation of GELU written out in Python, operation by operation (GPT-2, Phi)
};

/// How far back a token looks.
enum class AttentionPattern : unsigned char {
  full,
  sliding, ///< the last `window` tokens
  chunked, ///< back to the start of its chunk of `window` tokens (Llama 4)
};

/// Attention with a head of its own for every query: kv_heads == query_heads is multi-head, kv_heads == 1 is multi-query.
struct Attention {
  Count query_heads{0}; ///< 0 = the layer has none
  Count kv_heads{0};
  Count head_dim{0};    ///< of queries and keys
  Count value_dim{0};   ///< of values; 0 = head_dim
  Count rotary_dim{0};  ///< channels of a head that rotary positions turn; 0 = head_dim
  Count window{0};      ///< tokens, with AttentionPattern::sliding and AttentionPattern::chunked
  AttentionPattern pattern = AttentionPattern::full;
  bool qkv_bias = false;
  bool key_bias = true;         ///< false: with qkv_bias, queries and values have one and keys none (Whisper)
  bool output_bias = false;
  QkNorm qk_norm = QkNorm::none;
  bool output_gate = false;     ///< the query map is twice as wide: its second half gates the output (Qwen3-Next)
  bool head_gate = false;       ///< one gate per query head, from the hidden state (Step-3.5)
  bool sinks = false;           ///< one learned number per query head (gpt-oss)
  bool caps_scores = false;     ///< scores go through a scaled tanh before the softmax (Gemma 2)
  bool keys_are_values = false; ///< one matrix makes both (Gemma 4, global layers)
  bool one_cache = false;       ///< keys and values are one cached vector (DeepSeek V4)
  bool reuses_cache = false;    ///< attends to the keys and values of an earlier layer and keeps none (Gemma 3n, Gemma 4)
  bool has_kv_map = true;       ///< whether key and value matrices exist
  bool borrowed = false;        ///< its matrices belong to a block that several layers share, counted once (Zamba 2)
  bool caches = true;           ///< false in encoders: nothing is kept between passes
  Count compression{1};         ///< one cached entry stands for so many tokens (DeepSeek V4)

  friend bool operator==(const Attention&, const Attention&) = default;
};

/// Multi-head latent attention: keys and values are expanded from one cached vector. DeepSeek-V2 (arXiv 2405.04434).
struct LatentAttention {
  Count heads{0};      ///< 0 = the layer has none
  Count query_rank{0}; ///< 0 = queries come from one full matrix
  Count kv_rank{0};
  Count nope_dim{0};   ///< per head, without position
  Count rope_dim{0};   ///< with rotary position: per head for queries, shared for keys
  Count value_dim{0};
  Count copies{1};     ///< such blocks in one layer (LongCat: 2)
  bool bias = false;   ///< on the two down maps and the output
  bool output_gate = false; ///< a further matrix from the hidden state to all value channels (Kimi K3)
  Count index_dim{0};  ///< of the key by which an indexer selects tokens, cached beside the latent vector (DeepSeek V3.2); 0 = no indexer

  friend bool operator==(const LatentAttention&, const LatentAttention&) = default;
};

/// A layer's attention to its own tokens, whichever its kind, in the numbers that formulas and shares need: of one head, before GPUs
/// divide it. Made from Attention or LatentAttention in core/method/layers/attention_shape.cpp, and nowhere else.
struct AttentionShape {
  std::string_view id;       ///< part of a group's name where the kind has one; "" = heads with maps of their own
  std::string_view label;    ///< e.g. "latent-attention"
  std::string_view citation; ///< of the kind; "" = that of its formulas
  Count copies{1};           ///< such blocks in one layer
  Count heads{0};            ///< of queries; 0 = the layer does not attend
  Count kv_heads{0};         ///< of the keys and values that queries meet
  Count query_dim{0};        ///< channels of a query, and of a key
  Count value_dim{0};        ///< channels of a value
  Count rotary_dim{0};       ///< channels of a head that rotary positions turn
  std::int64_t input_maps = 0; ///< that read the hidden state
  Count query_vector{0};     ///< channels that queries are expanded from, whole on every GPU; 0 = they are not
  Count key_value_vector{0}; ///< channels that keys and values are expanded from, besides the rotary part; 0 = they are not
  Count expanded_dim{0};     ///< channels of a key that are expanded; the rotary part is shared by all heads
  bool caches_vector = false; ///< cached is one vector, whole on every GPU, in place of keys and values by head
  Count cached_keys{0};      ///< channels cached of one token and head, or of the one vector
  Count cached_values{0};
  Count index_dim{0};        ///< of the key by which an indexer selects tokens, cached besides; 0 = no indexer
  AttentionPattern pattern = AttentionPattern::full;
  Count window{0};           ///< tokens, with AttentionPattern::sliding and AttentionPattern::chunked
};

struct Mlp {
  Count intermediate_size{0}; ///< 0 = the layer has none
  MlpKind kind = MlpKind::gated;
  bool bias = false;
  Activation activation = Activation::native;
  Count copies{1};      ///< LongCat: 2
  bool borrowed = false;

  friend bool operator==(const Mlp&, const Mlp&) = default;
};

/// Mixture of experts: each token runs through `per_token` of `experts`, and through the shared ones.
struct Moe {
  Count experts{0}; ///< 0 = the layer has none
  Count per_token{0};
  Count expert_size{0};  ///< intermediate channels of one expert
  Count shared_size{0};  ///< intermediate channels of all shared experts together; 0 = none
  MlpKind kind = MlpKind::gated;
  bool bias = false;            ///< on the matrices of the experts
  bool router_bias = false;     ///< on the router's linear map (gpt-oss)
  bool correction_bias = false; ///< one number per expert that only steers the choice (DeepSeek V3)
  bool shared_gate = false;     ///< a gate from the hidden state for the shared expert (Qwen2-MoE)
  Count zero_experts{0};        ///< experts without parameters that the router may choose (LongCat)
  Count latent_size{0};         ///< experts work on a narrower vector: maps down and up (Nemotron 3); 0 = on hidden_size
  bool latent_norm = false;
  bool router_scales = false;   ///< a scale per input channel and one per expert (Gemma 4)

  friend bool operator==(const Moe&, const Moe&) = default;
};

/// What one layer is made of. Any of the parts may be there: Falcon-H1 has attention and a state space side by side.
struct Layer {
  Attention attention;
  Attention cross; ///< attends to the encoder's output
  LatentAttention latent;
  Recurrence recurrence;
  Mlp mlp;
  Moe moe;
  Count norms{2};        ///< norms of width hidden_size
  bool parallel = false; ///< attention and MLP read the same norm (Phi, GPT-J, Falcon)
  bool fused_projections = false; ///< query, key and value are one matrix, and so are gate and up (GPT-2, Phi-3)
  bool encoder = false;           ///< stands in the encoder of an encoder-decoder
  std::vector<Tensor> extras;     ///< what is particular to a family; `layers` times, like the rest

  friend bool operator==(const Layer&, const Layer&) = default;
};

/// Layers that are alike.
struct LayerGroup : Layer {
  std::string id;    ///< "" when the model has one group, else e.g. "sliding": part of component ids
  std::string label; ///< e.g. "sliding-window layers"
  Count layers{0};
  AttentionShape attention_shape;   ///< of `attention` or `latent`
  RecurrenceShape recurrence_shape; ///< of `recurrence`; zeros when there is none

  bool attends() const noexcept { return attention_shape.heads > Count{0}; }
  /// Whether keys and values are expanded from a vector.
  bool expands_vectors() const noexcept { return attention_shape.key_value_vector > Count{0}; }
};

struct Tower;

struct Model {
  std::string id;   ///< catalogue id, or "custom"
  std::string name; ///< as people write it
  Count hidden_size{1};
  Count vocab_size{1};
  Count learned_positions{0}; ///< rows of a learned position table; 0 = rotary or none
  Count max_context{0};       ///< tokens the model was made for; 0 = unknown
  Count encoder_tokens{0};    ///< of the encoder's sequence where the model fixes them (Whisper: 1500 of 30 seconds); 0 = those of the context
  Count rotary_factors{0};    ///< numbers that stretch the rotary frequencies (head_dim/2 with Llama 3.1's scaling); GGUF files hold them
  NormKind norm = NormKind::rmsnorm;
  bool tied_embeddings = false; ///< the output head is the embedding table
  bool head_bias = false;       ///< the output head has a bias of vocab_size
  bool has_head = true;         ///< false: an encoder, which gives vectors and no logits (BERT)
  bool caps_logits = false;     ///< logits go through a scaled tanh (Gemma 2)
  bool scalar_head = false;     ///< one number per token in place of logits: a reward model, a critic; has_head is false then
  std::vector<LayerGroup> groups;      ///< in the order in which they first appear
  std::vector<std::uint16_t> pattern;  ///< for each layer from first to last, its group
  std::vector<LayerGroup> prediction;  ///< layers of one multi-token-prediction depth, beside the head; their tensors are among `tensors`
  Count prediction_depths{0};          ///< tokens predicted besides the next one
  std::vector<Tower> towers;           ///< that see or hear; their tensors are among `tensors`
  ModelTensors tensors;                ///< every parameter, in the order of a forward pass; groups one after the other

  const LayerGroup* group_of(const ModelTensor& tensor) const noexcept {
    return tensor.group == ModelTensor::kNoGroup ? nullptr : &groups[tensor.group];
  }
  /// Tokens of the encoder's sequence where those of the context are so many, and of the sequence that a group of layers gets.
  Count encoder_sequence(Count context) const noexcept { return encoder_tokens > Count{0} ? encoder_tokens : context; }
  Count sequence_of(const LayerGroup& group, Count context) const noexcept { return group.encoder ? encoder_sequence(context) : context; }
};

/// Whether tokens of any of the model's layers choose among experts.
bool has_experts(const Model& model) noexcept;

/// How a model's processor cuts an image or a sound into patches, and how many patches become a token.
enum class TokenRule : unsigned char {
  unknown, ///< image_tokens has to be stated
  fixed,   ///< every image is made as large as the tower's own
  grid,    ///< sides are rounded to whole tokens, within a smallest and a largest area (Qwen-VL)
  area,    ///< every image is made as large as so many tokens hold, in whole tokens (Gemma 4)
  rows,    ///< no side longer than a longest one; a further token ends each row (Pixtral)
  tiles,   ///< as many square tiles as fit the shape best, and the whole image as one more (InternVL)
  seconds, ///< so many patches in each second of sound
};

/// What a tower gets, and how much of it becomes a token.
struct TowerInput {
  TensorKind kind = TensorKind::vision;
  TokenRule rule = TokenRule::unknown;
  Count join{1};        ///< patches that become one token
  Count side{0};        ///< grid, area, rows: pixels along a token; tiles: along a tile
  Count patches{0};     ///< of one image (fixed), one tile (tiles), one second (seconds)
  Count least{0};       ///< grid: fewest pixels; seconds: sounds are filled up to a multiple of so many
  Count most{0};        ///< grid, area: most pixels; rows: pixels of the longest side; tiles: most tiles
  Count frames{1};      ///< of a video that are one patch deep
  Count frame_most{0};  ///< area: most pixels of a frame; 0: of a frame as of an image
};

/// A tower as a model of its own.
struct Tower : TowerInput {
  Model model; ///< a token is a patch
};

struct TowerArchitecture;

/// Everything a family says about a model; make_model() turns it into groups and tensors.
struct Architecture {
  std::string id;
  std::string name;
  Count hidden_size{1};
  Count vocab_size{1};
  Count embedding_size{0};    ///< width of the token table where it differs from hidden_size (OPT-350m); 0 = hidden_size
  Count learned_positions{0};
  Count max_context{0};
  Count encoder_tokens{0};
  Count rotary_factors{0};
  NormKind norm = NormKind::rmsnorm;
  bool final_norm = true;
  bool tied_embeddings = false;
  bool head_bias = false;
  bool has_head = true;
  bool has_embedding = true;    ///< false: images and sounds come in place of tokens (ViT, wav2vec2)
  bool caps_logits = false;
  std::vector<Layer> layers;    ///< one for each layer, in order
  std::vector<Layer> prediction; ///< layers of one prediction depth; their tensors stand in `extras`
  Count prediction_depths{0};
  std::vector<TowerArchitecture> towers; ///< their tensors stand in `extras`
  std::vector<Tensor> extras;   ///< outside layers: embedding norm, per-layer tables, towers, prediction layers, shared blocks
};

/// What make_model() turns into a Tower: it gives vectors and no logits, so no loss is its own.
struct TowerArchitecture : TowerInput {
  Architecture architecture;
};

/// Equal layers become one group, whatever stands between them. Tensors follow from the layers' parts (core/method/layers).
Model make_model(const Architecture& architecture);

/// The tensors of one layer, for parts outside the stack such as multi-token-prediction layers: with `kind` instead of their own.
std::vector<Tensor> tensors_of(const Layer& layer, Count hidden_size, NormKind norm);

} // namespace plimsoll
