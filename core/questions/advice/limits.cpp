#include "questions/advice/limits.hpp"

#include "method/sort_stably.hpp"
#include "text/plain_values.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace plimsoll::io {

namespace {

/// Distances of whole numbers, in thousandths.
std::int64_t room(std::string_view from, std::string_view to) {
  const std::optional<std::int64_t> low = whole_number(from), high = whole_number(to);
  if (!low || !high || *low <= 0) return 0;
  return (Count{*high} * Count{1000}).value / *low;
}

std::optional<InputLimit> limit_of(const Catalog& catalog, const Answer& answer, Goal goal, std::string_view field) {
  const Field* const row = find_field(field);
  if (!applies(*row, answer.inputs.workload.task) || is_idle(*row, answer.inputs)) return std::nullopt;
  const Solved solved = solve(catalog, answer.request, {goal, std::string{field}});
  if (!solved.answer) return std::nullopt;
  InputLimit limit;
  limit.field = field;
  limit.goal = goal;
  limit.now = value_text(answer, *row);
  limit.last = solved.answer->value;
  if (solved.next && solved.next->trial.verdict() != Verdict::invalid) limit.beyond = solved.next->value, limit.needs = solved.next->trial.needs;
  limit.room_permille = goal == Goal::largest ? room(limit.now, limit.last) : room(limit.last, limit.now);
  return limit;
}

/// One GPU less: half the group, as degrees of parallelism come.
std::optional<InputLimit> fewer(const Catalog& catalog, const Answer& answer, std::string_view field) {
  const Field& row = *find_field(field);
  const std::int64_t now = row.get(answer.inputs);
  if (now <= 1) return std::nullopt;
  InputLimit limit{std::string{field}, Goal::smallest, std::to_string(now), std::to_string(now), {}, {}, 0};
  for (std::int64_t value = now - 1; value >= 1; --value) {
    Request request = answer.request;
    request.set(field, std::to_string(value));
    Answer there = io::answer(catalog, request);
    if (!there.ok) continue; // no number that divides the model
    add_footprint(there);
    if (there.judgement.holds()) limit.last = std::to_string(value);
    if (there.judgement.holds()) continue;
    limit.beyond = std::to_string(value);
    limit.needs = there.footprint->process.expected;
    break;
  }
  limit.room_permille = room(limit.last, limit.now);
  return limit;
}

} // namespace

std::optional<InputLimit> limit_at(const Catalog& catalog, const Answer& answer, std::size_t index) {
  constexpr std::array<std::string_view, 3> kLargest{"context_tokens", "batch", "rank"};
  constexpr std::array<std::string_view, kLimits - kLargest.size()> kFewest{"tensor_parallel", "pipeline_parallel", "data_parallel"};
  if (index < kLargest.size()) return limit_of(catalog, answer, Goal::largest, kLargest[index]);
  const std::string_view degree = kFewest[index - kLargest.size()];
  if (degree == "data_parallel" && (answer.inputs.strategy.sharding == Sharding::none || answer.inputs.strategy.data_parallel > 64)) return std::nullopt;
  return fewer(catalog, answer, degree);
}

void sort_limits(std::vector<InputLimit>& limits) {
  // What leaves the least room breaks first; what nothing breaks comes last.
  sort_stably(limits, {}, [](const InputLimit& limit) { return std::pair{limit.beyond.empty(), limit.room_permille}; });
}

} // namespace plimsoll::io
