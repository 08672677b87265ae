#pragma once
// What serving holds besides the weights.

#include "plimsoll/formula.hpp"
#include "plimsoll/scenario.hpp"

namespace plimsoll::memory {

/// Keys and values of one group's layers for every sequence, in whole pages.
Term kv_cache(const Scenario& scenario, const LayerGroup& group) noexcept;
/// Keys and values of the encoder's tokens that the decoder attends to.
Term cross_kv_cache(const Scenario& scenario, const LayerGroup& group) noexcept;
/// What recurrences remember of every sequence.
Term recurrent_state(const Scenario& scenario, const LayerGroup& group) noexcept;
/// Keys and values of one token in one group's layers.
Term kv_cache_per_token(const Scenario& scenario, const LayerGroup& group) noexcept;
/// The activations alive in one forward pass over `tokens` tokens, in the group's widest layer.
Term forward_workspace(const Scenario& scenario, const LayerGroup& group, Count tokens) noexcept;
/// Tokens of one prefill pass: prefill_tokens, or all there are.
Count prefill_pass_tokens(const Workload& workload) noexcept;
Term logits(const Scenario& scenario) noexcept;
Term sampler(const Scenario& scenario) noexcept;

} // namespace plimsoll::memory
