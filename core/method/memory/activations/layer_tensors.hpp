#pragma once
// Which tensors of a layer wait for its backward pass on the device, which are computed again, and which wait in the host's memory.

#include "plimsoll/method/scenario.hpp"

#include <cstdint>

namespace plimsoll::memory {

/// What a layer keeps, tensor by tensor: a set, one bit each.
enum LayerTensor : std::uint32_t {
  kMixerNormInput = 1 << 0,  ///< of the norm before attention or a recurrence, with its statistics
  kMixerInput = 1 << 1,      ///< that norm's output, which maps read
  kLatentInputs = 1 << 2,    ///< of the norms of latent vectors, and the keys' rotary part
  kLatentOutputs = 1 << 3,   ///< of those norms, which maps read
  kExpandedKeys = 1 << 4,    ///< keys of latent attention, before the rotary part is joined to them
  kQueriesKeysValues = 1 << 5,
  kScoreMatrix = 1 << 6,          ///< where no fused kernel does without them
  kAttentionOutput = 1 << 7, ///< with its log-sum-exp
  kMlpNormInput = 1 << 8,
  kMlpInput = 1 << 9,        ///< of MLP, router and shared experts
  kMlpInside = 1 << 10,
  kRouterScores = 1 << 11,
  kExpertInputs = 1 << 12,   ///< rows that experts receive
  kExpertHidden = 1 << 13,   ///< what their first maps make
  kExpertActivated = 1 << 14, ///< what their last maps read
  kSharedInside = 1 << 15,
  kOtherTensors = 1 << 16,   ///< what no module is asked for by name
};
using LayerTensors = std::uint32_t;
inline constexpr LayerTensors kAllTensors = (kOtherTensors << 1) - 1;

/// Whether some modules of every layer run again, or wait in the host's memory.
bool treats_modules_apart(const Strategy& strategy) noexcept;
/// Whether the scores of attention are computed again, and so never kept.
bool reruns_scores(const Strategy& strategy) noexcept;
/// Tensors that a layer of the group drops after its forward pass and computes again when it goes backward; scores are not among them.
LayerTensors run_again(const Scenario& scenario, const LayerGroup& group) noexcept;
/// Tensors that wait in the host's memory, of those that are not dropped.
LayerTensors on_host(const Scenario& scenario, const LayerGroup& group) noexcept;
/// What is left.
LayerTensors on_device(const Scenario& scenario, const LayerGroup& group) noexcept;

/// Bytes of such tensors in one layer of the group, for one micro-batch; without kOtherTensors.
Bytes layer_bytes(const Scenario& scenario, const LayerGroup& group, LayerTensors counted) noexcept;

} // namespace plimsoll::memory
