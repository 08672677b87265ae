#pragma once
// What one GPU multiplies in a pass of serving.

#include "method/time/reads.hpp"
#include "plimsoll/method/hardware.hpp"
#include "plimsoll/method/pipeline.hpp"
#include "plimsoll/method/scenario.hpp"

namespace plimsoll::timing {

/// Operations of one token with the weights of the layers on the GPU; an encoder has no part in a step.
Count layer_work(const Scenario& scenario, const Stage& stage, Phase phase = Phase::prompt) noexcept;
/// The same of the output head; 0 where the host has it.
Count head_work(const Scenario& scenario, const Stage& stage) noexcept;
/// Operations of attention's core and of recurrences for one token, on average over the context.
Count context_work(const Scenario& scenario, const Stage& stage) noexcept;
/// The same over a context of so many tokens.
Count context_work(const Scenario& scenario, const Stage& stage, Count context) noexcept;
/// Tokens that the engine finds again of a prompt, the first `tokens` of which an earlier request has left in its cache: whole pages of them, and nothing of
/// models with recurrences, whose states stand at the end of what was read, not at every page's.
Count found_again(const Scenario& scenario, Count tokens) noexcept;
/// Tokens at the beginning of a prompt whose keys and values the engine has from an earlier one: whole pages, and never the last token,
/// which the next one is sampled from (vllm-project/vllm, vllm/v1/core/kv_cache_manager.py, get_computed_blocks).
Count cached_prompt_tokens(const Scenario& scenario) noexcept;

/// The number format in which the engine multiplies: that of the weights where kernels and device have it, else of activations.
Arithmetic arithmetic_of(const Scenario& scenario, const Efficiency& efficiency) noexcept;

/// FLOP/s of the device in that format, by its data sheet; of packed blocks in int8 less what scaling each of them takes. 0 = not published.
std::int64_t multiply_rate(const Scenario& scenario, const Efficiency& efficiency) noexcept;

} // namespace plimsoll::timing
