// Recomputation by operation: a policy keeps the outputs of some operations, and the layer runs again around them. torchtitan keeps
// what attention makes, what tensor-parallel GPUs reduce and scatter, what experts exchange, and every second matrix product, counted
// in the order in which a layer runs them: torchtitan/distributed/activation_checkpoint.py; torch/utils/checkpoint.py,
// create_selective_checkpoint_contexts. The policy sees the product of a row-parallel map before it is reduced: as wide as the model
// is, for all tokens of the group.
#include "method/memory/activations/common.hpp"
#include "method/memory/activations/products.hpp"

namespace plimsoll::memory {

namespace {

constexpr Formula kOperations{[] { return FormulaText{
    .id = "memory.activations.operations",
    .label = "Outputs of operations kept",
    .unit = "bytes",
    .text = "layers * (tokens * (element * (products + attention) + 4 * heads) + element * hidden * (scattered + exchanged))",
    .citation = "torchtitan_recompute",
    .basis = Basis::published,
    .symbols = {{kLayers,
                 kTokens,
                 kElement,
                 {"products", "channels", "of the matrix products that are kept, of this GPU", "recompute"},
                 {"attention", "channels", "of attention's output, of this GPU", "query_heads"},
                 {"heads", "heads", "query heads of this GPU: one fp32 log-sum-exp each", "query_heads"},
                 {"hidden", "channels", "width of the model", "hidden_size"},
                 {"scattered", "tokens", "of this GPU after each reduce-scatter", "sequence_parallel"},
                 {"exchanged", "rows", "that experts receive and send back", "expert_parallel"}}}}; }};

/// Sums that a layer adds to the residual stream.
Count sums_of(const LayerGroup& group) noexcept {
  return Count{(attends(group) || recurs(group) ? 1 : 0) + (group.cross.query_heads > Count{0} ? 1 : 0) + (has_mlp(group) ? 1 : 0)};
}

} // namespace

Term kept_operations(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept {
  const OperationProfile& profile = scenario.profile.training.operations;
  const Strategy& strategy = scenario.strategy;
  const LayerShare share = layer_share(group, strategy);
  const Count tokens = tokens_inside(scenario, group), h = scenario.model.hidden_size;
  const Bytes element = precision_bytes(strategy.precision).compute;
  const bool normed = group.norms > Count{2}; // a norm reads what a layer adds last
  const bool last_is_read = profile.unread || normed;
  const Count products = Products{group, strategy, h, profile.router}.kept_width(profile.products.value, last_is_read);
  const bool fused = profile.attention && attends(group) && !keeps_scores(attention_kernel(scenario, group));
  const Count attention = fused ? share.output_width : Count{0}, heads = fused ? share.query_heads : Count{0};
  const bool scatters = profile.scattered && strategy.sequence_parallel && strategy.tensor_parallel > 1;
  const Count sums = max(sums_of(group) - Count{last_is_read ? 0 : 1}, Count{0});
  const Count scattered = scatters ? sums * tokens_between(scenario, group) : Count{0};
  const bool exchanges = profile.exchanged && strategy.expert_parallel > 1 && has_experts(group);
  const Count exchanged = exchanges ? Count{2} * routed_rows(scenario.workload, strategy, group.moe.per_token) : Count{0};
  const Bytes per_token = (products + attention) * element + heads * Bytes{4};
  return make_term(kOperations, layers * (tokens * per_token + (scattered + exchanged) * (h * element)),
                   {layers.value, tokens.value, element.value, products.value, attention.value, heads.value, h.value,
                    scattered.value, exchanged.value}, {.group = &group, .provenance = &profile.products});
}

} // namespace plimsoll::memory
