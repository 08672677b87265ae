// The tables at both ends of the model: token embedding, learned positions, output head.
#include "parameters/tensors.hpp"
#include "term.hpp"

namespace plimsoll::parameters {

namespace {

constexpr SymbolText kVocab{"vocab", "rows", "vocabulary rows of this GPU", "vocab_size"};
constexpr SymbolText kHidden{"hidden", "channels", "width of the model", "hidden_size"};

constexpr Formula kEmbedding{.id = "parameters.embedding",
                             .label = "Token embedding",
                             .unit = "parameters",
                             .text = "vocab * hidden",
                             .citation = "transformer",
                             .basis = Basis::counted,
                             .symbols = {{kVocab, kHidden}}};

constexpr Formula kPositions{
    .id = "parameters.positions",
    .label = "Position table",
    .unit = "parameters",
    .text = "positions * hidden",
    .citation = "transformer",
    .basis = Basis::counted,
    .symbols = {{{"positions", "rows", "rows of the learned position table, whole on every GPU", "learned_positions"}, kHidden}}};

constexpr Formula kHead{.id = "parameters.head",
                        .label = "Output head",
                        .unit = "parameters",
                        .text = "(1 - tied) * vocab * hidden + bias * vocab",
                        .citation = "tied_embeddings",
                        .basis = Basis::counted,
                        .symbols = {{{"tied", "", "1 if the head is the embedding table", "tied_embeddings"},
                                     kVocab,
                                     kHidden,
                                     {"bias", "", "1 if the head has a bias", "head_bias"}}}};

} // namespace

Term embedding(const Model& model, const ModelShare& share) noexcept {
  return make_term(kEmbedding, share.vocab * model.hidden_size, {share.vocab.value, model.hidden_size.value});
}

Term positions(const Model& model) noexcept {
  return make_term(kPositions, model.learned_positions * model.hidden_size,
                   {model.learned_positions.value, model.hidden_size.value});
}

Term head(const Model& model, const ModelShare& share) noexcept {
  const Count tied{model.tied_embeddings}, bias{model.head_bias};
  const Count amount = (Count{1} - tied) * (share.vocab * model.hidden_size) + bias * share.vocab;
  return make_term(kHead, amount, {tied.value, share.vocab.value, model.hidden_size.value, bias.value});
}

} // namespace plimsoll::parameters
