#include "method/parameters/kinds.hpp"

#include "method/term.hpp"
#include "plimsoll/method/parameters.hpp"

#include <array>

namespace plimsoll {

namespace {

// The text of a branch is empty: it is the sum of its tensors, which the tree lists below it.
constexpr std::array<Formula, kTensorKinds> kBranches{
    Formula{[] { return FormulaText{.id = "parameters.embedding", .label = "Token embedding", .unit = "parameters", .text = "", .citation = "transformer"}; }},
    Formula{[] { return FormulaText{.id = "parameters.positions", .label = "Position tables", .unit = "parameters", .text = "", .citation = "transformer"}; }},
    Formula{[] { return FormulaText{.id = "parameters.attention", .label = "Attention", .unit = "parameters", .text = "", .citation = "gqa"}; }},
    Formula{[] { return FormulaText{.id = "parameters.indexer", .label = "Sparse-attention indexer", .unit = "parameters", .text = "", .citation = "deepseek_v32"}; }},
    Formula{[] { return FormulaText{.id = "parameters.recurrence", .label = "Recurrence", .unit = "parameters", .text = "", .citation = "recurrences"}; }},
    Formula{[] { return FormulaText{.id = "parameters.mlp", .label = "MLP", .unit = "parameters", .text = "", .citation = "glu"}; }},
    Formula{[] { return FormulaText{.id = "parameters.router", .label = "Router", .unit = "parameters", .text = "", .citation = "moe"}; }},
    Formula{[] { return FormulaText{.id = "parameters.experts", .label = "Experts", .unit = "parameters", .text = "", .citation = "moe"}; }},
    Formula{[] { return FormulaText{.id = "parameters.shared_experts", .label = "Shared experts", .unit = "parameters", .text = "", .citation = "moe"}; }},
    Formula{[] { return FormulaText{.id = "parameters.adapters", .label = "Adapters", .unit = "parameters", .text = "", .citation = "model_code"}; }},
    Formula{[] { return FormulaText{.id = "parameters.norms", .label = "Norms", .unit = "parameters", .text = "", .citation = "rmsnorm"}; }},
    Formula{[] { return FormulaText{.id = "parameters.final_norm", .label = "Final norm", .unit = "parameters", .text = "", .citation = "rmsnorm"}; }},
    Formula{[] { return FormulaText{.id = "parameters.head", .label = "Output head", .unit = "parameters", .text = "", .citation = "tied_embeddings"}; }},
    Formula{[] { return FormulaText{.id = "parameters.pooler", .label = "Pooler and classifier", .unit = "parameters", .text = "", .citation = "model_code"}; }},
    Formula{[] { return FormulaText{.id = "parameters.vision", .label = "Vision tower", .unit = "parameters", .text = "", .citation = "model_code"}; }},
    Formula{[] { return FormulaText{.id = "parameters.audio", .label = "Audio tower", .unit = "parameters", .text = "", .citation = "model_code"}; }},
    Formula{[] { return FormulaText{.id = "parameters.prediction", .label = "Prediction layers", .unit = "parameters", .text = "", .citation = "deepseek_v3"}; }},
    Formula{[] { return FormulaText{.id = "parameters.prediction_experts", .label = "Experts of prediction layers", .unit = "parameters", .text = "", .citation = "deepseek_v3"}; }}};

} // namespace

TensorKindText text_of(TensorKind kind) noexcept {
  const FormulaText& formula = parameters::formula_of(kind).written();
  return {formula.id.substr(formula.id.find('.') + 1), formula.label};
}

namespace parameters {

const LayerGroup& outside_layers() noexcept {
  static const LayerGroup kOutside = [] {
    LayerGroup group;
    group.id = "outside_layers";
    group.label = "outside the layers";
    return group;
  }();
  return kOutside;
}

const Formula& formula_of(TensorKind kind) noexcept { return kBranches[static_cast<std::size_t>(kind)]; }

Term kind_term(TensorKind kind, const LayerGroup* group, Count amount) noexcept {
  return make_term(formula_of(kind), amount, About{.group = group == nullptr && stands_in_layers(kind) ? &outside_layers() : group});
}

} // namespace parameters

} // namespace plimsoll
