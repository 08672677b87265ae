// The loss path holds several vocabulary-wide tensors at once: 16-bit logits, their fp32 copy, log-softmax and its gradient.
// How many is a matter of the implementation and of the moment, so it is the profile's. An ordinary cross-entropy gathers the
// logits of a tensor-parallel group; Megatron-LM's leaves them divided. Losses that work piece by piece have one piece at a time.
#include "method/memory/loss.hpp"

#include "method/memory/activations.hpp"
#include "method/memory/states.hpp"
#include "method/term.hpp"
#include "plimsoll/method/parameters.hpp"

#include <bit>

namespace plimsoll::memory {

namespace {

constexpr SymbolText kTokens{"tokens", "tokens", "of all sequences of a micro-batch, padding included, of this GPU", "batch"};
constexpr SymbolText kVocab{"vocab", "logits", "vocabulary of the model, or this GPU's part of it", "vocab_size"};

constexpr Formula kLoss{[] { return FormulaText{
    .id = "memory.loss.logits",
    .label = "Logits and loss",
    .unit = "bytes",
    .text = "vocab * (tokens * bytes_per_logit + piece * bytes_per_piece)",
    .citation = "hf_causal_lm_loss",
    .basis = Basis::published,
    .symbols = {{kVocab,
                 kTokens,
                 {"bytes_per_logit", "bytes", "held by this loss implementation at this moment", "profile"},
                 {"piece", "tokens", "whose logits are at work at once", "profile"},
                 {"bytes_per_piece", "bytes", "held besides per logit of that piece", "profile"}}}}; }};

constexpr Formula kWaiting{[] { return FormulaText{
    .id = "memory.loss.waiting",
    .label = "Losses that wait for their backward pass",
    .unit = "bytes",
    .text = "micro_batches * vocab * tokens * bytes_per_logit",
    .citation = "hf_causal_lm_loss",
    .basis = Basis::published,
    .symbols = {{{"micro_batches", "", "besides the one at work", "pipeline_schedule"},
                 kVocab,
                 kTokens,
                 {"bytes_per_logit", "bytes", "kept from the loss to its backward pass", "profile"}}}}; }};

// torch/distributed/pipelining/stage.py, output_chunks of forward_one_chunk: what the last stage made is given up when the next step begins.
constexpr Formula kOutputs{[] { return FormulaText{
    .id = "memory.loss.outputs",
    .label = "Logits of the step's other micro-batches",
    .unit = "bytes",
    .text = "micro_batches * vocab * tokens * element",
    .citation = "torch_stages",
    .basis = Basis::published,
    .symbols = {{{"micro_batches", "", "of the step, besides the one at work", "micro_batches"}, kVocab, kTokens, {"element", "bytes", "size of one logit as the head makes it", "precision"}}}}; }};

constexpr Formula kPrediction{[] { return FormulaText{
    .id = "memory.loss.prediction",
    .label = "Losses of prediction depths",
    .unit = "bytes",
    .text = "depths * vocab * tokens * bytes_per_logit",
    .citation = "megatron_mtp",
    .basis = Basis::measured,
    .symbols = {{{"depths", "", "tokens predicted besides the next one, for every micro-batch in flight", ""},
                 kVocab,
                 kTokens,
                 {"bytes_per_logit", "bytes", "kept from the loss to its backward pass", "profile"}}}}; }};

// Logits divided by the cap, their tanh, and that times the cap: autograd keeps the tanh. transformers, models/gemma2/modeling_gemma2.py,
// Gemma2ForCausalLM.forward; LitGPT, litgpt/model.py, do_softcapping.
constexpr Formula kCapped{[] { return FormulaText{
    .id = "memory.loss.capped",
    .label = "Tanh that caps the logits",
    .unit = "bytes",
    .text = "micro_batches * vocab * tokens * element",
    .citation = "gemma2_capping",
    .basis = Basis::published,
    .symbols = {{{"micro_batches", "", "whose loss waits for its backward pass, or is at work", "pipeline_schedule"},
                 kVocab,
                 kTokens,
                 {"element", "bytes", "size of one logit as the head makes it", "precision"}}}}; }};

constexpr Formula kDeferred{[] { return FormulaText{
    .id = "memory.loss.deferred",
    .label = "Head gradients put off",
    .unit = "bytes",
    .text = "micro_batches * tokens * element * (vocab + hidden)",
    .citation = "megatron_deferral",
    .basis = Basis::measured,
    .symbols = {{{"micro_batches", "", "that may wait", "deferred_micro_batches"},
                 kTokens,
                 {"element", "bytes", "size of one activation", "precision"},
                 kVocab,
                 {"hidden", "channels", "width of the model", "hidden_size"}}}}; }};

constexpr Formula kPieceGradient{[] { return FormulaText{
    .id = "memory.loss.piece_gradient",
    .label = "Gradient of the head from one piece",
    .unit = "bytes",
    .text = "vocab * hidden * element",
    .citation = "chunked_loss",
    .basis = Basis::published,
    .symbols = {{kVocab, {"hidden", "channels", "width of the model", "hidden_size"}, {"element", "bytes", "size of one gradient as it is made", "precision"}}}}; }};

Count vocab_of(const Scenario& scenario) noexcept {
  return loss_profile(scenario).divided ? vocab_share(scenario.model, scenario.strategy) : scenario.model.vocab_size;
}

/// Pieces by fours, whose logits in fp32 would take no more than half of what is left beside the weights, and than the constant says; one where all of
/// them do. unsloth_zoo/fused_losses/cross_entropy_loss.py, get_chunk_size: what is left is asked when the first loss is computed.
Count piece_within(const Scenario& scenario, Count tokens, Bytes most) {
  const Bytes weights = is_frozen(scenario) ? stored_bytes(scenario.model, scenario.weights) : count_parameters(scenario.model) * precision_bytes(scenario.strategy.precision).weight;
  const Bytes room = min(most, Bytes{max(Bytes{scenario.hardware.usable_bytes} - weights, Bytes{2}).value / 2}), logits = tokens * (scenario.model.vocab_size * Bytes{4});
  if (logits <= room) return tokens;
  return ceil_div(tokens, Count{4} * ceil_div(Count{logits.value}, Count{4} * Count{room.value}));
}

/// Tokens of one piece. Liger: as many pieces as the vocabulary is wider than the hidden size, rounded to a power of two tokens.
/// Liger-Kernel, src/liger_kernel/ops/fused_linear_cross_entropy.py.
Count piece_of(const Scenario& scenario, Count tokens) noexcept {
  const std::int64_t chunks = loss_profile(scenario).chunks.value;
  if (const Constant& length = loss_profile(scenario).chunk_tokens; length.value > 0) return min(tokens, Count{scenario.workload.batch} * Count{length.value});
  if (const Constant& most = loss_profile(scenario).chunk_bytes; most.value > 0) return piece_within(scenario, tokens, Bytes{most.value});
  if (chunks > 0) return ceil_div(tokens, Count{chunks});
  if (scenario.model.vocab_size == Count{0}) return tokens; // an encoder without a head
  const Count wanted = ceil_div(tokens, ceil_div(scenario.model.vocab_size, scenario.model.hidden_size));
  return min(tokens, Count{static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(wanted.value)))});
}

} // namespace

