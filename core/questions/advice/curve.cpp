#include "plimsoll/questions/curve.hpp"

#include <algorithm>
#include <array>
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

CurveAdviceSession::CurveAdviceSession(const Catalog& catalog, const Answer& asked, std::string_view name) : catalog_(catalog), request_(asked.request) {
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

bool CurveAdviceSession::advance() {
  if (next_ == places_.size()) return false;
  const Place place = places_[next_++];
  CurveLine& line = curve_.lines[place.line];
  Request request = request_;
  request.set("batch", std::to_string(line.batch));
  request.set(curve_.field, std::to_string(place.value));
  Answer there = answer(catalog_, request);
  if (!there.ok) return next_ < places_.size();
  const Bytes tensors = there.estimate.at_peak().total;
  CurvePoint point{place.value, tensors, tensors, tensors, there.judgement.verdict};
  if (there.estimate.fits) { // replaying what is too much by its tensors alone would take long and change nothing
    add_footprint(there);
    const MemoryRange& process = there.footprint->process;
    point = {place.value, process.low, process.expected, process.high, there.judgement.verdict};
  }
  line.points.push_back(point);
  return next_ < places_.size();
}

} // namespace plimsoll::io
