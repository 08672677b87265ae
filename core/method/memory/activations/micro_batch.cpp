// What comes with a micro-batch, beside what layers make of it: the attention mask, activations on their way between stages, and
// what multi-token prediction joins. Megatron-LM, megatron/core/pipeline_parallel/schedules.py, megatron/core/datasets/gpt_dataset.py.
#include "method/memory/activations/common.hpp"
#include "plimsoll/method/pipeline.hpp"

#include <algorithm>

namespace plimsoll::memory {

namespace {

struct Source {
  std::string_view citation;
};
constexpr FormulaText mask_formula(Source source) noexcept {
  return {.id = "memory.activations.mask",
          .label = "Attention mask",
          .unit = "bytes",
          .text = "sequences * context * context * entry",
          .citation = source.citation,
          .basis = Basis::published,
          .symbols = {{{"sequences", "sequences", "of one micro-batch", "batch"},
                       {"context", "tokens", "tokens per sequence", "context_tokens"},
                       {"entry", "bytes", "of one pair of tokens: a bool, or what eager code adds to its score", "attention"}}}};
}
constexpr Formula kMask{[] { return mask_formula({.citation = "megatron_dataset"}); }};
constexpr Formula kDocuments{[] { return mask_formula({.citation = "transformers_masks"}); }};

constexpr Formula kBuffers{[] { return FormulaText{
    .id = "memory.activations.pipeline_buffers",
    .label = "Handed between stages",
    .unit = "bytes",
    .text = "buffers * tokens * hidden * residual",
    .citation = "megatron_schedules",
    .basis = Basis::measured,
    .symbols = {{{"buffers", "", "received or to be sent, and still held", "profile"},
                 kBetween,
                 kHidden,
                 {"residual", "bytes", "size of one number of the residual stream", "precision"}}}}; }};

// A stage has a place for the input and for the gradient of each micro-batch of a step, and keeps what it handed on until that comes back.
// torch/distributed/pipelining/stage.py, _prepare_forward_infra, _create_grad_recv_info and fwd_cache of forward_one_chunk. Inputs of those in
// flight are what their first layer keeps.
constexpr Formula kStage{[] { return FormulaText{
    .id = "memory.activations.stage_buffers",
    .label = "Inputs, outputs and gradients between stages",
    .unit = "bytes",
    .text = "tensors * tokens * hidden * residual",
    .citation = "torch_stages",
    .basis = Basis::published,
    .symbols = {{{"tensors", "", "inputs of micro-batches that are not in flight, gradients of all of them, outputs of those in flight", "micro_batches"},
                 kBetween,
                 kHidden,
                 {"residual", "bytes", "size of one number of the residual stream", "precision"}}}}; }};

// Two norms with their inputs, whose outputs are joined to a vector of twice the width, and a last norm with its input.
constexpr Formula kPrediction{[] { return FormulaText{
    .id = "memory.activations.prediction",
    .label = "Multi-token prediction",
    .unit = "bytes",
    .text = "depths * tokens * hidden * (3 * norm_bytes + 3 * element)",
    .citation = "megatron_mtp",
    .basis = Basis::measured,
    .symbols = {{{"depths", "", "tokens predicted besides the next one, for every micro-batch in flight", ""},
                 kBetween,
                 kHidden,
                 {"norm_bytes", "bytes", "kept inside one norm for each channel", "profile"},
                 kElement}}}; }};

} // namespace

// Kernels that never make the scores are told where documents begin: a number for each, which nobody would see in the sum.
bool masks_documents(const Scenario& scenario) noexcept {
  if (scenario.workload.batching != Batching::packed) return false;
  return std::ranges::any_of(scenario.model.groups, [&](const LayerGroup& group) {
    return attends(group) && keeps_scores(attention_kernel(scenario, group));
  });
}

Term attention_mask(const Scenario& scenario) noexcept {
  const Count sequences{scenario.workload.batch}, context{scenario.workload.context_tokens};
  const bool documents = masks_documents(scenario), fused = scenario.profile.training.attention.kernel == AttentionKernel::fused_softmax;
  const Bytes entry = documents && !fused ? precision_bytes(scenario.strategy.precision).compute : Bytes{1};
  return make_term(documents ? kDocuments : kMask, sequences * (context * context) * entry, {sequences.value, context.value, entry.value});
}

Term pipeline_buffers(const Scenario& scenario) noexcept {
  const Constant& buffers = scenario.profile.training.pipeline_buffers;
  const Count tokens = tokens_between(scenario), h = scenario.model.hidden_size;
  const Bytes residual = precision_bytes(scenario.strategy.precision).residual;
  return make_term(kBuffers, Count{buffers.value} * (tokens * (h * residual)), {buffers.value, tokens.value, h.value, residual.value}, {.provenance = &buffers});
}

Term stage_buffers(const Scenario& scenario, const Stage& stage) noexcept {
  Count tensors;
  const Count all{scenario.workload.micro_batches};
  for (std::int64_t index = 0, chunks = chunks_per_rank(scenario.strategy); index < chunks; ++index) {
    const Chunk chunk = chunks == 1 ? Chunk{.embeds = stage.embeds(), .has_head = stage.has_head()} : chunk_of(scenario.model, scenario.strategy, stage.rank(), index);
    const Count alive = micro_batches_in_flight(scenario.strategy, scenario.workload, stage.rank(), index);
    if (!chunk.embeds) tensors += all - alive;
    if (!chunk.has_head) tensors += all + alive;
  }
  const Count tokens = tokens_between(scenario), h = scenario.model.hidden_size;
  const Bytes residual = precision_bytes(scenario.strategy.precision).residual;
  return make_term(kStage, tensors * (tokens * (h * residual)), {tensors.value, tokens.value, h.value, residual.value});
}

Term saved_prediction(const Scenario& scenario, Count micro_batches) noexcept {
  const Count depths = micro_batches * scenario.model.prediction_depths, tokens = tokens_between(scenario), h = scenario.model.hidden_size;
  const Bytes norm{norm_constant(scenario, trained(scenario).norms).value}, element = precision_bytes(scenario.strategy.precision).compute;
  return make_term(kPrediction, depths * (tokens * (h * (Count{3} * norm + Count{3} * element))),
                   {depths.value, tokens.value, h.value, norm.value, element.value});
}

} // namespace plimsoll::memory