const LossProfile& loss_profile(const Scenario& scenario) noexcept {
  const TrainingProfile& profile = scenario.profile.training;
  return scenario.strategy.precision == Precision::fp32 ? profile.loss_fp32 : profile.loss;
}

namespace {

/// A tensor-parallel group may compute the loss with code of its own. PyTorch source, torch/distributed/tensor/parallel/loss.py.
const Constant& in_parallel(const Scenario& scenario, const Constant& alone, const Constant& together) noexcept {
  return scenario.strategy.tensor_parallel > 1 && together.value > 0 ? together : alone;
}

} // namespace

const Constant& forward_logits(const Scenario& scenario) noexcept {
  const LossProfile& loss = loss_profile(scenario);
  return in_parallel(scenario, loss.forward, loss.parallel_forward);
}

const Constant& backward_logits(const Scenario& scenario) noexcept {
  const LossProfile& loss = loss_profile(scenario);
  return in_parallel(scenario, loss.backward, loss.parallel_backward);
}

Logits logits_of(const Scenario& scenario) noexcept {
  const Count tokens = tokens_inside(scenario);
  return {vocab_of(scenario), tokens, piece_of(scenario, tokens)};
}

Term loss(const Logits& logits, const Constant& per_logit, const Constant& per_piece) noexcept {
  const auto [vocab, tokens, piece] = logits;
  return make_term(kLoss, vocab * (tokens * Bytes{per_logit.value} + piece * Bytes{per_piece.value}),
                   {vocab.value, tokens.value, per_logit.value, piece.value, per_piece.value}, {.provenance = &per_logit});
}

