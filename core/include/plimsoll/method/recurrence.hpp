#pragma once
// Layers that keep a state of fixed size per sequence instead of a cache that grows: one alternative per published design.
// Each alternative states its dimensions; layers/ turns them into tensors and into the shape that memory formulas use.

#include "plimsoll/method/quantity.hpp"

#include <variant>

namespace plimsoll {

/// Selective state space, first version. Gu and Dao 2023 (arXiv 2312.00752).
struct Mamba1 {
  Count inner{1};  ///< channels of the state space, usually 2 * hidden_size
  Count state{16}; ///< numbers of state per channel
  Count rank{1};   ///< of the time-step projection
  Count kernel{4}; ///< taps of the causal convolution
  bool conv_bias = true;
  bool projection_bias = false;
  bool inner_norms = false; ///< norms of time step, B and C (Jamba)
  friend bool operator==(const Mamba1&, const Mamba1&) = default;
};

/// State space duality. Dao and Gu 2024 (arXiv 2405.21060). inner = heads * head_dim.
struct Mamba2 {
  Count heads{1};
  Count head_dim{64};
  Count state{128};
  Count groups{1}; ///< groups of heads that share B and C
  Count kernel{4};
  bool conv_bias = true;
  bool projection_bias = false;
  bool gated_norm = true;
  friend bool operator==(const Mamba2&, const Mamba2&) = default;
};

/// Gated DeltaNet (Qwen3-Next, Qwen3.5). Yang et al. 2024 (arXiv 2412.06464).
struct GatedDeltaNet {
  Count key_heads{1};
  Count value_heads{1};
  Count key_dim{128};
  Count value_dim{128};
  Count kernel{4};
  friend bool operator==(const GatedDeltaNet&, const GatedDeltaNet&) = default;
};

/// Kimi Delta Attention. Kimi Team 2025 (arXiv 2510.26692).
struct KimiDelta {
  Count heads{1};
  Count head_dim{128};
  Count kernel{4};
  bool full_rank_gate = false;  ///< the output gate is one full matrix, not a low-rank pair
  bool full_rank_decay = false; ///< likewise what the state forgets by (Ling 3)
  friend bool operator==(const KimiDelta&, const KimiDelta&) = default;
};

/// Lightning attention (MiniMax-01, M1). MiniMax 2025 (arXiv 2501.08313).
struct Lightning {
  Count heads{1};
  Count head_dim{128};
  friend bool operator==(const Lightning&, const Lightning&) = default;
};

/// Gated short convolution (LFM2).
struct ShortConvolution {
  Count kernel{3};
  bool bias = false;
  friend bool operator==(const ShortConvolution&, const ShortConvolution&) = default;
};

/// std::monostate: the layer has none.
using Recurrence = std::variant<std::monostate, Mamba1, Mamba2, GatedDeltaNet, KimiDelta, Lightning, ShortConvolution>;

/// What memory formulas ask of a recurrence, whichever it is. Counts are of the whole layer.
struct RecurrenceShape {
  Count units{1};         ///< heads or channels: what GPUs divide
  Count conv_channels{0}; ///< channels that the causal convolution remembers
  Count conv_taps{0};     ///< remembered per channel: kernel - 1
  Count state{0};         ///< numbers of recurrent state per sequence
  Count projected{0};     ///< channels per token that come out of the input projections
  Count inner{0};         ///< channels per token that go into the output projection
  Count heads{0};         ///< whose time steps and decays training keeps for every token; 0 = none
};

} // namespace plimsoll
