#pragma once
// The peak of estimate() for one strategy after another of the same scenario, each block visited no more often than it changes:
//   what layers keep     by degrees, schedule, micro-batch and recomputation
//   states               by all but the recomputation
//   gradients            by all; of models with one group of layers, as states
// Frozen weights are visited whole every time.

#include "method/moments/lifetimes.hpp"
#include "method/parameters/kind_counts.hpp"
#include "plimsoll/method/pipeline.hpp"
#include "plimsoll/method/scenario.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace plimsoll::planning {

class PeakMemory {
public:
  /// `scenario` must outlive it; whoever changes its strategy or workload says so below. At most `recomputes` kinds of recomputation.
  PeakMemory(const Scenario& scenario, std::size_t recomputes);

  /// Degrees, schedule, micro-batch or accumulation are new.
  void open_layout();
  /// Sharding or offload are new.
  void open_states();
  /// No peak with these states is lower. Bytes{kMax} where amounts leave the 64-bit range.
  Bytes states() const noexcept { return states_; }
  /// With the recomputation that the scenario has now: number `recompute` of those that the caller tries.
  Bytes peak(std::size_t recompute);

private:
  static constexpr std::size_t kMoments = 10;
  using AtMoments = std::array<Bytes, kMoments>; ///< what is alive at each
  struct Kept {
    std::array<bool, 2> computed{}; ///< by whether a pipeline's stage has its gradients whole, which decides what is alive
    std::array<AtMoments, 2> at{};
    const LayerGroup* heaviest = nullptr; ///< whose layer decides; null on a stage without layers
  };
  struct Rank {
    std::int64_t rank = 0;
    AtMoments states{};
    std::vector<AtMoments> gradients; ///< by heaviest group
    std::vector<bool> gradients_there;
  };

  template <class Visit> AtMoments sum(const Stage& stage, Visit&& visit) const;
  const Kept& kept(std::size_t recompute, std::size_t rank);
  const AtMoments& gradients(Rank& rank, const Kept& kept);
  Stage stage_of(std::int64_t rank) const noexcept { return {scenario_.model, scenario_.strategy, scenario_.workload, rank, Shared{.kinds = &kinds_}}; }
  void find_ranks();

  const Scenario& scenario_;
  std::size_t recomputes_;
  bool frozen_, one_group_;
  KindCounts kinds_;            ///< of the layout
  std::vector<Rank> ranks_;     ///< that may be the fullest
  std::size_t rank_count_ = 0;
  std::vector<Kept> kept_;      ///< by rank and recomputation
  std::array<moments::LifetimeSet, kMoments> alive_{};
  std::size_t moment_count_ = 0, whole_ = 0;
  Bytes states_;
};

} // namespace plimsoll::planning
