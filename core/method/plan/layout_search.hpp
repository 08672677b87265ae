#pragma once
// Every strategy of one layout, in an order that changes last what costs the least to change.

#include "method/plan/memory.hpp"
#include "method/plan/ranking.hpp"
#include "method/plan/work.hpp"
#include "plimsoll/method/plan.hpp"
#include "plimsoll/method/scenario.hpp"
#include "plimsoll/method/validate.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace plimsoll::planning {

class LayoutSearch {
public:
  /// Strategies are numbered from `first_number` on. `scenario` is that of the variant; `shared` what earlier layouts found. Both and the
  /// question must outlive the search.
  LayoutSearch(const PlanQuestion& question, const Scenario& scenario, const PlanChoice& layout, std::uint64_t first_number, const Found& shared);

  /// Judges up to `strategies` more, or as many more as are refused at once; how many it were. 0 when all are done.
  std::int64_t advance(std::int64_t strategies);
  bool done() const noexcept { return done_; }
  const Found& found() const noexcept { return found_; }
  const Roomier& roomier() const noexcept { return roomier_; }

private:
  void step();
  bool open_batch();    ///< the present schedule and micro-batch; false where they make no strategy, as all of these
  bool lets_overlap(const RecomputeChoice& recompute) const noexcept;  ///< schedule and recomputation let the exchange with experts overlap
  bool overlaps_experts() const noexcept;                              ///< of the present choice
  bool states_overlap() const noexcept; ///< then what does not let them is no strategy; of a framework whose rules nobody has read, nothing is known
  bool set_ends() noexcept; ///< false where the present schedule wants uneven ends, or written chunks, and there are none
  bool open_sharding();
  bool open_offload();
  void judge();
  std::int64_t chance_of(Bytes needs) const noexcept;
  void find_tried();    ///< which recomputations make sense with the present schedule and micro-batch
  bool is_tried(Offload offload) const noexcept;
  void drop(Dropped reason, std::int64_t strategies);
  std::optional<Dropped> over_limits(const Figures& figures) const noexcept;
  bool excludes(const Figures& bound) const noexcept;
  void apply_choice() noexcept;

  const PlanQuestion& question_;
  const PlanAxes& axes_;
  const PlanVariant& variant_;
  Scenario scenario_;
  Inputs inputs_; ///< the same strategy, for validate()
  PlanChoice choice_;
  std::uint64_t number_;
  const Found& shared_;
  Found found_;
  Roomier roomier_;
  PeakMemory memory_;
  std::vector<char> runs_;  ///< by recomputation: framework and model have what it asks for
  std::vector<char> tried_; ///< likewise: it is tried with the present schedule and micro-batch
  Running running_;
  Refusals refusals_; ///< of the present schedule and micro-batch
  std::vector<std::optional<PassTime>> passes_; ///< likewise, by recomputation; and without any
  Figures least_; ///< of the present states, headroom included
  std::int64_t recomputes_ = 0; ///< that are tried with the present stages
  std::size_t schedule_ = 0, batch_ = 0, sharding_ = 0, offload_ = 0, recompute_ = 0;
  enum class Level : unsigned char { batch, sharding, offload, recompute } level_ = Level::batch;
  bool opened_ = false; ///< the memory of the present schedule and micro-batch: only where some sharding of them runs
  bool done_ = false;
};

} // namespace plimsoll::planning
