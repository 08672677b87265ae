#pragma once
// The common steps of reading a model: each reads some facts of the file and fills what follows from them.

#include "architectures/family.hpp"
#include "architectures/steps/names.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

/// A decoder as its family's row describes it: the steps below, one after the other.
void build_decoder(ModelBuilder& draft);

/// Width, vocabulary, context, norm, ties, positions: what stands outside layers.
void read_frame(ModelBuilder& draft);
std::int64_t read_layer_count(ModelBuilder& draft);
/// Fills draft.out.layers with as many copies of `layer` as the file says.
void read_layers(ModelBuilder& draft, const Layer& layer);
/// read_frame(), then layers that are all alike, with attention: what most families begin with.
void read_alike_layers(ModelBuilder& draft);
/// Norms, parallel block and the kind of the MLP as the family's row says; without attention, the MLP without a width.
Layer read_block(ModelBuilder& draft);
Attention read_attention(ModelBuilder& draft);
/// What the attention of every layer gives is multiplied by a gate as wide as it (Trinity, Muse Glimmer).
void gate_attention(ModelBuilder& draft);
void read_rotary(ModelBuilder& draft, Attention& attention);
/// Every token looks at every other, and nothing is kept between passes: text diffusion, which reads the whole sequence in each of its steps
/// (LLaDA, arXiv 2502.09992, section 2.4).
void look_both_ways(ModelBuilder& draft);
void check_heads(ModelBuilder& draft, std::int64_t heads, std::int64_t kv, std::string_view field);
Mlp read_mlp_style(ModelBuilder& draft);
Count read_mlp_width(ModelBuilder& draft);
/// Gives every layer its MLP or its experts.
void read_feed_forward(ModelBuilder& draft);

/// A list with an entry for each layer. Nothing when absent or, with an issue, unusable.
std::optional<std::vector<std::string>> layer_words(ModelBuilder& draft, NameList names, std::size_t layers);
std::optional<std::vector<std::int64_t>> layer_numbers(ModelBuilder& draft, NameList names, Range range, std::size_t layers);
/// Whether every word is a known one; an error when not.
bool check_words(ModelBuilder& draft, const std::vector<std::string>& words, std::string_view name, NameList known);

/// Sets the reach of every attention layer by the family's rule.
void read_windows(ModelBuilder& draft);
/// The layers that `slides` names look back over `standard_window` tokens, unless people changed how many do, or how far.
void set_windows(ModelBuilder& draft, std::vector<bool> slides, std::int64_t standard_window);

Moe read_moe(ModelBuilder& draft, const ExpertRule& rule);
/// Which of the layers have experts.
std::vector<bool> read_expert_layers(ModelBuilder& draft, const ExpertRule& rule, std::size_t layers);
/// Layers with experts have `moe` instead of their MLP.
void place_experts(ModelBuilder& draft, const Moe& moe, const std::vector<bool>& sparse);

LatentAttention read_latent(ModelBuilder& draft);

/// How a family states its Mamba-2 layers.
struct Mamba2Rule {
  bool plain_names = false;      ///< num_heads and head_dim are those of the state space (Mamba-2 models)
  bool inner_from_heads = false; ///< channels = heads * head size; otherwise the expansion factor states them
  std::int64_t heads = 0, head_dim = 0; ///< defaults; 0 = from the channels
  std::int64_t state = 128;
  std::int64_t groups = 1;
};
Mamba2 read_mamba2(ModelBuilder& draft, const Mamba2Rule& rule);
/// `inner_norms`: Jamba's, whose MLP has the name intermediate_size, so that only the expansion factor states the channels.
Mamba1 read_mamba1(ModelBuilder& draft, bool inner_norms = false);
/// A width as a multiple of another, for factors such as 2 or 2.5.
std::int64_t scaled(std::int64_t width, double factor);

/// Tensors outside the usual parts.
Tensor map_tensor(std::string_view name, TensorKind kind, Count rows, Count columns, Count copies = Count{1});
Tensor vector_tensor(std::string_view name, TensorKind kind, Count size, Count copies = Count{1});
/// Appends tensors, each `copies` times and of that kind.
void add_tensors(std::vector<Tensor>& to, std::vector<Tensor> tensors, TensorKind kind, Count copies = Count{1});

/// Multi-token-prediction layers as DeepSeek stores them: `layer`, a map from twice the width to the width, three norms; `count` times.
void add_prediction(ModelBuilder& draft, const Layer& layer, std::int64_t count, std::int64_t norms = 3);
std::int64_t read_prediction_layers(ModelBuilder& draft, std::int64_t standard = 0);

/// The class that the file names first in `architectures`; "" where it names none.
std::string class_of(const ModelBuilder& draft);
/// Whether that class gives one label for a sequence, or one for each token.
bool classifies_sequences(const ModelBuilder& draft);
bool classifies_tokens(const ModelBuilder& draft);
/// Labels of a classifier.
Count read_labels(ModelBuilder& draft);
/// What such a class has in place of the output head.
void read_classifier(ModelBuilder& draft);

/// Vision and audio towers of multimodal files: exact ones as tensors, others as a note that they are not counted.
void read_towers(ModelBuilder& draft);

} // namespace plimsoll::io
