#pragma once
// What one GPU reads in a pass: weights as they are stored, experts as far as the tokens of the pass meet them, and the cache.

#include "plimsoll/method/formula.hpp"
#include "plimsoll/method/pipeline.hpp"
#include "plimsoll/method/scenario.hpp"

namespace plimsoll::timing {

/// Experts that at least one of `tokens` tokens meets, in millionths of all, when the router sends every token to `per_token` of them
/// at random: 1 - (1 - per_token / experts)^tokens. All where there is no choice.
Count met_experts(const Moe& moe, Count tokens) noexcept;
/// The same of the layers of a group, where the engine's runs tell how much some experts are liked more than others; of the GPU that has the
/// most to do.
Count met_experts(const Scenario& scenario, std::size_t group, Count tokens) noexcept;
/// A matrix of the experts of a group; null where it has none.
const ModelTensor* experts_of(const Model& model, std::size_t group) noexcept;

/// A prompt goes through the encoder and the decoder of an encoder-decoder, a step through the decoder only.
enum class Phase : unsigned char { prompt, step };

/// Weights that a pass reads: every matrix once, of the token table only rows, which do not count.
Bytes dense_weights(const Scenario& scenario, const Stage& stage, Phase phase = Phase::prompt) noexcept;
/// Those of all experts of one group.
Bytes expert_weights(const Scenario& scenario, const Stage& stage, const LayerGroup& group) noexcept;
/// Weights that a pass of so many tokens meets.
Bytes read_by(const Scenario& scenario, const Stage& stage, Count tokens) noexcept;

/// Tokens of so long a context that one GPU reads in a layer of the group.
Count tokens_read(const Scenario& scenario, const LayerGroup& group, Count context) noexcept;
/// Cache that a token of one sequence reads in one layer of the group when all of the context is there.
struct CacheRead {
  Count tokens;    ///< that the layer still attends to
  Bytes per_token; ///< in one layer
};
CacheRead cache_read(const Scenario& scenario, const LayerGroup& group) noexcept;

/// Layers on the GPU that a pass runs.
Count layers_of(const Scenario& scenario, const Stage& stage, Phase phase = Phase::prompt) noexcept;

/// All of the model, the host's layers among it: Stage keeps a reference to it.
Strategy without_host(const Strategy& strategy) noexcept;

} // namespace plimsoll::timing
