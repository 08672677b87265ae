// NVIDIA/TransformerEngine, transformer_engine/pytorch/cpu_offload.py, DefaultOffloadSynchronizer: the first layers go, each on its way while
// later ones run, and come back so that no more layers are on the device than do not go. verl, verl/utils/activation_offload.py: all but the
// last, and one more on its way. pytorch/torchtune, torchtune/training/_activation_offloading.py, and huggingface/trl,
// trl/models/activation_offloading.py: every saved tensor of 1024 bytes or more, the last ones of which stay until they are copied; TRL leaves a
// tensor where it is that was saved before, torchtune sends it again. Smaller tensors, which also go here, are some kilobytes.
#include "method/memory/activations/offloaded.hpp"

#include "method/memory/activations/common.hpp"

#include <algorithm>

namespace plimsoll::memory {

namespace {

constexpr Formula kKeptAgain{[] { return FormulaText{
    .id = "memory.activations.kept_again",
    .label = "Tensors that several operations keep",
    .unit = "bytes",
    .text = "layers * tokens * (hidden * (inputs * element + norms * twice) + output * element)",
    .citation = "saved_tensors",
    .basis = Basis::published,
    .symbols = {{{"layers", "layers", "that leave what they keep to the host", "offload_layers"},
                 kBetween,
                 kHidden,
                 {"inputs", "", "norm outputs: those that several maps read, or a copy for each further map", ""},
                 kElement,
                 {"norms", "", "norms per layer", "norms_per_layer"},
                 {"twice", "bytes", "per channel that two operations of a norm keep", "profile"},
                 {"output", "channels", "of attention, which it keeps as does the map that reads it", "query_heads"}}}}; }};

constexpr Formula kOnTheirWay{[] { return FormulaText{
    .id = "memory.activations.on_their_way",
    .label = "Tensors on their way to the host",
    .unit = "bytes",
    .text = "stash * numbers * element",
    .citation = "torchtune_offload",
    .basis = Basis::published,
    .symbols = {{{"stash", "tensors", "that are kept until they are copied, at most as large as the largest one", "profile"},
                 {"numbers", "numbers", "of the largest tensor of a layer", "intermediate_size"},
                 kElement}}}; }};

/// Maps that read one norm's output and keep it one by one, over those that share it: what autocast's copies are counted by already.
Count readers_of(const Scenario& scenario, const LayerGroup& group, bool each) noexcept {
  if (!keeps_inputs(scenario) || autocasts(scenario.strategy.precision) || group.fused_projections) return Count{0};
  const std::int64_t maps = attends(group) ? group.attention_shape.input_maps - 1 : 0;
  const std::int64_t further = has_experts(group) ? 1 : gated(group) ? 1 : 0; // a router beside experts, a gate beside the other map
  const auto counted = [&](std::int64_t more) { return each ? more : std::min<std::int64_t>(more, 1); };
  return Count{counted(maps) + counted(further)};
}

} // namespace

Count layers_away(const Scenario& scenario, const LayerGroup& group) noexcept {
  const Model& model = scenario.model;
  const OffloadProfile& offload = scenario.profile.training.offload;
  if (!moves_kept(scenario.strategy) || offload.kept == KeptOffload::none) return {};
  const bool by_layers = offload.kept == KeptOffload::layers;
  const std::int64_t able = std::ssize(model.pattern) - (by_layers ? 1 : 0), asked = scenario.strategy.offload_layers;
  const std::int64_t moved = std::max<std::int64_t>((asked > 0 ? std::min(asked, able) : able) - (by_layers ? offload.ahead.value : 0), 0);
  return Count{std::count_if(model.pattern.begin(), model.pattern.begin() + moved, [&](std::uint16_t at) { return &model.groups[at] == &group; })};
}

Count part_offloaded(const Scenario& scenario, Count layers) noexcept {
  const std::int64_t asked = scenario.strategy.offload_layers, all = std::ssize(scenario.model.pattern);
  return asked == 0 || asked >= all ? layers : ceil_div(layers * Count{asked}, Count{all});
}

bool moves_alone(const Scenario& scenario) noexcept {
  const OffloadProfile& offload = scenario.profile.training.offload;
  if (!moves_kept(scenario.strategy) || offload.kept != KeptOffload::layers || offload.ahead.value > 0) return false;
  const std::int64_t asked = scenario.strategy.offload_layers;
  return asked == 0 || asked >= std::ssize(scenario.model.pattern) - 1;
}

Term kept_again(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept {
  const bool stays = scenario.profile.training.offload.repeats_stay;
  const AttentionProfile& attention = scenario.profile.training.attention;
  const bool copied = attention_kernel(scenario, group) == AttentionKernel::flash && attention.copies_each_output;
  const Count tokens = tokens_between(scenario, group), h = scenario.model.hidden_size, inputs = readers_of(scenario, group, !stays);
  const Count output = attends(group) && keeps_inputs(scenario) && !copied ? layer_share(group, scenario.strategy).output_width : Count{0};
  const Constant& twice = scenario.profile.training.norms.twice;
  const Count norms = is_rmsnorm(scenario.model) ? group.norms : Count{0};
  const Bytes element = precision_bytes(scenario.strategy.precision).compute;
  return make_term(kKeptAgain, layers * (tokens * (h * (inputs * element + norms * Bytes{twice.value}) + output * element)),
                   {layers.value, tokens.value, h.value, inputs.value, element.value, norms.value, twice.value, output.value}, {.group = &group});
}

Term tensors_on_their_way(const Scenario& scenario, const LayerGroup& group) noexcept {
  const LayerShare share = layer_share(group, scenario.strategy);
  const Count h = scenario.model.hidden_size, inside = tokens_inside(scenario, group);
  const Count rows = has_experts(group) ? routed_rows(scenario.workload, scenario.strategy, group.moe.per_token) : Count{0};
  const Count numbers = max(inside * max(max(h, share.query_width), max(share.intermediate, share.shared)), rows * max(h, share.expert));
  const Constant& stash = scenario.profile.training.offload.stash;
  const Bytes element = precision_bytes(scenario.strategy.precision).compute;
  return make_term(kOnTheirWay, Count{stash.value} * (numbers * element), {stash.value, numbers.value, element.value}, {.group = &group});
}

} // namespace plimsoll::memory
