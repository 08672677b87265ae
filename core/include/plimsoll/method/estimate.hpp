#pragma once
// The numbers: what one GPU holds at each moment of a step, and the largest of those moments.

#include "plimsoll/method/inplace_vector.hpp"
#include "plimsoll/method/quantity.hpp"
#include "plimsoll/method/scenario.hpp"

#include <array>
#include <string_view>

namespace plimsoll {

/// The categories of memory. Ids are stable; colours hang on them.
enum class Part : unsigned char { weights, gradients, optimizer, activations, loss, buffers, kv_cache, workspace, runtime, other_models };
inline constexpr std::size_t kParts = 10;

struct PartText {
  std::string_view id;    ///< e.g. "memory.kv_cache"
  std::string_view label; ///< e.g. "KV cache"
  std::string_view about; ///< one sentence
};
const PartText& text_of(Part part) noexcept;

/// A peak is a maximum over moments, never a sum of categories: categories do not peak together.
enum class Moment : unsigned char {
  prefill,              ///< inference: the prompt is read, in chunks
  decode,               ///< inference: one token per sequence
  rollout,              ///< reinforcement learning: answers are generated
  scoring,              ///< preference tuning: passes without gradients over given tokens
  forward_end,          ///< training: all activations kept, loss computed
  loss_backward,        ///< backward of the loss
  head_backward,        ///< backward of the output head
  last_layer_backward,  ///< backward of the last layer: almost all activations still alive
  first_layer_backward, ///< backward of the first layer: almost all gradients exist
  backward_end,         ///< all gradients exist
  optimizer_step,
  between_steps,        ///< what stays until the next step
};

struct MomentText {
  std::string_view id;
  std::string_view label;  ///< e.g. "backward of the loss"
  std::string_view phrase; ///< completes "it peaks ...", e.g. "in the backward of the loss"
  std::string_view about;
};
const MomentText& text_of(Moment moment) noexcept;

struct MomentUse {
  Moment moment = Moment::prefill;
  std::array<Bytes, kParts> parts{};
  Bytes total;
  Bytes low; ///< total with every uncertain constant at its low end
  Bytes high;
  Bytes requested;  ///< of total, what tensors and workspaces ask the framework's allocator for
  Bytes first_step; ///< training: `requested` in the first step, before optimizer states exist
};

inline constexpr MomentUse kNothingUsed{};

inline constexpr std::size_t kMaxMoments = 10;
inline constexpr std::size_t kMaxRanks = 64;

struct BytesRange {
  Bytes expected, low, high;
};

/// What an engine that takes its cache at the start has for it on each GPU. The rules are PoolRule's (profile.hpp).
struct CachePool {
  bool exists = false;   ///< false: the profile's engine takes memory as it needs it
  bool uniform = false; ///< every layer keeps every token: blocks and tokens say what fits
  BytesRange passes;    ///< activations of the engine's profile run
  BytesRange bytes;
  std::int64_t rank = 0; ///< the pipeline rank whose cache is full first: the engine gives all ranks as many pages as that one
  Count blocks;         ///< whole pages
  Count tokens;         ///< of all sequences together
  Count sequences;      ///< of the scenario's whole context, at once

  /// That fit into it together; 0 = nobody limits them.
  constexpr Count most_tokens() const noexcept { return exists ? tokens : Count{0}; }
};

/// The fullest moment of one pipeline rank.
struct RankPeak {
  Moment moment = Moment::prefill;
  Bytes total;
};

/// Fixed size, no heap, no strings. Moments are those of the fullest rank.
struct Estimate {
  std::int64_t rank = 0;          ///< pipeline rank that needs the most; other ranks of a stage need as much
  InplaceVector<RankPeak, kMaxRanks> ranks; ///< every pipeline rank's
  InplaceVector<MomentUse, kMaxMoments> moments; ///< in order of time; none where nothing was estimated
  std::size_t peak = 0;           ///< index of the largest moment
  Count gpus;                     ///< that the strategy needs
  Bytes host;                     ///< in the host's memory: training, what was offloaded of this GPU; serving, what the GPUs do not hold
  Bytes nvme;                     ///< training: of what was offloaded, on the host's NVMe drives instead
  Bytes movable;                  ///< training: of the peak, what the driver moves to the host where the device is full (paged optimizers)
  Bytes usable;                   ///< what a process can allocate on the device
  Bytes headroom;                 ///< usable - peak; negative when it does not fit, or fits only once `movable` has moved
  bool fits = false;              ///< without what can move
  bool saturated = false;         ///< some amount left the 64-bit range: the numbers are only lower bounds

  /// Nothing where nothing was estimated.
  const MomentUse& at_peak() const noexcept { return moments.size() == 0 ? kNothingUsed : moments[peak]; }
};

/// The same, with the moments of one pipeline rank, be it the fullest or not. 0 <= rank < pipeline_parallel.
Estimate estimate_rank(const Scenario& scenario, std::int64_t rank) noexcept;

/// Pure and total: never throws, prints or allocates; equal scenarios give equal bytes on every platform.
/// `scenario` must come from inputs without validate() errors.
Estimate estimate(const Scenario& scenario) noexcept;

/// What does not depend on the moment, of one pipeline rank.
struct Facts {
  Count parameters;               ///< of the whole model
  Count active_parameters;        ///< of them, those that one token meets
  Count parameters_per_gpu;
  Bytes kv_cache_per_token;       ///< inference: on one GPU, summed over layers, for one token far from any window's end
  Bytes kv_cache_growth;          ///< inference: the same for one token beyond the context, of the layers whose windows are not full by then
  Bytes states_per_parameter;     ///< training: weights, gradients and optimizer states together
};

/// Pure and total, like estimate(), which a search asks thousands of times and these never. 0 <= rank < pipeline_parallel.
Facts facts_of(const Scenario& scenario, std::int64_t rank) noexcept;

} // namespace plimsoll