Term loss(const Logits& logits, const Constant& per_logit) noexcept {
  static const Constant kNothing;
  return loss(logits, per_logit, kNothing);
}

Term prediction_losses(const Scenario& scenario, Count micro_batches) noexcept {
  const Constant& kept = loss_profile(scenario).between;
  const Count depths = micro_batches * scenario.model.prediction_depths, tokens = tokens_inside(scenario), vocab = vocab_of(scenario);
  return make_term(kPrediction, depths * (vocab * (tokens * Bytes{kept.value})), {depths.value, vocab.value, tokens.value, kept.value}, {.provenance = &kept});
}

Term deferred_head(const Scenario& scenario, Count micro_batches) noexcept {
  const Count tokens = tokens_inside(scenario), vocab = vocab_of(scenario), h = scenario.model.hidden_size;
  const Bytes element = precision_bytes(scenario.strategy.precision).compute;
  return make_term(kDeferred, micro_batches * (tokens * ((vocab + h) * element)),
                   {micro_batches.value, tokens.value, element.value, vocab.value, h.value});
}

Term piece_gradient(const Scenario& scenario) noexcept {
  const bool trains_head = trains(scenario.workload.task, scenario.tuning).head && loss_profile(scenario).head_in_pieces;
  const Count vocab = trains_head ? vocab_of(scenario) : Count{0}, h = scenario.model.hidden_size;
  const Bytes element = precision_bytes(scenario.strategy.precision).compute;
  return make_term(kPieceGradient, vocab * (h * element), {vocab.value, h.value, element.value});
}

bool keeps_capped_logits(const Scenario& scenario) noexcept { return scenario.model.caps_logits && loss_profile(scenario).between.value > 0; }

Term capped_logits(const Scenario& scenario, Count micro_batches) noexcept {
  const Count tokens = tokens_inside(scenario), vocab = vocab_of(scenario);
  const Bytes element = precision_bytes(scenario.strategy.precision).compute;
  return make_term(kCapped, micro_batches * (vocab * (tokens * element)), {micro_batches.value, vocab.value, tokens.value, element.value});
}

Term stage_outputs(const Scenario& scenario) noexcept {
  const bool whole = loss_profile(scenario).chunks.value <= 1 && loss_profile(scenario).chunk_tokens.value == 0;
  const Count others{whole ? scenario.workload.micro_batches - 1 : 0}, tokens = tokens_inside(scenario), vocab = vocab_of(scenario);
  const Bytes element = precision_bytes(scenario.strategy.precision).compute;
  return make_term(kOutputs, others * (vocab * (tokens * element)), {others.value, vocab.value, tokens.value, element.value});
}

Term waiting_losses(const Scenario& scenario, Count micro_batches) noexcept {
  const Constant& kept = loss_profile(scenario).between;
  const Count tokens = tokens_inside(scenario), vocab = vocab_of(scenario);
  return make_term(kWaiting, micro_batches * (vocab * (tokens * Bytes{kept.value})),
                   {micro_batches.value, vocab.value, tokens.value, kept.value}, {.provenance = &kept});
}

} // namespace plimsoll::memory
