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

constexpr std::array<std::string_view, 3> kLargest{"context_tokens", "batch", "rank"};
constexpr std::array<std::string_view, kLimits - kLargest.size()> kFewest{"tensor_parallel", "pipeline_parallel", "data_parallel"};

} // namespace

LimitSession::LimitSession(const Catalog& catalog, const Answer& answer, std::size_t index) : catalog_(&catalog), answer_(&answer) {
  if (index < kLargest.size()) begin_largest(*find_field(kLargest[index]));
  else begin_fewest(*find_field(kFewest[index - kLargest.size()]));
}

bool LimitSession::advance() {
  if (solving_) {
    if (solving_->advance()) return true;
    take(std::move(*solving_).solved());
    solving_.reset();
  } else if (value_ > 0) {
    if (!replay_.advance(there_) && !tell_fewer()) try_fewer();
  }
  return value_ > 0;
}

void LimitSession::begin_largest(const Field& field) {
  if (!applies(field, answer_->inputs.workload.task) || is_idle(field, answer_->inputs)) return;
  solving_.emplace(*catalog_, answer_->request, SolveQuestion{Goal::largest, std::string{field.name}});
}

void LimitSession::take(const Solved& solved) {
  if (!solved.answer) return;
  InputLimit& limit = limit_.emplace();
  limit.field = solved.question.field;
  limit.goal = solved.question.goal;
  limit.now = value_text(*answer_, *find_field(limit.field));
  limit.last = solved.answer->value;
  if (solved.next && solved.next->trial.verdict() != Verdict::invalid) limit.beyond = solved.next->value, limit.needs = solved.next->trial.needs;
  limit.room_permille = room(limit.now, limit.last);
}

/// One GPU less: half the group, as degrees of parallelism come.
void LimitSession::begin_fewest(const Field& field) {
  const Strategy& strategy = answer_->inputs.strategy;
  if (field.name == "data_parallel" && (strategy.sharding == Sharding::none || strategy.data_parallel > 64)) return;
  const std::int64_t now = field.get(answer_->inputs);
  if (now <= 1) return;
  limit_ = InputLimit{std::string{field.name}, Goal::smallest, std::to_string(now), std::to_string(now), {}, {}, 0};
  value_ = now;
  try_fewer();
}

/// The next lower number that divides the model.
void LimitSession::try_fewer() {
  while (--value_ >= 1) {
    Request request = answer_->request;
    request.set(limit_->field, std::to_string(value_));
    there_ = io::answer(*catalog_, request);
    if (there_.ok) return;
  }
  limit_->room_permille = room(limit_->last, limit_->now);
}

/// Whether it was the last.
bool LimitSession::tell_fewer() {
  if (there_.judgement.holds()) return limit_->last = std::to_string(value_), false;
  limit_->beyond = std::to_string(value_);
  limit_->needs = there_.footprint->process.expected;
  limit_->room_permille = room(limit_->last, limit_->now);
  value_ = 0;
  return true;
}

void sort_limits(std::vector<InputLimit>& limits) {
  // What leaves the least room breaks first; what nothing breaks comes last.
  sort_stably(limits, {}, [](const InputLimit& limit) { return std::pair{limit.beyond.empty(), limit.room_permille}; });
}

} // namespace plimsoll::io
