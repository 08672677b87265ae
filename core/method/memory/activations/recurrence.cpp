// The fused kernels of Mamba-2 keep what comes out of the input map and what goes into the output map, and compute convolution and
// states again in the backward pass: mamba_ssm/ops/triton/ssd_combined.py. Gated DeltaNet kernels do likewise.
#include "method/memory/activations/common.hpp"

namespace plimsoll::memory {

namespace {

constexpr Formula kRecurrence{[] { return FormulaText{
    .id = "memory.activations.recurrence",
    .label = "Recurrence",
    .unit = "bytes",
    .text = "layers * tokens * (element * (projected + copies * inner) + head_bytes * heads)",
    .citation = "ssd_saved",
    .basis = Basis::assumed,
    .symbols = {{kLayers,
                 kTokens,
                 kElement,
                 {"projected", "channels", "out of the input maps, of this GPU", ""},
                 {"copies", "", "tensors as wide as the input of the output map", "profile"},
                 {"inner", "channels", "out of the recurrence and into the output map, of this GPU", ""},
                 {"head_bytes", "bytes", "kept per token and head: time steps and decays in fp32", "profile"},
                 {"heads", "heads", "of a state space, of this GPU", ""}}}}; }};

} // namespace

Term saved_recurrence(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept {
  const LayerShare share = layer_share(group, scenario.strategy);
  const Count tokens = tokens_inside(scenario);
  const Bytes element = precision_bytes(scenario.strategy.precision).compute;
  const RecurrenceProfile& profile = scenario.profile.training.recurrence;
  const Count copies{profile.inner_saved.value - (keeps_inputs(scenario) ? 0 : 1)}; // the input of a frozen output map is not kept
  const Bytes heads{profile.head_bytes.value};
  return make_term(kRecurrence,
                   layers * (tokens * ((share.recurrent_projected + copies * share.recurrent_inner) * element +
                                       share.recurrent_heads * heads)),
                   {layers.value, tokens.value, element.value, share.recurrent_projected.value, copies.value,
                    share.recurrent_inner.value, heads.value, share.recurrent_heads.value}, {.group = &group});
}

} // namespace plimsoll::memory
