// Where multiplications run in 8 or 4 bits, a map keeps its input as it was multiplied, with the scales of its blocks, and not in the 16
// bits in which it came; what else reads the tensor keeps it as before: a norm its input, attention its output, an activation what it
// acts on, the router of a mixture of experts the output of its norm. Maps that read the same tensor one by one keep a copy each, as those to the
// latent vectors of queries and of keys do. Megatron-LM has the maps behind attention and into shared experts keep the 16 bits that attention
// and the router keep anyhow (megatron/core/transformer/attention.py, multi_latent_attention.py and moe/shared_experts.py,
// set_save_original_input), but with delayed scaling. NVIDIA/TransformerEngine, transformer_engine/pytorch/module/linear.py,
// layernorm_linear.py and grouped_linear.py; sizes of blocks: transformer_engine/common/recipe/__init__.py.
#include "method/memory/activations/common.hpp"
#include "method/memory/quantised_blocks.hpp"

namespace plimsoll::memory {

namespace {

constexpr Formula kInputs{[] { return FormulaText{.id = "memory.activations.quantised_inputs",
                          .label = "Inputs of maps, in 8 or 4 bits",
                          .unit = "bytes",
                          .text = "ceil_div(layers * (tokens * read + inside * wide + rows * routed), block) * block_bytes",
                          .citation = "te_saved_inputs",
                          .basis = Basis::published,
                          .symbols = {{kLayers,
                                       kBetween,
                                       {"read", "channels", "out of norms that maps read", "hidden_size"},
                                       {"inside", "tokens", "of this GPU inside attention and MLP", "batch"},
                                       {"wide", "channels", "into the output maps of attention and MLP, of this GPU", "intermediate_size"},
                                       {"rows", "rows", "that this GPU's experts receive", "experts_per_token"},
                                       {"routed", "channels", "into both maps of an expert, of this GPU", "expert_size"},
                                       {"block", "", "numbers that share a scale", "fp8_recipe"},
                                       {"block_bytes", "bytes", "of one block with its scale", "fp8_recipe"}}}}; }};

} // namespace

bool quantises_inputs(const Scenario& scenario) noexcept {
  return scenario.strategy.fp8 != Fp8::none && !scenario.profile.training.fp8.casts && trained(scenario).matrices;
}

Term quantised_inputs(const Scenario& scenario, const LayerGroup& group, Count layers, LayerTensors counted) noexcept {
  const LayerShare share = layer_share(group, scenario.strategy);
  const Count h = scenario.model.hidden_size, tokens = tokens_between(scenario, group), inside = tokens_inside(scenario, group);
  const bool shares = shares_inputs(scenario);
  const std::int64_t mixers = counting(counted, kMixerInput, group.expands_vectors() ? group.attention_shape.input_maps : attends(group) || recurs(group) ? 1 : 0);
  const std::int64_t mlps = counting(counted, kMlpInput, group.mlp.intermediate_size > Count{0} ? 1 : 0) + counting(counted, kSharedInside, group.moe.shared_size > Count{0} && !shares ? 1 : 0);
  const Count read = Count{mixers + mlps} * h + counting(counted, kLatentOutputs, share.query_vector + share.key_value_vector);
  const Count wide = counting(counted, kAttentionOutput, shares ? Count{0} : share.output_width) + counting(counted, kOtherTensors, share.recurrent_inner) + counting(counted, kMlpInside, share.intermediate) +
                     counting(counted, kSharedInside, share.shared);
  const Count rows = has_experts(group) ? routed_rows(scenario.workload, scenario.strategy, group.moe.per_token) : Count{0};
  const Count routed = counting(counted, kExpertActivated, share.expert) + counting(counted, kExpertInputs, group.moe.latent_size > Count{0} ? group.moe.latent_size : h);
  const QuantisedBlock block = block_of_activations(scenario.strategy.fp8_recipe);
  const Count numbers = layers * (tokens * read + inside * wide + rows * routed);
  return make_term(kInputs, ceil_div(numbers, block.numbers) * block.bytes,
                   {layers.value, tokens.value, read.value, inside.value, wide.value, rows.value, routed.value, block.numbers.value, block.bytes.value}, {.group = &group});
}

} // namespace plimsoll::memory
