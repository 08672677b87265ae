// Which tensors autograd saves, operation by operation: a linear map keeps its input, a norm its input (and, in eager
// RMSNorm code, an fp32 copy and the normalised values), flash attention q, k, v, its output and the log-sum-exp, a gated
// MLP gate, activation, up and product. Generalises Korthikanti et al. 2022 (arXiv 2205.05198), table 2, to grouped-query
// attention and to the code that runs today; the bytes per channel are the profile's.
#include "method/memory/activations/common.hpp"

#include <algorithm>

namespace plimsoll::memory {

namespace {

constexpr Formula kNorms{[] { return FormulaText{
    .id = "memory.activations.norms",
    .label = "Norms and their outputs",
    .unit = "bytes",
    .text = "layers * tokens * (inputs * norm_bytes * hidden + norms * statistics + reads * element * hidden)",
    .citation = "saved_tensors",
    .basis = Basis::published,
    .symbols = {{kLayers,
                 kBetween,
                 {"inputs", "", "tensors that norms keep: one for two norms that keep the same input", "norms_per_layer"},
                 {"norms", "", "norms per layer", "norms_per_layer"},
                 {"norm_bytes", "bytes", "kept inside one norm for each channel", "profile"},
                 kHidden,
                 {"statistics", "bytes", "kept per token: 4 for RMSNorm, 8 for LayerNorm", "norm"},
                 {"reads", "", "copies of the norm outputs that linear maps keep: none where the maps are frozen", "precision"},
                 kElement}}}; }};

// A group that divides the tokens gathers them for its column-parallel maps. PyTorch's DTensor code multiplies, and so saves, the
// gathered input: torch/distributed/tensor/parallel/style.py, PrepareModuleInput, ColwiseParallel. Megatron-LM saves its own part and
// gathers again: megatron/core/tensor_parallel/layers.py, LinearWithGradAccumulationAndAsyncCommunication.
constexpr Formula kGatheredInputs{[] { return FormulaText{
    .id = "memory.activations.gathered_inputs",
    .label = "Inputs gathered from the tensor-parallel group",
    .unit = "bytes",
    .text = "layers * (gathered - tokens) * reads * element * hidden",
    .citation = "dtensor_inputs",
    .basis = Basis::published,
    .symbols = {{{"layers", "", "layers or heads that keep them, once for every micro-batch in flight", "layers"},
                 {"gathered", "tokens", "of all GPUs of the group", "batch"},
                 kBetween,
                 {"reads", "", "inputs that linear maps keep", ""},
                 kElement,
                 kHidden}}}; }};

constexpr Formula kCheckpoints{[] { return FormulaText{
    .id = "memory.activations.checkpoints",
    .label = "Layer inputs kept",
    .unit = "bytes",
    .text = "layers * tokens * hidden * residual",
    .citation = "checkpointing",
    .basis = Basis::published,
    .symbols = {{kLayers, kBetween, kHidden, {"residual", "bytes", "size of one number of the residual stream", "precision"}}}}; }};

constexpr SymbolText kMicroBatches{"micro_batches", "", "in flight on this GPU", "pipeline_parallel"};

constexpr Formula kHead{[] { return FormulaText{
    .id = "memory.activations.head",
    .label = "Final norm and head input",
    .unit = "bytes",
    .text = "micro_batches * tokens * (norm_bytes * hidden + statistics + inputs * element * hidden)",
    .citation = "saved_tensors",
    .basis = Basis::published,
    .symbols = {{kMicroBatches,
                 kBetween,
                 {"norm_bytes", "bytes", "kept inside one norm for each channel", "profile"},
                 kHidden,
                 {"statistics", "bytes", "kept per token: 4 for RMSNorm, 8 for LayerNorm", "norm"},
                 {"inputs", "", "of the head that it keeps: none where it is frozen", ""},
                 kElement}}}; }};

} // namespace

// How many hidden-sized tensors the linear maps keep as their inputs. Without autocast all readers of a norm share its output;
// autocast casts the fp32 output anew for each linear map (query, key, value; gate, up, or the fused ones), and each keeps it.
Count norm_reads(const Scenario& scenario, const LayerGroup& group, LayerTensors counted) noexcept {
  if (quantises_inputs(scenario)) return counting(counted, kMlpInput, Count{has_experts(group) ? 1 : 0}); // the router's, which multiplies in more bits
  if (!keeps_inputs(scenario)) return Count{0};
  const std::int64_t mixers = counting(counted, kMixerInput, attends(group) || recurs(group) ? 1 : 0), mlps = counting(counted, kMlpInput, has_mlp(group) ? 1 : 0);
  // Attention and MLP beside each other read one norm's output, or each that of its own.
  if (!autocasts(scenario.strategy.precision)) return Count{group.parallel && group.norms < Count{2} ? std::max(mixers, mlps) : mixers + mlps};
  if (group.fused_projections) return Count{mixers + mlps};
  const std::int64_t mixer_maps = attends(group) ? counting(counted, kMixerInput, group.attention_shape.input_maps) : mixers;
  const std::int64_t mlp_maps = has_experts(group) ? counting(counted, kMlpInput, 1) : gated(group) ? 2 * mlps : mlps; // experts keep their own inputs
  return Count{mixer_maps + mlp_maps};
}

namespace {

/// Of a layer's norms, those whose inputs are counted: half of them stand before or behind its mixer, where it has an MLP too.
Count norms_counted(const LayerGroup& group, LayerTensors counted) noexcept {
  const bool mixes = attends(group) || recurs(group);
  const Count of_mixer = !mixes ? Count{0} : has_mlp(group) ? ceil_div(group.norms, Count{2}) : group.norms;
  return counting(counted, kMixerNormInput, of_mixer) + counting(counted, kMlpNormInput, group.norms - of_mixer);
}

} // namespace

Term saved_norms(const Scenario& scenario, const LayerGroup& group, Count layers, LayerTensors counted) noexcept {
  const Count tokens = tokens_between(scenario, group), h = scenario.model.hidden_size;
  const Constant& kept = norm_constant(scenario, trained(scenario).norms);
  const Bytes statistics = norm_statistics(scenario.model), element = precision_bytes(scenario.strategy.precision).compute;
  const Count reads = norm_reads(scenario, group, counted), norms = norms_counted(group, counted);
  const Count inputs = group.parallel && norm_keeps_its_input(scenario) ? min(norms, Count{1}) : norms;
  const Bytes per_token = inputs * (h * Bytes{kept.value}) + norms * statistics + reads * (h * element);
  return make_term(kNorms, layers * (tokens * per_token),
                   {layers.value, tokens.value, inputs.value, norms.value, kept.value, h.value, statistics.value,
                    reads.value, element.value}, {.group = &group, .provenance = &kept});
}

namespace {

Term gathered_inputs(const Scenario& scenario, Count layers, Count reads) noexcept {
  const Count gathered = tokens_inside(scenario), tokens = tokens_between(scenario), h = scenario.model.hidden_size;
  const Bytes element = precision_bytes(scenario.strategy.precision).compute;
  return make_term(kGatheredInputs, layers * ((gathered - tokens) * (reads * (h * element))),
                   {layers.value, gathered.value, tokens.value, reads.value, element.value, h.value});
}

} // namespace

bool keeps_gathered_inputs(const Scenario& scenario) noexcept {
  const Strategy& strategy = scenario.strategy;
  return scenario.profile.training.keeps_gathered && strategy.sequence_parallel && strategy.tensor_parallel > 1;
}

Term gathered_inputs(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept {
  return in_group(gathered_inputs(scenario, layers, norm_reads(scenario, group)), group);
}

Term gathered_head_inputs(const Scenario& scenario, Count micro_batches) noexcept {
  return gathered_inputs(scenario, micro_batches, Count{trained(scenario).head ? 1 : 0});
}

bool norm_keeps_its_input(const Scenario& scenario) noexcept {
  return fp32_residual(scenario) || !is_rmsnorm(scenario.model); // RMSNorm code keeps an fp32 copy of a bf16 input
}

Term checkpoints(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept {
  const Count tokens = tokens_between(scenario, group), h = scenario.model.hidden_size;
  const Bytes residual = precision_bytes(scenario.strategy.precision).residual;
  return make_term(kCheckpoints, layers * (tokens * (h * residual)), {layers.value, tokens.value, h.value, residual.value}, {.group = &group});
}

Term saved_head(const Scenario& scenario, Count micro_batches) noexcept {
  const Count tokens = tokens_between(scenario), h = scenario.model.hidden_size;
  const Constant& kept = norm_constant(scenario, trained(scenario).final_norm);
  const Bytes statistics = norm_statistics(scenario.model), element = precision_bytes(scenario.strategy.precision).compute;
  const Count inputs{trained(scenario).head ? 1 : 0};
  return make_term(kHead, micro_batches * (tokens * (h * Bytes{kept.value} + statistics + inputs * (h * element))),
                   {micro_batches.value, tokens.value, kept.value, h.value, statistics.value, inputs.value, element.value}, {.provenance = &kept});
}

} // namespace plimsoll::memory
