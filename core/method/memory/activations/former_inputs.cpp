// bitsandbytes before 0.43.2, autograd/_functions.py: MatMul4Bit.forward leaves its input in an attribute of the graph's node instead of
// handing it to save_for_backward. What is saved goes with the backward pass, an attribute with the node: a loop whose variable still
// holds the last loss (Lightning-AI/litgpt, litgpt/finetune/lora.py, fit) holds all nodes behind it, and so those inputs, while the next
// micro-batch goes forward. Assigning the next loss frees them.
#include "method/memory/activations/common.hpp"
#include "method/memory/recompute.hpp"

namespace plimsoll::memory {

namespace {

constexpr Formula kFormer{[] { return FormulaText{
    .id = "memory.activations.former_inputs",
    .label = "Inputs of the last micro-batch's 4-bit maps",
    .unit = "bytes",
    .text = "layers * tokens * element * (reads * hidden + output + channels)",
    .citation = "bitsandbytes_matmul",
    .basis = Basis::published,
    .symbols = {{kLayers,
                 kTokens,
                 kElement,
                 {"reads", "", "norm outputs that quantised maps read", ""},
                 kHidden,
                 {"output", "channels", "that attention gives to its output map", "query_heads"},
                 {"channels", "channels", "intermediate channels of this GPU", "intermediate_size"}}}}; }};

constexpr Formula kFormerHead{[] { return FormulaText{.id = "memory.activations.former_head_input",
                              .label = "Input of the last micro-batch's 4-bit head",
                              .unit = "bytes",
                              .text = "tokens * element * hidden",
                              .citation = "bitsandbytes_matmul",
                              .basis = Basis::published,
                              .symbols = {{kTokens, kElement, kHidden}}}; }};

} // namespace

bool keeps_former_inputs(const Scenario& scenario) noexcept {
  return scenario.profile.training.keeps_last_loss && keeps_quantised_inputs(scenario) && !reruns_layers(scenario.strategy.recompute);
}

Term former_inputs(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept {
  const LayerShare share = layer_share(group, scenario.strategy);
  const Count tokens = tokens_inside(scenario, group), h = scenario.model.hidden_size, reads = norm_reads(scenario, group);
  const Bytes element = precision_bytes(scenario.strategy.precision).compute;
  return make_term(kFormer, layers * (tokens * ((reads * h + share.output_width + share.intermediate) * element)),
                   {layers.value, tokens.value, element.value, reads.value, h.value, share.output_width.value, share.intermediate.value}, {.group = &group});
}

Term former_head_input(const Scenario& scenario) noexcept {
  const Count tokens = has_quantised_head(scenario) ? tokens_inside(scenario) : Count{0}, h = scenario.model.hidden_size;
  const Bytes element = precision_bytes(scenario.strategy.precision).compute;
  return make_term(kFormerHead, tokens * (h * element), {tokens.value, element.value, h.value});
}

} // namespace plimsoll::memory
