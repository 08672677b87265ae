#pragma once

#include "plimsoll/method/formula.hpp"
#include "plimsoll/method/scenario.hpp"

namespace plimsoll::memory {

/// The loss as this scenario computes it.
const LossProfile& loss_profile(const Scenario& scenario) noexcept;

/// Bytes per logit when the loss is computed, and at the worst moment of its backward pass.
const Constant& forward_logits(const Scenario& scenario) noexcept;
const Constant& backward_logits(const Scenario& scenario) noexcept;

/// What a loss is of, the same at all its moments: one GPU's part of the vocabulary, tokens of a micro-batch, and those of the piece at work.
struct Logits {
  Count vocab, tokens, piece;
};
Logits logits_of(const Scenario& scenario) noexcept;

/// Logits and cross-entropy of one micro-batch at one moment: `per_logit` of all tokens, `per_piece` of the piece at work.
Term loss(const Logits& logits, const Constant& per_logit, const Constant& per_piece) noexcept;
Term loss(const Logits& logits, const Constant& per_logit) noexcept;
/// The gradient of the whole head that one piece makes, beside the sum of those before it; 0 where the head is frozen or works at once.
Term piece_gradient(const Scenario& scenario) noexcept;
/// What micro-batches keep that wait for their backward pass.
Term waiting_losses(const Scenario& scenario, Count micro_batches) noexcept;
/// Logits that the last stage of torch.distributed.pipelining returns at the end of a step; 0 where the loss never has all of a micro-batch.
Term stage_outputs(const Scenario& scenario) noexcept;
/// What capped logits keep besides, from the loss to its backward pass. Losses that never have all logits cap them on the way.
bool keeps_capped_logits(const Scenario& scenario) noexcept;
Term capped_logits(const Scenario& scenario, Count micro_batches) noexcept;

/// What prediction depths keep of their losses: each has its own logits.
Term prediction_losses(const Scenario& scenario, Count micro_batches) noexcept;
/// What micro-batches keep whose head's weight gradient is put off: gradients of logits, and inputs of the head.
Term deferred_head(const Scenario& scenario, Count micro_batches) noexcept;

} // namespace plimsoll::memory
