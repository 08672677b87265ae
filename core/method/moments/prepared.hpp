#pragma once
// What all ranks of a scenario's pipeline, and all walks of its terms, have in common.

#include "method/memory/states.hpp"
#include "method/moments/layer_sums.hpp"
#include "method/moments/lifetimes.hpp"
#include "method/parameters/kind_counts.hpp"
#include "method/term.hpp"
#include "plimsoll/method/pipeline.hpp"
#include "plimsoll/method/scenario.hpp"

#include <cstdint>
#include <optional>

namespace plimsoll::moments {

/// For those who only add: stages that share it give sums in the place of terms.
class Prepared {
public:
  /// `scenario` must outlive it.
  explicit Prepared(const Scenario& scenario) noexcept;
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;

  const Moments& moments() const noexcept { return moments_; }
  Shared shared() const noexcept { return shared_; } ///< for stages of that scenario

private:
  Moments moments_;
  std::optional<KindCounts> kinds_;
  std::optional<LayerSums> layers_;
  memory::StatePlan plan_;
  mutable Term sum_ = kNoTerm;
  Shared shared_;
};

/// Whether ranks need the same: their layers, the micro-batches of each that are alive, and the ends of the model that they hold.
bool alike(const Scenario& scenario, const Stage& one, const Stage& other) noexcept;

} // namespace plimsoll::moments
