#pragma once
// The best plans and the front, and what can still join them.

#include "plimsoll/method/plan.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace plimsoll::planning {

/// Figures that a strategy reaches, or that no strategy of several exceeds: none is faster, cheaper, smaller, ... than these.
struct Figures {
  Nanoseconds time;
  Money cost;
  Energy energy;
  std::int64_t gpus = 0;
  Bytes headroom;
  std::int64_t chance = 0;
  bool timed = false; ///< false: time, cost and energy are not known
  bool offloads = false;
};
Figures figures_of(const Planned& planned) noexcept;

/// Whether one comes before the other, numbers apart. What keeps a part on the host comes behind what does not: how fast hosts are is the least known, and nobody
/// takes that upon himself whose training holds without.
std::strong_ordering compare(Objective objective, const Figures& one, const Figures& other) noexcept;

/// The same of plans, and by their numbers where nothing else tells them apart.
bool before(Objective objective, const Planned& one, const Planned& other) noexcept;

class Ranking {
public:
  Ranking(Objective objective, std::size_t most) : objective_(objective), most_(most) { best_.reserve(most + 1); }

  /// Whether a plan with a higher number than all here, and no better than these figures, stays outside.
  bool excludes(const Figures& bound) const noexcept;
  void add(const Planned& planned);
  const std::vector<Planned>& best() const noexcept { return best_; }

private:
  Objective objective_;
  std::size_t most_;
  std::vector<Planned> best_;
};

/// Of one layout, the best plans that leave so much of the device, for a few parts of it.
class Roomier {
public:
  Roomier(Objective objective, Bytes usable, bool kept) : objective_(objective), usable_(usable), kept_(kept) {}

  bool excludes(const Figures& bound) const noexcept;
  void add(const Planned& planned) noexcept;
  void append_to(std::vector<Planned>& plans) const;

private:
  /// A thirty-second, a sixteenth, an eighth: allocators leave unused, and libraries take, a few hundredths of a device.
  Bytes room(std::size_t i) const noexcept { return Bytes{usable_.value >> (5 - i)}; }

  Objective objective_;
  Bytes usable_;
  bool kept_;
  std::array<std::optional<Planned>, 3> best_; ///< by room
};

/// Plans of which none is beaten: no other takes as little time, costs as little and leaves as much room. Of equals the first stays.
class Front {
public:
  bool excludes(const Figures& bound) const noexcept;
  void add(const Planned& planned);
  const std::vector<Planned>& plans() const noexcept { return plans_; }

private:
  std::vector<Planned> plans_;
};

/// What a search found.
struct Found {
  Ranking ranking;
  Front front;
  PlanCounts counts;
  std::vector<Planned> roomier; ///< of single layouts, in no order

  bool excludes(const Figures& bound) const noexcept { return ranking.excludes(bound) && front.excludes(bound); }
  void add(const Planned& planned) {
    ranking.add(planned);
    if (planned.timed) front.add(planned);
  }
};

} // namespace plimsoll::planning
