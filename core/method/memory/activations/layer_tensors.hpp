#pragma once
// Which tensors of a layer wait for its backward pass on the device, which are computed again, and which wait in the host's memory.

#include "plimsoll/method/scenario.hpp"

#include <cstdint>

namespace plimsoll::memory {

/// What a layer keeps, tensor by tensor: a set, one bit each.
enum LayerTensor : std::uint32_t {
  kMixerNormInput = 0x1,  ///< of the norm before attention or a recurrence, with its statistics
  kMixerInput = 0x2,      ///< that norm's output, which maps read
  kLatentInputs = 0x4,    ///< of the norms of latent vectors, and the keys' rotary part
  kLatentOutputs = 0x8,   ///< of those norms, which maps read
  kExpandedKeys = 0x10,    ///< keys of latent attention, before the rotary part is joined to them
  kQueriesKeysValues = 0x20,
  kScoreMatrix = 0x40,          ///< where no fused kernel does without them
  kAttentionOutput = 0x80, ///< with its log-sum-exp
  kMlpNormInput = 0x100,
  kMlpInput = 0x200,        ///< of MLP, router and shared experts
  kMlpInside = 0x400,
  kRouterScores = 0x800,
  kExpertInputs = 0x1000,   ///< rows that experts receive
  kExpertHidden = 0x2000,   ///< what their first maps make
  kExpertActivated = 0x4000, ///< what their last maps read
  kSharedInside = 0x8000,
  kOtherTensors = 0x10000,   ///< what no module is asked for by name
};
using LayerTensors = std::uint32_t;
inline constexpr LayerTensors kAllTensors = (kOtherTensors << 1) - 1;

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
