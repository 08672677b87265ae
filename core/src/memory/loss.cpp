// The loss path holds several vocabulary-wide tensors at once: bf16 logits, their fp32 copy, log-softmax and its gradient.
// How many is a matter of the implementation and of the moment, so it is the profile's. Every GPU of a tensor-parallel
// group holds all logits: they are gathered before an ordinary cross-entropy.
#include "memory/loss.hpp"

#include "memory/activations.hpp"
#include "term.hpp"

namespace plimsoll::memory {

namespace {

constexpr Formula kLoss{
    .id = "memory.loss",
    .label = "Logits and loss",
    .unit = "bytes",
    .text = "tokens * vocab * bytes_per_logit",
    .citation = "hf_causal_lm_loss",
    .basis = Basis::published,
    .symbols = {{{"tokens", "tokens", "sequences per micro-batch × tokens per sequence", "batch"},
                 {"vocab", "logits", "vocabulary of the model", "vocab_size"},
                 {"bytes_per_logit", "bytes", "held by this loss implementation at this moment", "profile"}}}};

} // namespace

Term loss(const Scenario& scenario, const Constant& per_logit) noexcept {
  const Count tokens = micro_batch_tokens(scenario.workload), vocab = scenario.model.vocab_size;
  return sourced(make_term(kLoss, tokens * (vocab * Bytes{per_logit.value}), {tokens.value, vocab.value, per_logit.value}),
                 per_logit);
}

} // namespace plimsoll::memory
