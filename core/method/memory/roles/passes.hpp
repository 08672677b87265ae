#pragma once
// What the models of a composition make in passes without gradients. `scenario` is that of the model in the role.

#include "plimsoll/method/formula.hpp"
#include "plimsoll/method/scenario.hpp"

namespace plimsoll::memory {

/// Logits of every given token and their log-softmax, from which one log-probability per token is gathered.
Term scored_logits(const Scenario& scenario) noexcept;
/// What is kept of a teacher's logits until the backward of the loss: all of them, or `top_k` per token where that is above 0.
Term teacher_logits(const Scenario& scenario, Count top_k) noexcept;
/// `count` parameters that a GPU gathers from the others' shards to generate with whole weights.
Term gathered_weights(const Term& parameters, Count count, Bytes per_parameter) noexcept;

/// What an engine that takes a share of the device has beside `taken`, its weights and the cache of the answers.
Term reserved_cache(const Scenario& policy, Bytes taken) noexcept;

} // namespace plimsoll::memory
