// What the MLP keeps depends on whether its activation is one operation or several; see norms.cpp for the method.
#include "method/memory/activations/common.hpp"

namespace plimsoll::memory {

namespace {

constexpr Formula kMlp{[] { return FormulaText{
    .id = "memory.activations.mlp",
    .label = "MLP",
    .unit = "bytes",
    .text = "layers * tokens * mlp_elements * element * channels",
    .citation = "saved_tensors",
    .basis = Basis::published,
    .symbols = {{kLayers,
                 kTokens,
                 {"mlp_elements", "", "tensors of that width kept: gate, activation, up and, where the next map trains, product when gated and not fused",
                  "profile"},
                 kElement,
                 {"channels", "channels", "intermediate channels of this GPU", "intermediate_size"}}}}; }};

constexpr Formula kPlainMlp{[] { return FormulaText{
    .id = "memory.activations.mlp",
    .label = "MLP, activation written out in Python",
    .unit = "bytes",
    .text = "layers * tokens * bytes_per_channel * channels",
    .citation = "measured_h200",
    .basis = Basis::measured,
    .symbols = {{kLayers,
                 kTokens,
                 {"bytes_per_channel", "bytes", "kept by the operations that the activation is made of", "activation"},
                 {"channels", "channels", "intermediate channels of this GPU", "intermediate_size"}}}}; }};

} // namespace

Term saved_mlp(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept {
  const MlpProfile& profile = scenario.profile.training.mlp;
  const Constant& kept = gated(group) ? profile.gated_saved : profile.plain_saved;
  const Count tokens = tokens_inside(scenario, group), f = mlp_share(group, scenario.strategy).intermediate;
  const Bytes element = precision_bytes(scenario.strategy.precision).compute;
  const Count unread{keeps_inputs(scenario) ? 0 : 1}; // the input of a frozen map
  if (group.mlp.activation == Activation::gelu_new) {
    const Constant& bytes = autocasts(scenario.strategy.precision) ? profile.gelu_new_bytes_mixed
                            : scenario.strategy.precision == Precision::fp32     ? profile.gelu_new_bytes_fp32
                                                                           : profile.gelu_new_bytes;
    const Bytes each = Bytes{bytes.value} - unread * element;
    return make_term(kPlainMlp, layers * (tokens * (f * each)), {layers.value, tokens.value, each.value, f.value}, {.group = &group, .provenance = &bytes});
  }
  const Count tensors = Count{kept.value} - unread;
  return make_term(kMlp, layers * (tokens * (tensors * (f * element))),
                   {layers.value, tokens.value, tensors.value, element.value, f.value}, {.group = &group, .provenance = &kept});
}

} // namespace plimsoll::memory
