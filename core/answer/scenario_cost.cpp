// The work of a scenario as something that has a price.
#include "answer/scenario_job.hpp"
#include "plimsoll/answer/answer.hpp"
#include "plimsoll/method/speed.hpp"
#include "request/meaning.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace plimsoll::io {

namespace {

constexpr Count kHour{3600}; // seconds

bool set_serving(DeploymentOption& way, const Scenario& scenario) {
  const Speed served = speed(scenario);
  if (!served.exists) return false;
  way.seconds = kHour;
  way.token_rate = served.total.expected.value;
  way.rate_low = served.total.low.value;
  way.rate_high = served.total.high.value;
  return true;
}

/// Entries about the cost, and entries about the scenario; the task and the billing are about both.
std::pair<Request, Request> apart(const Request& request) {
  Request cost, scenario;
  for (const Entry& entry : request.entries()) {
    const Field* const field = find_field(entry.name);
    const bool is_key = std::ranges::any_of(cost_keys(), [&](const CostKey& key) { return key.name == entry.name; });
    if (is_key || (field != nullptr && field->topic == Topic::cost)) cost.set(entry.name, entry.text);
    if (field != nullptr || !is_key) scenario.set(entry.name, entry.text); // what nobody knows is told by the scenario's reader
  }
  return {std::move(cost), std::move(scenario)};
}

std::set<std::string> priced_devices(const Prices& prices, PriceKind kind) {
  std::set<std::string> devices;
  for (const PriceRow& row : prices.rows())
    if (row.kind == kind) devices.insert(row.gpu);
  return devices;
}

} // namespace

std::optional<DeploymentOption> way_of(const Answer& answer) {
  if (!answer.ok) return std::nullopt;
  DeploymentOption way;
  way.device = answer.inputs.hardware.id;
  way.gpus = answer.estimate.gpus;
  const bool known = trains(answer.inputs.workload.task) ? set_training_job(way, answer.scenario) : set_serving(way, answer.scenario);
  return known ? std::optional{way} : std::nullopt;
}

void add_cost(Answer& answer, const Catalog& catalog, const Prices& prices, std::string_view today) {
  const std::optional<DeploymentOption> way = way_of(answer);
  if (!way) return;
  CostQuestion question;
  question.ways.push_back(*way);
  question.training = trains(answer.inputs.workload.task);
  question.billing = answer.inputs.billing;
  question.today = today;
  answer.cost = answer_cost(catalog, prices, std::move(question));
}

CostQuestion scenario_cost_question(const Catalog& catalog, const Prices& prices, const Request& request, Issues& issues) {
  auto [of_cost, of_scenario] = apart(as_meant(catalog, request, issues));
  if (const std::string* const gpus = of_cost.find("gpus")) of_scenario.set("gpus", *gpus);
  if (of_cost.find("device") == nullptr) of_cost.set("device", kDefaultDevice);
  if (of_cost.find("task") == nullptr) of_cost.set("task", "inference");
  of_cost.set("hours", "0"); // the scenario says how long
  CostQuestion question = cost_question(catalog, of_cost, issues);
  question.ways.clear();

  std::set<std::string> devices = priced_devices(prices, question.kind);
  if (const std::string* device = of_scenario.find("device")) devices = {*device};
  bool any_fits = false;
  for (const std::string& device : devices) {
    of_scenario.set("device", device);
    Answer one = answer(catalog, of_scenario);
    if (one.ok && one.estimate.fits) add_footprint(one); // what is too much by its tensors alone does not hold
    if (has_errors(one.issues) && (devices.size() == 1 || &device == &*devices.begin())) std::ranges::move(one.issues, std::back_inserter(issues));
    if (!one.ok || !one.judgement.holds()) continue;
    any_fits = true;
    if (std::optional<DeploymentOption> way = way_of(one)) question.ways.push_back(std::move(*way));
  }
  if (question.ways.empty() && !has_errors(issues))
    issues.push_back({Severity::error, any_fits ? "task" : "device", any_fits ? "The time of this work is not known." : "It fits no device that has a price.",
                      any_fits ? "For training, say train_tokens or dataset_tokens; for serving, choose a device and a profile whose speed is known."
                               : "Use more GPUs, such as tensor_parallel=8, or another kind of price."});
  return question;
}

} // namespace plimsoll::io
