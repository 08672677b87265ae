// What a mixture-of-experts layer keeps beside its dense parts: the router's scores, each token once for every expert it is sent
// to, and the experts' MLPs; shared experts are dense. Rows are those of an even router: with expert parallelism the busiest GPU
// gets more. Megatron-LM, megatron/core/transformer/moe/experts.py; transformers, Qwen3-MoE.
#include "method/memory/activations/common.hpp"

namespace plimsoll::memory {

namespace {

constexpr Formula kExperts{[] { return FormulaText{
    .id = "memory.activations.experts",
    .label = "Experts",
    .unit = "bytes",
    .text = "layers * rows * (element * (expert_elements * expert + copies * hidden) + row_bytes)",
    .citation = "moe_saved",
    .basis = Basis::assumed,
    .symbols = {{kLayers,
                 {"rows", "rows", "that this GPU's experts receive when the router spreads tokens evenly", "experts_per_token"},
                 kElement,
                 {"expert_elements", "", "tensors of expert width kept per row", "profile"},
                 {"expert", "channels", "intermediate channels of one expert, of this GPU", "expert_size"},
                 {"copies", "", "of each row that routing keeps", "profile"},
                 {"hidden", "channels", "that experts work on", "hidden_size"},
                 {"row_bytes", "bytes", "kept per row: indices and weights", "profile"}}}}; }};

constexpr Formula kRouter{[] { return FormulaText{
    .id = "memory.activations.router",
    .label = "Router",
    .unit = "bytes",
    .text = "layers * tokens * experts * bytes_per_expert",
    .citation = "moe_saved",
    .basis = Basis::assumed,
    .symbols = {{kLayers, kBetween, {"experts", "experts", "that the router scores", "experts"},
                 {"bytes_per_expert", "bytes", "scores and probabilities of one token for one expert", "profile"}}}}; }};

constexpr Formula kShared{[] { return FormulaText{
    .id = "memory.activations.shared_experts",
    .label = "Shared experts",
    .unit = "bytes",
    .text = "layers * tokens * mlp_elements * element * channels",
    .citation = "saved_tensors",
    .basis = Basis::published,
    .symbols = {{kLayers, kTokens, {"mlp_elements", "", "tensors of that width kept", "profile"}, kElement,
                 {"channels", "channels", "of the shared experts, of this GPU", "shared_expert_size"}}}}; }};

// The all-gather dispatcher holds on to what it computed of every layer's tokens until it is asked again. Megatron-LM,
// megatron/core/transformer/moe/token_dispatcher.py, MoEAllGatherTokenDispatcher.
constexpr Formula kDispatch{[] { return FormulaText{
    .id = "memory.activations.dispatcher",
    .label = "Held by the dispatcher",
    .unit = "bytes",
    .text = "layers * gathered * experts * bytes_per_expert",
    .citation = "megatron_dispatcher",
    .basis = Basis::measured,
    .symbols = {{{"layers", "layers", "of this kind on this GPU", "layers"},
                 {"gathered", "tokens", "of all GPUs that share the experts", "expert_parallel"},
                 {"experts", "experts", "that the router scores", "experts"},
                 {"bytes_per_expert", "bytes", "probabilities, map and indices of one token for one expert", "profile"}}}}; }};

} // namespace

Term dispatcher_leftovers(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept {
  const Constant& each = scenario.profile.training.moe.dispatch_bytes;
  const Count gathered = gathered_tokens(scenario.workload, scenario.strategy), experts = group.moe.experts;
  return make_term(kDispatch, layers * (gathered * (experts * Bytes{each.value})),
                   {layers.value, gathered.value, experts.value, each.value}, {.group = &group, .provenance = &each});
}

Term saved_experts(const Scenario& scenario, const LayerGroup& group, Count layers, LayerTensors counted) noexcept {
  const LayerShare share = layer_share(group, scenario.strategy);
  const MoeProfile& profile = scenario.profile.training.moe;
  const Constant& kept = gated(group) ? profile.gated_saved : profile.plain_saved;
  const Count rows = routed_rows(scenario.workload, scenario.strategy, group.moe.per_token);
  const Count h = group.moe.latent_size > Count{0} ? group.moe.latent_size : scenario.model.hidden_size;
  const Bytes element = precision_bytes(scenario.strategy.precision).compute;
  const Count unread{keeps_inputs(scenario) ? 0 : 1}; // the inputs of frozen maps
  const Count gathered{divides_experts(scenario.strategy) ? profile.gathered_copies.value : 0};
  const Count all = Count{kept.value} - unread, activated = min(Count{1} - unread, all); // the last maps' input is one of them where those train
  const Count tensors = counting(counted, kExpertHidden, all - activated) + counting(counted, kExpertActivated, activated);
  const Count copies = counting(counted, kExpertInputs, max(Count{profile.input_copies.value} + gathered - unread, Count{0}));
  const Count numbers = tensors * share.expert + copies * h;
  const Bytes row_bytes = counting(counted, kExpertInputs, Bytes{profile.row_bytes.value});
  return make_term(kExperts, layers * (rows * (numbers * element + row_bytes)),
                   {layers.value, rows.value, element.value, tensors.value, share.expert.value, copies.value, h.value,
                    row_bytes.value}, {.group = &group, .provenance = &kept});
}

Term saved_router(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept {
  const MoeProfile& profile = scenario.profile.training.moe;
  const Constant& each = scenario.implementation.router_fp32 ? profile.router_bytes_fp32 : profile.router_bytes;
  const Count tokens = tokens_between(scenario), experts = group.moe.experts;
  return make_term(kRouter, layers * (tokens * (experts * Bytes{each.value})),
                   {layers.value, tokens.value, experts.value, each.value}, {.group = &group, .provenance = &each});
}

Term saved_shared_experts(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept {
  const MlpProfile& profile = scenario.profile.training.mlp;
  const Constant& kept = gated(group) ? profile.gated_saved : profile.plain_saved;
  const Count tokens = tokens_inside(scenario), f = mlp_share(group, scenario.strategy).shared;
  const Bytes element = precision_bytes(scenario.strategy.precision).compute;
  const Count tensors = Count{kept.value} - Count{keeps_inputs(scenario) ? 0 : 1};
  return make_term(kShared, layers * (tokens * (tensors * (f * element))),
                   {layers.value, tokens.value, tensors.value, element.value, f.value}, {.group = &group, .provenance = &kept});
}

} // namespace plimsoll::memory
