#include "plimsoll/questions/curve.hpp"
#include "questions/advice/replay.hpp"

#include <algorithm>
#include <utility>

namespace plimsoll::io {

namespace {

constexpr std::int64_t kLeast = 1024;         ///< tokens: below, contexts differ by little
constexpr std::int64_t kMostWithout = 131'072; ///< tokens, of a model that states no longest context

/// Powers of two and what lies halfway between them, from `low` to `high`, and `now` in its place.
std::vector<std::int64_t> values_between(std::int64_t low, std::int64_t high, std::int64_t now) {
  std::vector<std::int64_t> values;
  for (std::int64_t power = low; power <= high; power *= 2) {
    values.push_back(power);
    if (const std::int64_t half = power + power / 2; power > 1 && half <= high) values.push_back(half);
  }
  if (const auto at = std::ranges::lower_bound(values, now); at == values.end() || *at != now) values.insert(at, now);
  return values;
}

std::vector<std::int64_t> values_of(const Inputs& inputs, const Field& field, std::int64_t now) {
  if (field.name == "batch") return values_between(1, std::clamp<std::int64_t>(now, 16, field.max / 8) * 4, now);
  const std::int64_t longest = inputs.model.max_context > Count{0} ? inputs.model.max_context.value : kMostWithout;
  return values_between(std::min(kLeast, now), std::clamp<std::int64_t>(std::max(longest, now), kLeast, field.max), now);
}

} // namespace

struct CurveAdviceSession::Trying {
  Answer answer;
  AnswerReplay replay;
};

CurveAdviceSession::CurveAdviceSession(const Catalog& catalog, const Answer& asked, std::string_view name) : catalog_(&catalog), request_(asked.request) {
  const Field& field = *find_field(name);
  const std::int64_t batch = asked.inputs.workload.batch;
  curve_.field = field.name;
  curve_.now = field.get(asked.inputs);
  curve_.usable = asked.estimate.usable;
  std::vector<std::int64_t> batches{batch};
  if (field.name != "batch")
    for (const std::int64_t times : {2, 4}) batches.push_back(times * batch);
  const std::vector<std::int64_t> values = values_of(asked.inputs, field, curve_.now);
  for (const std::int64_t one : batches) {
    for (const std::int64_t value : values) places_.push_back({curve_.lines.size(), value});
    curve_.lines.push_back({one, {}});
  }
}

CurveAdviceSession::~CurveAdviceSession() = default;
CurveAdviceSession::CurveAdviceSession(CurveAdviceSession&&) noexcept = default;
CurveAdviceSession& CurveAdviceSession::operator=(CurveAdviceSession&&) noexcept = default;

bool CurveAdviceSession::advance() {
  if (next_ == places_.size()) return false;
  if (!trying_) trying_ = std::make_unique<Trying>(Trying{answer_at(places_[next_]), {}});
  // Replaying what is too much by its tensors alone would take long and change nothing.
  if (trying_->answer.ok && trying_->answer.estimate.fits && trying_->replay.advance(trying_->answer)) return true;
  add_point(places_[next_], trying_->answer);
  trying_.reset();
  return ++next_ < places_.size();
}

Answer CurveAdviceSession::answer_at(const Place& place) const {
  Request request = request_;
  request.set("batch", std::to_string(curve_.lines[place.line].batch));
  request.set(curve_.field, std::to_string(place.value));
  return answer(*catalog_, request);
}

void CurveAdviceSession::add_point(const Place& place, const Answer& there) {
  if (!there.ok) return;
  const Bytes tensors = there.estimate.at_peak().total;
  CurvePoint point{place.value, tensors, tensors, tensors, there.judgement.verdict};
  if (there.footprint) {
    const MemoryRange& process = there.footprint->process;
    point = {place.value, process.low, process.expected, process.high, there.judgement.verdict};
  }
  curve_.lines[place.line].points.push_back(point);
}

} // namespace plimsoll::io
