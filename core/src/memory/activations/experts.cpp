// What a mixture-of-experts layer keeps beside its dense parts: the router's scores, each token once for every expert it is sent
// to, and the experts' MLPs; shared experts are dense. Without expert parallelism every GPU sees all tokens, so how evenly the
// router spreads them does not matter. Megatron-LM, megatron/core/transformer/moe/experts.py; transformers, Qwen3-MoE.
#include "memory/activations/common.hpp"

namespace plimsoll::memory {

namespace {

constexpr Formula kExperts{
    .id = "memory.activations.experts",
    .label = "Experts",
    .unit = "bytes",
    .text = "layers * tokens * (element * (mlp_elements * (per_token * expert + shared) + 2 * per_token * hidden) "
            "+ 8 * experts + 12 * per_token)",
    .citation = "moe_saved",
    .basis = Basis::assumed,
    .symbols = {{kLayers,
                 kTokens,
                 kElement,
                 {"mlp_elements", "", "tensors of expert width kept: gate, activation, up and product when gated and not fused", "profile"},
                 {"per_token", "experts", "that one token is sent to: inputs and outputs are kept for each", "experts_per_token"},
                 {"expert", "channels", "intermediate channels of one expert, of this GPU", "expert_size"},
                 {"shared", "channels", "intermediate channels of the shared experts, of this GPU", "shared_expert_size"},
                 kHidden,
                 {"experts", "experts", "one fp32 score and one probability each", "experts"}}}};

} // namespace

Term saved_experts(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept {
  const LayerShare share = layer_share(group, scenario.strategy);
  const Constant& kept = gated(group) ? scenario.profile.training.mlp_gated_saved : scenario.profile.training.mlp_plain_saved;
  const Count tokens = micro_batch_tokens(scenario.workload), k = group.moe.per_token, experts = group.moe.experts;
  const Count h = group.moe.latent_size > Count{0} ? group.moe.latent_size : scenario.model.hidden_size;
  const Bytes element = regime_bytes(scenario.strategy.regime).compute;
  const Count numbers = Count{kept.value} * (k * share.expert + share.shared) + Count{2} * (k * h);
  const Bytes per_token = numbers * element + experts * Bytes{8} + k * Bytes{12};
  return in_group(make_term(kExperts, layers * (tokens * per_token),
                            {layers.value, tokens.value, element.value, kept.value, k.value, share.expert.value, share.shared.value,
                             h.value, experts.value}),
                  group);
}

} // namespace plimsoll::memory
