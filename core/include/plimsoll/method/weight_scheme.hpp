#pragma once
// Which tensor of a model is stored in which layout. A quantised model is a mix: embeddings, heads, norms and routers are kept in
// other formats than the rest, and some engines give the same tensor more bits in the first and last layers. A scheme says so in
// ordered rules; reading schemes from data is plimsoll/io/weights.hpp's matter.

#include "plimsoll/method/model.hpp"
#include "plimsoll/method/quantity.hpp"
#include "plimsoll/method/weight_format.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace plimsoll {

/// Layers by their place i among n; quotients are rounded down, as the engines do.
enum class LayerSet : unsigned char {
  all,
  first,           ///< i < WeightRule::first_layers
  ends,            ///< the first and the last
  first_sixteenth, ///< i < n/16
  first_eighth,    ///< i < n/8
  middle,          ///< n/8 <= i < 7n/8
  more_bits,       ///< outside `middle`, and every third one inside: those that llama.cpp's "M" mixes favour
  listed,          ///< those in WeightRule::layer_list
};

enum class Presence : unsigned char { any, yes, no };

/// Conditions, all of which must hold; what is left at its default holds always.
struct WeightRule {
  std::uint32_t kinds = 0;        ///< one bit per TensorKind; 0 = any
  std::vector<std::string> names; ///< any of these; none = any
  Presence matrix = Presence::any; ///< Tensor::matrix
  LayerSet layers = LayerSet::all; ///< tensors outside layers are in no set but `all`
  Count first_layers{0};
  std::vector<std::uint16_t> layer_list; ///< sorted
  bool among_alike = false;        ///< i and n count only the layers that have such a tensor
  Count layer_count{0};            ///< the model has exactly so many layers; 0 = any
  Count gqa_at_least{0};           ///< query heads per key-value head, of the tensor's layer
  Count experts{0};                ///< the model has exactly so many experts; 0 = any
  Count experts_at_least{0};
  Presence tied = Presence::any;   ///< the embedding table is the output head, or there is no head
  Presence fused = Presence::any;  ///< Layer::fused_projections
  Count columns_not_multiple_of{0}; ///< 0 = any
  std::size_t format = 0;          ///< index into WeightScheme::formats

  friend bool operator==(const WeightRule&, const WeightRule&) = default;
};

constexpr std::uint32_t bit_of(TensorKind kind) noexcept { return std::uint32_t{1} << static_cast<unsigned>(kind); }

/// What is stored of the matrix that expands the latent vector of multi-head latent attention (kv_b_proj).
enum class LatentMap : unsigned char {
  joined, ///< the one matrix, as in checkpoints
  split,  ///< its key half, transposed, and its value half apart
  both,   ///< all three
};

struct WeightScheme {
  std::string id;   ///< e.g. "q4_k_m"
  std::string name; ///< as its engine writes it
  std::string citation;
  std::vector<WeightFormat> formats; ///< at least one; the first is for tensors that no rule takes
  std::vector<WeightRule> rules;     ///< the first that holds decides
  LatentMap latent_map = LatentMap::joined;
  Bytes rotary_factor_bytes{0}; ///< per number of Model::rotary_factors, where the engine's files hold them
  Bytes compute_bytes{2};       ///< of one activation when computing with these weights
  std::size_t stated = 0;       ///< so many of the rules, the first, were stated for the tensors of one file

  friend bool operator==(const WeightScheme&, const WeightScheme&) = default;
};

/// Tensors of a model as they are stored: `layers` × `copies` matrices of rows × columns in one layout.
struct StoredTensor {
  std::size_t tensor = 0; ///< index into Model::tensors: what it belongs to, and how GPUs divide it
  Count layers{1};        ///< mixes give one tensor several layouts, by layer
  Count copies{1};
  Count rows{1};          ///< the tensor's own, except for the halves of a split latent map
  Count columns{1};
  std::size_t format = 0; ///< index into StoredWeights::formats
  bool is_first = true;   ///< of the layouts of this matrix; false: the same matrix in further layers
};

/// Layers in which the tensors of a kind and name have one layout, as a file states it.
struct TensorFormat {
  TensorKind kind = TensorKind::mlp;
  std::string name;                  ///< Tensor::name
  std::vector<std::uint16_t> layers{}; ///< their numbers among all layers, ascending; empty outside layers
  std::string format;                ///< id
};

struct StoredWeights {
  std::string scheme; ///< id
  std::vector<WeightFormat> formats;
  std::vector<StoredTensor> tensors; ///< in the order of Model::tensors
  Bytes tables{0};        ///< beside the parameters: rotary factors
  Bytes compute_bytes{2};
};

/// Whether some of its numbers are stored in blocks with a scale.
inline bool is_quantised(const StoredWeights& weights) noexcept {
  return std::ranges::any_of(weights.formats, [](const WeightFormat& format) { return !is_plain(format); });
}

/// The scheme with the output head stored as a matrix of a layer is.
WeightScheme with_quantised_head(WeightScheme scheme);

/// Total: never fails. A scheme without formats stores nothing.
StoredWeights store(const Model& model, const WeightScheme& scheme);

/// Whether the rule is about some tensor of the model, in one of its layers where it lists them.
bool takes_some(const Model& model, const WeightScheme& scheme, const WeightRule& rule);

Bytes stored_bytes(const StoredWeights& weights, const StoredTensor& tensor) noexcept;

/// Bytes of all tensors of that kind.
Bytes stored_bytes(const Model& model, const StoredWeights& weights, TensorKind kind) noexcept;

/// Bytes of the whole model with its tables: the language model and its towers, without prediction layers.
Bytes stored_bytes(const Model& model, const StoredWeights& weights) noexcept;

/// Cosines and sines that an engine keeps for every position up to Model::max_context: `number_bytes` × positions × rotary
/// dimension, one table for each different dimension. 0 without rotary attention or with an unknown context.
/// vLLM, vllm/model_executor/layers/rotary_embedding.
Bytes rotary_table_bytes(const Model& model, Bytes number_bytes) noexcept;

} // namespace plimsoll
