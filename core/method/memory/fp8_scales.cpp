// NVIDIA/TransformerEngine, transformer_engine/pytorch/quantization.py, DelayedScalingRecipeState: for each map's three operands of the forward
// pass and two of the backward pass a scale, and the largest values of so many steps, all fp32.
#include "method/memory/activations/common.hpp"

namespace plimsoll::memory {

namespace {

constexpr Formula kScales{[] { return FormulaText{.id = "memory.weights.fp8_scales",
                          .label = "Scales and histories of fp8",
                          .unit = "bytes",
                          .text = "maps * 5 * (history + 1) * 4",
                          .citation = "te_recipes",
                          .basis = Basis::published,
                          .symbols = {{{"maps", "maps", "of this GPU's layers, each expert's by themselves", "layers"},
                                       {"history", "steps", "whose largest values are kept", "profile"}}}}; }};

/// Transformer Engine's maps of one layer: one to queries, keys and values, one behind attention, two of an MLP.
Count maps_of(const Scenario& scenario, const LayerGroup& group) noexcept {
  Count maps;
  if (group.expands_vectors()) maps += Count{group.attention_shape.input_maps + 2 + (layer_share(group, scenario.strategy).query_vector > Count{0} ? 1 : 0)};
  else if (attends(group) || recurs(group)) maps += Count{2};
  if (group.mlp.intermediate_size > Count{0}) maps += Count{2};
  if (group.moe.shared_size > Count{0}) maps += Count{2};
  if (has_experts(group)) maps += Count{2} * experts_of_gpu(group.moe.experts, scenario.strategy);
  return maps;
}

} // namespace

Term fp8_scales(const Scenario& scenario, const Stage& stage) noexcept {
  Count maps;
  for (const LayerGroup& group : scenario.model.groups) maps += stage.held(group) * maps_of(scenario, group);
  const Constant& history = scenario.profile.training.fp8.history;
  return make_term(kScales, maps * (Count{5} * (Count{history.value + 1} * Bytes{4})), {maps.value, history.value}, {.provenance = &history});
}

} // namespace plimsoll::memory
