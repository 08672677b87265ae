// Which of the best plans to take: times are not known as exactly as plans are sorted.
#include "plimsoll/method/format.hpp"
#include "plimsoll/questions/plan.hpp"

#include <algorithm>

namespace plimsoll::io {

namespace {

/// Thousandths by which plans may differ and still be alike: less than half of what the step times of published runs are off by at the
/// median (docs/accuracy.md, "Training").
constexpr std::int64_t kAlike = 30;

/// Inputs that say how the model is divided and what is done to make it fit: each is one more thing to set and to go wrong. Copies of the model and
/// the sizes of batches are not among them.
std::size_t parts_of(const PlannedWay& way) {
  Issues told_elsewhere;
  const Request request = request_from_query(way.query, told_elsewhere);
  return static_cast<std::size_t>(std::ranges::count_if(request.entries(), [](const Entry& entry) {
    const Field* const field = find_field(entry.name);
    return field != nullptr && (field->topic == Topic::parallel || field->topic == Topic::strategy) && field->name != "data_parallel" && field->name != "precision" && field->name != "optimizer";
  }));
}

std::int64_t measure_of(const PlannedWay& way, Objective objective) {
  return objective == Objective::cost ? way.planned.cost.value : way.planned.time.value;
}

} // namespace

std::optional<std::size_t> simplest_of(const PlanAnswer& answer) {
  const bool is_measured = answer.objective == Objective::time || answer.objective == Objective::cost;
  if (!is_measured || answer.best.empty() || !answer.best.front().planned.timed) return std::nullopt;
  const double most = static_cast<double>(measure_of(answer.best.front(), answer.objective)) * (1.0 + static_cast<double>(kAlike) / 1000.0);
  std::size_t simplest = 0, fewest = parts_of(answer.best.front());
  for (std::size_t i = 1; i < answer.best.size(); ++i) {
    const PlannedWay& way = answer.best[i];
    if (!way.planned.timed || static_cast<double>(measure_of(way, answer.objective)) > most) continue;
    if (const std::size_t parts = parts_of(way); parts < fewest) simplest = i, fewest = parts;
  }
  return simplest;
}

std::string choice_text(const PlanAnswer& answer) {
  const std::optional<std::size_t> simplest = simplest_of(answer);
  if (!simplest || answer.best.size() < 2) return {};
  const std::string alike = format_decimal(kAlike, 1) + " %";
  if (*simplest == 0) return "None of the others listed is within " + alike + " of the first and simpler.";
  return "As good within " + alike + ", which is less than times are known to, and simpler: number " + std::to_string(*simplest + 1) + ", " + answer.best[*simplest].text + ".";
}

std::string why_text(const PlanAnswer& answer) {
  if (answer.best.empty()) return {};
  std::string text = "Number 1 of " + format_exact(answer.counts.held, "strategies") + " that hold: " + std::string{text_of(answer.objective).label} + ".";
  if (const std::string choice = choice_text(answer); !choice.empty()) text += " " + choice;
  return text;
}

} // namespace plimsoll::io
