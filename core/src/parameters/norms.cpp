#include "parameters/tensors.hpp"
#include "term.hpp"

namespace plimsoll::parameters {

namespace {

constexpr SymbolText kVectors{"vectors", "", "1 for RMSNorm (weight), 2 for LayerNorm (weight and bias)", "norm"};
constexpr SymbolText kHidden{"hidden", "channels", "width of the model; norms are whole on every GPU", "hidden_size"};

constexpr Formula kLayerNorms{.id = "parameters.norms",
                              .label = "Norms",
                              .unit = "parameters",
                              .text = "layers * norms * vectors * hidden",
                              .citation = "rmsnorm",
                              .basis = Basis::counted,
                              .symbols = {{{"layers", "layers", "layers of this kind", "layers"},
                                           {"norms", "", "norms per layer", "norms_per_layer"},
                                           kVectors,
                                           kHidden}}};

constexpr Formula kFinalNorm{.id = "parameters.final_norm",
                             .label = "Final norm",
                             .unit = "parameters",
                             .text = "vectors * hidden",
                             .citation = "rmsnorm",
                             .basis = Basis::counted,
                             .symbols = {{kVectors, kHidden}}};

Count vectors_of(const Model& model) noexcept { return Count{model.norm == NormKind::layernorm ? 2 : 1}; }

} // namespace

Term layer_norms(const Model& model, const LayerGroup& group, Count layers) noexcept {
  const Count vectors = vectors_of(model), h = model.hidden_size;
  return make_term(kLayerNorms, layers * (group.norms * (vectors * h)),
                   {layers.value, group.norms.value, vectors.value, h.value});
}

Term final_norm(const Model& model) noexcept {
  const Count vectors = vectors_of(model), h = model.hidden_size;
  return make_term(kFinalNorm, vectors * h, {vectors.value, h.value});
}

} // namespace plimsoll::parameters
