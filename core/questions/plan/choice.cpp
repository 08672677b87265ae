// Which of the best plans to take: times are not known as exactly as plans are sorted.
#include "plimsoll/method/format.hpp"
#include "plimsoll/questions/plan.hpp"
#include "method/sort_stably.hpp"

#include <algorithm>
#include <functional>
#include <vector>

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

constexpr TimePart kWork[] = {TimePart::matrices, TimePart::attention, TimePart::elementwise, TimePart::optimizer};

std::string in_sentence(TimePart part) {
  std::string label{text_of(part).label};
  if (label[1] >= 'a') label.front() = static_cast<char>(label.front() - 'A' + 'a'); // no abbreviation
  return label;
}

std::string share_text(Nanoseconds part, Nanoseconds whole) { return std::to_string((part.value * 100 + whole.value / 2) / whole.value) + " %"; }

/// What of a step is no work, the most first; nothing below a hundredth.
std::vector<TimePart> waits_of(const PlannedWay& way, Nanoseconds whole) {
  std::vector<TimePart> waits;
  for (std::size_t i = 0; i < kTimeParts; ++i)
    if (const auto part = static_cast<TimePart>(i); std::ranges::find(kWork, part) == std::ranges::end(kWork) && way.parts[i].value * 100 >= whole.value) waits.push_back(part);
  sort_stably(waits, std::ranges::greater{}, [&](TimePart part) { return way.parts[static_cast<std::size_t>(part)]; });
  return waits;
}

/// Of two steps, in what the first is shorter by most, or longer: where that is a hundredth of it.
std::string difference_text(const PlannedWay& first, const PlannedWay& second, Nanoseconds whole, bool less, const char* words) {
  Nanoseconds most;
  std::size_t at = 0;
  for (std::size_t i = 0; i < kTimeParts; ++i) {
    const Nanoseconds more = less ? second.parts[i] - first.parts[i] : first.parts[i] - second.parts[i];
    if (more > most) most = more, at = i;
  }
  return most.value * 100 < whole.value ? "" : format_duration(most) + words + in_sentence(static_cast<TimePart>(at));
}

} // namespace

std::string reason_text(const PlanAnswer& answer) {
  if (answer.best.empty()) return {};
  const PlannedWay& first = answer.best.front();
  std::string text;
  if (answer.objective == Objective::safest)
    text = first.chance == 0 ? "It holds at the high end of what it may take. " : "It runs out of memory with a chance of " + format_decimal((first.chance + 999) / 1000, 1) + " %. ";
  if (!first.planned.timed) return text;
  Nanoseconds whole, work;
  for (const Nanoseconds part : first.parts) whole += part;
  if (whole <= Nanoseconds{0}) return text;
  for (const TimePart part : kWork) work += first.parts[static_cast<std::size_t>(part)];
  text += "Of a step of " + format_duration(whole) + ", " + share_text(work, whole) + " is arithmetic and memory traffic";
  for (const TimePart part : waits_of(first, whole)) text += ", " + share_text(first.parts[static_cast<std::size_t>(part)], whole) + " " + in_sentence(part);
  text += ".";
  if (answer.best.size() < 2 || !answer.best[1].planned.timed || answer.best[1].planned.choice.gpus != first.planned.choice.gpus) return text;
  const std::string saved = difference_text(first, answer.best[1], whole, true, " less "), added = difference_text(first, answer.best[1], whole, false, " more ");
  if (saved.empty() && added.empty()) return text;
  return text + " Against number 2: " + saved + (saved.empty() || added.empty() ? "" : ", ") + added + ".";
}

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
  for (const std::string& more : {reason_text(answer), choice_text(answer)})
    if (!more.empty()) text += " " + more;
  return text;
}

} // namespace plimsoll::io
