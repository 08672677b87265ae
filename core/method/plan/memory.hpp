#pragma once
// The peak of estimate() for one strategy after another of the same scenario: the same walks and sums, each made no more often than what
// it tells changes:
//   numbers of parameters    by degrees, which one search does not change
//   what a layer keeps       by degrees, micro-batch and recomputation
//   what layers keep         by schedule besides
//   what is beside states    likewise
//   states                   by all but the recomputation
//   gradients                by all; of models with one group of layers, as states
// Frozen weights are visited whole every time.

#include "method/memory/states.hpp"
#include "method/moments/layer_sums.hpp"
#include "method/moments/lifetimes.hpp"
#include "method/moments/moment_totals.hpp"
#include "method/parameters/kind_counts.hpp"
#include "plimsoll/method/pipeline.hpp"
#include "plimsoll/method/scenario.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace plimsoll::planning {

class PeakMemory {
public:
  /// `scenario` must outlive it; whoever changes its strategy or workload says so below, and leaves degrees as they are from the first layout
  /// on. At most `recomputes` kinds of recomputation.
  PeakMemory(const Scenario& scenario, std::size_t recomputes);

  /// Schedule, micro-batch or accumulation are new.
  void open_layout();
  /// Sharding or offload are new.
  void open_states();
  /// No peak with these states is lower. Bytes{kMax} where amounts leave the 64-bit range.
  Bytes states() const noexcept { return states_; }
  /// With the recomputation that the scenario has now: number `recompute` of those that the caller tries.
  Bytes peak(std::size_t recompute);

private:
  using AtMoments = std::array<Bytes, kMaxMoments>; ///< what is alive at each
  struct Kept {
    std::array<bool, 2> computed{}; ///< by whether a pipeline's stage has its gradients whole, which decides what is alive
    std::array<AtMoments, 2> at{};
    const LayerGroup* heaviest = nullptr; ///< whose layer decides; null on a stage without layers
  };
  struct Rank {
    std::optional<Stage> stage;
    Bytes beside; ///< states, at every moment
    AtMoments states{};
    std::vector<AtMoments> gradients; ///< by heaviest group
    std::vector<bool> gradients_there;
  };

  template <class Visit> AtMoments sum(Visit&& visit) const;
  const LayerSums& layers(std::size_t recompute);
  const Kept& kept(std::size_t recompute, std::size_t rank);
  const AtMoments& gradients(Rank& rank, const Kept& kept);
  void find_ranks();

  const Scenario& scenario_;
  std::size_t recomputes_;
  bool frozen_, one_group_;
  std::optional<KindCounts> kinds_;
  memory::StatePlan plan_; ///< of the present sharding and offload
  Term sum_;               ///< of what the ranks share
  std::vector<std::optional<LayerSums>> layers_; ///< by recomputation
  std::vector<Rank> ranks_;                      ///< that may be the fullest
  std::size_t rank_count_ = 0;
  std::vector<Kept> kept_;                       ///< by rank and recomputation
  std::optional<moments::Moments> moments_;      ///< of the states
  std::size_t whole_ = 0;
  Bytes states_;
};

} // namespace plimsoll::planning
