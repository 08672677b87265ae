#include "parameters/tensors.hpp"
#include "term.hpp"

namespace plimsoll::parameters {

namespace {

// Gated: gate, up and down (Shazeer 2020); plain: up and down. The down bias is added after the sum over GPUs: every GPU
// holds it whole.
constexpr Formula kMlp{.id = "parameters.mlp",
                       .label = "MLP",
                       .unit = "parameters",
                       .text = "layers * (matrices * hidden * channels + bias * ((matrices - 1) * channels + hidden))",
                       .citation = "glu",
                       .basis = Basis::counted,
                       .symbols = {{{"layers", "layers", "layers of this kind", "layers"},
                                    {"matrices", "", "3 for a gated MLP (gate, up, down), 2 for a plain one", "mlp_kind"},
                                    {"hidden", "channels", "width of the model", "hidden_size"},
                                    {"channels", "channels", "intermediate channels of this GPU", "intermediate_size"},
                                    {"bias", "", "1 if the MLP has biases", "mlp_bias"}}}};

} // namespace

Term mlp(const Model& model, const LayerGroup& group, const LayerShare& share, Count layers) noexcept {
  const Count h = model.hidden_size, f = share.intermediate;
  const Count matrices{group.mlp.kind == MlpKind::gated ? 3 : 2}, bias{group.mlp.bias};
  const Count one_layer = matrices * (h * f) + bias * ((matrices - Count{1}) * f + h);
  return make_term(kMlp, layers * one_layer, {layers.value, matrices.value, h.value, f.value, bias.value});
}

} // namespace plimsoll::parameters
