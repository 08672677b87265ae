// The fused kernels of Mamba-2 keep what comes out of the input map and what goes into the output map, and compute convolution and
// states again in the backward pass: mamba_ssm/ops/triton/ssd_combined.py. Gated DeltaNet kernels do likewise.
#include "memory/activations/common.hpp"

namespace plimsoll::memory {

namespace {

constexpr Formula kRecurrence{
    .id = "memory.activations.recurrence",
    .label = "Recurrence",
    .unit = "bytes",
    .text = "layers * tokens * element * (projected + copies * inner)",
    .citation = "ssd_saved",
    .basis = Basis::assumed,
    .symbols = {{kLayers,
                 kTokens,
                 kElement,
                 {"projected", "channels", "out of the input maps, of this GPU", ""},
                 {"copies", "", "out of the recurrence and, where the output map trains, into it", ""},
                 {"inner", "channels", "of the recurrence's output, of this GPU", ""}}}};

} // namespace

Term saved_recurrence(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept {
  const LayerShare share = layer_share(group, scenario.strategy);
  const Count tokens = tokens_inside(scenario);
  const Bytes element = regime_bytes(scenario.strategy.regime).compute;
  const Count copies{trained(scenario).matrices ? 2 : 1};
  return in_group(make_term(kRecurrence,
                            layers * (tokens * ((share.recurrent_projected + copies * share.recurrent_inner) * element)),
                            {layers.value, tokens.value, element.value, share.recurrent_projected.value, copies.value,
                             share.recurrent_inner.value}),
                  group);
}

} // namespace plimsoll::memory
