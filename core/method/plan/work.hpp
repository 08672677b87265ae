#pragma once
// What a strategy's work takes: time, money, energy.

#include "method/plan/ranking.hpp"
#include "method/time/training/visit.hpp"
#include "plimsoll/method/plan.hpp"
#include "plimsoll/method/scenario.hpp"
#include "plimsoll/method/time.hpp"

#include <optional>

namespace plimsoll::planning {

/// What an hour of a fleet costs and draws.
struct Running {
  Money hourly;
  std::int64_t milliwatts = 0; ///< of one GPU
};
Running running_of(const PlanVariant& variant, const Fleet& fleet) noexcept;

/// What the passes of a step take: the same however states are divided, and wherever they are.
struct PassTime {
  timing::Passes passes;
  StepTime step; ///< their parts
};

/// Fills in step, time, cost and energy; `timed` stays false where a rate is not published. `passes` are those of strategies that differ in
/// sharding and offload alone: empty at first.
void set_work(Planned& planned, const Scenario& scenario, std::optional<PassTime>& passes, const Running& running) noexcept;

/// The least that any recomputation adds up to: the scenario's own must be none. Headroom is the caller's.
Figures least_work(const Scenario& scenario, std::optional<PassTime>& passes, const Running& running) noexcept;

} // namespace plimsoll::planning
