#include "method/plan/ranking.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace plimsoll::planning {

Figures figures_of(const Planned& planned) noexcept {
  return {planned.time, planned.cost, planned.energy, planned.choice.gpus, planned.headroom, planned.chance, planned.timed, planned.choice.offload != Offload::none};
}

std::strong_ordering compare(Objective objective, const Figures& one, const Figures& other) noexcept {
  const auto rest = [](const Figures& f) { return std::tuple{!f.timed, f.time.value, f.cost.value, f.gpus, -f.headroom.value}; };
  const auto first = [&](const Figures& f) -> std::int64_t {
    switch (objective) {
      case Objective::time: return f.time.value;
      case Objective::cost: return f.cost.value;
      case Objective::headroom: return -f.headroom.value;
      case Objective::gpus: return f.gpus;
      case Objective::energy: return f.energy.value;
      case Objective::safest: return f.chance;
    }
    return 0;
  };
  if (one.offloads != other.offloads) return one.offloads ? std::strong_ordering::greater : std::strong_ordering::less;
  if (const auto order = first(one) <=> first(other); order != 0) return order;
  return rest(one) <=> rest(other);
}

bool before(Objective objective, const Planned& one, const Planned& other) noexcept {
  const auto order = compare(objective, figures_of(one), figures_of(other));
  return order != 0 ? order < 0 : one.number < other.number;
}

bool Ranking::excludes(const Figures& bound) const noexcept {
  if (most_ == 0) return true;
  return best_.size() == most_ && compare(objective_, bound, figures_of(best_.back())) >= 0;
}

void Ranking::add(const Planned& planned) {
  const auto at = std::ranges::find_if(best_, [&](const Planned& other) { return before(objective_, planned, other); });
  if (at == best_.end() && best_.size() >= most_) return;
  best_.insert(at, planned);
  if (best_.size() > most_) best_.pop_back();
}

/// The best that leave more room are no better than the best that leave less: what does not beat the former beats none.
bool Roomier::excludes(const Figures& bound) const noexcept {
  if (!kept_) return true;
  std::size_t i = best_.size();
  while (i > 0 && bound.headroom < room(i - 1)) --i;
  return i == 0 || (best_[i - 1] && compare(objective_, bound, figures_of(*best_[i - 1])) >= 0);
}

void Roomier::add(const Planned& planned) noexcept {
  for (std::size_t i = 0; kept_ && i < best_.size(); ++i)
    if (planned.headroom >= room(i) && (!best_[i] || before(objective_, planned, *best_[i]))) best_[i] = planned;
}

void Roomier::append_to(std::vector<Planned>& plans) const {
  for (const std::optional<Planned>& planned : best_)
    if (planned) plans.push_back(*planned);
}

namespace {

bool covers(const Figures& one, const Figures& other) noexcept {
  return one.time <= other.time && one.cost <= other.cost && one.headroom >= other.headroom;
}

} // namespace

bool Front::excludes(const Figures& bound) const noexcept {
  if (!bound.timed) return true;
  // Fastest first: those behind are slower than the bound.
  for (const Planned& plan : plans_) {
    if (plan.time > bound.time) return false;
    if (plan.cost <= bound.cost && plan.headroom >= bound.headroom) return true;
  }
  return false;
}

void Front::add(const Planned& planned) {
  const Figures figures = figures_of(planned);
  for (const Planned& plan : plans_)
    if (covers(figures_of(plan), figures) && (!covers(figures, figures_of(plan)) || plan.number < planned.number)) return;
  std::erase_if(plans_, [&](const Planned& plan) { return covers(figures, figures_of(plan)); });
  const auto key = [](const Planned& plan) { return std::pair{plan.time.value, plan.number}; };
  plans_.insert(std::ranges::upper_bound(plans_, key(planned), {}, key), planned);
}

} // namespace plimsoll::planning
