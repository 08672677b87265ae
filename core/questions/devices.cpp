#include "plimsoll/questions/devices.hpp"

#include "plimsoll/answer/gpus.hpp"
#include "plimsoll/method/speed.hpp"
#include "plimsoll/method/time.hpp"
#include "method/sort_stably.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace plimsoll::io {

namespace {

constexpr std::int64_t kMostTimes = 8;
constexpr Count kHourInSeconds{3600};

std::int64_t rate_of_all(const Answer& answer) {
  if (!trains(answer.inputs.workload.task)) {
    const Speed served = speed(answer.scenario);
    return served.exists ? served.total.expected.value : 0;
  }
  const StepTime step = step_time(answer.scenario);
  return step.known ? (answer.estimate.gpus * step.tokens_per_gpu).value : 0;
}

void add_prices(DeviceChoice& choice, const Catalog& catalog, const Prices& prices, const Answer& answer, std::string_view today) {
  DeploymentOption hour;
  hour.device = choice.id;
  hour.gpus = choice.gpus;
  hour.seconds = kHourInSeconds;
  hour.token_rate = choice.token_rate;
  CostQuestion question;
  question.ways.push_back(std::move(hour));
  question.training = trains(answer.inputs.workload.task);
  question.billing = answer.inputs.billing;
  question.today = today;
  const CostAnswer cost = answer_cost(catalog, prices, std::move(question));
  if (cost.options.empty()) return;
  choice.hourly = cost.options.front().option.hourly;
  if (cost.options.front().per_million_tokens) choice.per_million = cost.options.front().per_million_tokens->expected;
}

std::string error_of(const Issues& issues) {
  const auto at = std::ranges::find(issues, Severity::error, &Issue::severity);
  return at == issues.end() ? std::string{} : at->message;
}

/// What is compared: the smaller comes first.
std::int64_t measure_of(const DeviceChoice& choice, DeviceOrder order) {
  constexpr std::int64_t kUnknown = std::numeric_limits<std::int64_t>::max();
  switch (order) {
    case DeviceOrder::cheapest: return choice.per_million ? choice.per_million->value : kUnknown;
    case DeviceOrder::fastest: return choice.token_rate > 0 ? -choice.token_rate : kUnknown;
    case DeviceOrder::roomiest: break;
  }
  return -choice.headroom.value;
}

} // namespace

std::string_view name_of(DeviceOrder order) noexcept {
  switch (order) {
    case DeviceOrder::cheapest: return "cheapest";
    case DeviceOrder::fastest: return "fastest";
    case DeviceOrder::roomiest: break;
  }
  return "roomiest";
}

DevicesSession::DevicesSession(const Catalog& catalog, const Prices& prices, const Answer& asked, std::string_view today)
    : catalog_(&catalog), prices_(&prices), request_(asked.request), asked_(asked.inputs.hardware.id), today_(today), gpus_(asked.estimate.gpus.value) {}

bool DevicesSession::advance() {
  if (next_ >= catalog_->devices().size()) return false;
  const Hardware& hardware = catalog_->devices()[next_].hardware;
  DeviceChoice choice;
  choice.id = hardware.id;
  choice.name = hardware.name;
  choice.is_asked = hardware.id == asked_;
  Request request = request_;
  if (!choice.is_asked) edit(request, "device", hardware.id);
  if (times_ > 1) edit_gpus(*catalog_, request, std::to_string(gpus_ * times_));
  Answer one = answer(*catalog_, request);
  const bool is_near = one.ok && one.estimate.fits; // replaying what is too much by its tensors alone would take long and change nothing
  if (is_near) add_footprint(one);
  choice.is_possible = one.ok;
  choice.reason = one.ok ? std::string{} : error_of(one.issues);
  if (one.ok) {
    choice.holds = one.judgement.holds();
    choice.gpus = one.estimate.gpus;
    choice.needs = is_near ? one.footprint->process.expected : one.estimate.at_peak().total;
    choice.usable = one.estimate.usable;
    choice.headroom = is_near ? one.footprint->headroom : one.estimate.headroom;
    choice.query = canonical_query(one);
    choice.token_rate = rate_of_all(one);
  }
  const bool goes_on = times_ < kMostTimes && gpus_ * times_ * 2 <= std::max<std::int64_t>(hardware.gpus_per_node, 1);
  if (one.ok && !choice.holds && goes_on) {
    times_ *= 2;
    return true;
  }
  if (choice.holds) add_prices(choice, *catalog_, *prices_, one, today_);
  choices_.push_back(std::move(choice));
  times_ = 1;
  return ++next_ < catalog_->devices().size();
}

void sort_choices(std::vector<DeviceChoice>& choices, DeviceOrder order) {
  const auto rank = [](const DeviceChoice& choice) { return choice.holds ? 0 : choice.is_possible ? 1 : 2; };
  sort_stably(choices, [&](const DeviceChoice& one, const DeviceChoice& other) {
    if (rank(one) != rank(other)) return rank(one) < rank(other);
    return measure_of(one, order) < measure_of(other, order);
  });
}

} // namespace plimsoll::io
