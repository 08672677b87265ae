#include "plimsoll/io/serving_plan.hpp"

#include "io/changes/candidates.hpp"
#include "io/json.hpp"
#include "io/plan/fleets.hpp"
#include "io/plan/words.hpp"
#include "io/value.hpp"
#include "plimsoll/cost.hpp"
#include "plimsoll/solve.hpp"
#include "plimsoll/speed.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace plimsoll::io {

namespace {

constexpr PlanKey kKeys[] = {
    {"gpus", "How many GPUs: one number, or several with commas between them."},
    {"compare_devices", "Several devices to compare, with commas between them; otherwise the scenario's."},
    {"objective", "What the best way has: throughput, cost (of a token), latency (of a sequence), headroom or gpus."},
    {"least_rate", "Tokens per second that each sequence must get at least."},
    {"most_first_token", "Seconds that a prompt may take to its first token at most."},
    {"sequences", "Sequences that all replicas must hold at once at least."},
    {"top", "How many ways to list; 10 where nothing is said."},
    {"kind", "on_demand, spot or committed prices."},
    {"cloud", "Only prices of this cloud, such as AWS."},
};
constexpr std::array<std::string_view, kServingObjectives> kObjectiveNames = {"throughput", "cost", "latency", "headroom", "gpus"};
constexpr std::array<std::string_view, 5> kVaried = {"weight_dtype", "kv_dtype", "tensor_parallel", "data_parallel", "batch"};
constexpr std::int64_t kMostConcurrent = 512; // sequences of a replica

/// Thousandths of a token that all replicas make while one is paid: more is better.
bool covers(const ServedWay& one, const ServedWay& other) {
  return one.rate >= other.rate && one.sequence_rate >= other.sequence_rate && (one.per_million <= other.per_million);
}

class ServingSearch {
public:
  ServingSearch(const Catalog& catalog, const Prices& prices, const Request& request, Issues carried) : catalog_(catalog), prices_(prices), request_(request) {
    plan_.issues = std::move(carried);
  }

  ServingPlan run() && {
    read_keys();
    for (const Entry& entry : request_.entries())
      if (std::ranges::none_of(kKeys, [&](const PlanKey& key) { return key.name == entry.name; })) scenario_.set(entry.name, entry.text);
    scenario_.set("task", "inference");
    const std::string* const devices = request_.find("compare_devices");
    if (devices == nullptr) search_device(scenario_);
    for (const std::string& device : words_of(devices != nullptr ? *devices : "")) {
      Request one = scenario_;
      one.set("device", device);
      search_device(one);
    }
    plan_.ok = !has_errors(plan_.issues);
    if (!plan_.ok) plan_.best.clear(), plan_.front.clear();
    else if (plan_.held == plan_.too_slow)
      plan_.issues.push_back({Severity::note, "gpus", plan_.held == 0 ? "No way of serving holds." : "No way that holds is fast enough.",
                              plan_.held == 0 ? "Use more or larger GPUs, fewer bits, or a shorter context." : "Lower least_rate, raise most_first_token, or use faster GPUs."});
    rank();
    return std::move(plan_);
  }

private:
  void refuse(std::string_view field, std::string message, std::string remedy) { plan_.issues.push_back({Severity::error, std::string{field}, std::move(message), std::move(remedy)}); }

  std::int64_t number_key(std::string_view name, int decimals, std::int64_t standard) {
    const std::string* const text = request_.find(name);
    if (text == nullptr) return standard;
    const std::optional<std::int64_t> value = decimal_of_text(*text, decimals);
    if (value && *value > 0) return *value;
    refuse(name, std::string{name} + " is " + quoted(std::string_view{*text}) + ".", "Write a number above 0.");
    return standard;
  }

  void read_keys() {
    constexpr std::int64_t kMostListed = 1000;
    least_rate_ = Count{number_key("least_rate", 3, 0)};
    most_first_ = Nanoseconds{(Count{number_key("most_first_token", 3, 0)} * Count{1'000'000}).value};
    sequences_ = number_key("sequences", 0, 0);
    most_ = static_cast<std::size_t>(std::min(number_key("top", 0, 10), kMostListed));
    const std::string* const gpus = request_.find("gpus");
    for (const std::string& word : words_of(gpus != nullptr ? *gpus : "1,2,4,8")) {
      const std::optional<std::int64_t> count = decimal_of_text(word, 0);
      if (count && *count > 0 && *count <= 65'536) gpus_.push_back(*count);
      else refuse("gpus", "gpus is " + quoted(std::string_view{word}) + ".", "Write a whole number of GPUs, or several with commas between them.");
    }
    if (const std::string* const text = request_.find("objective")) {
      const std::optional<ServingObjective> objective = serving_objective_of(*text);
      if (!objective) refuse("objective", "objective is " + quoted(std::string_view{*text}) + ", which is not one of its choices.", "Write throughput, cost, latency, headroom or gpus.");
      else plan_.objective = *objective;
    }
  }

  std::string word(std::string_view name) const {
    const std::string* const text = request_.find(name);
    return text != nullptr ? lower_case(*text) : std::string{};
  }

  void search_device(const Request& request) {
    Request open = request; // what is varied is valid by itself
    for (const std::string_view name : kVaried)
      if (name != "weight_dtype" && name != "kv_dtype") open.erase(name);
    const Answer base = answer(catalog_, open);
    for (const Issue& issue : base.issues)
      if (std::ranges::none_of(plan_.issues, [&](const Issue& other) { return other.field == issue.field && other.message == issue.message; })) plan_.issues.push_back(issue);
    if (!base.ok) return;
    std::vector<std::string> weights{value_text(base, *find_field("weight_dtype"))}, caches{value_text(base, *find_field("kv_dtype"))};
    if (request.find("weight_dtype") == nullptr) std::ranges::copy(usual_weights(catalog_, base), std::back_inserter(weights));
    const std::uint32_t known = base.scenario.profile.inference.cache_dtypes;
    if (request.find("kv_dtype") == nullptr)
      for (const CacheDtype dtype : {CacheDtype::fp8, CacheDtype::q8_0})
        if (known == 0 ? dtype == CacheDtype::fp8 : (known >> static_cast<unsigned>(dtype) & 1u) != 0) caches.emplace_back(choice_name(*find_field("kv_dtype"), static_cast<std::int64_t>(dtype)));
    for (const std::string& format : weights)
      for (const std::string& cache : caches) {
        Request one = open;
        one.set("weight_dtype", format);
        one.set("kv_dtype", cache);
        const Answer formats = answer(catalog_, one);
        if (formats.ok) search_formats(request, formats);
      }
  }

  std::vector<std::int64_t> stated(const Request& request, std::string_view name, std::vector<std::int64_t> otherwise) {
    const std::string* const text = request.find(name);
    const std::optional<std::int64_t> value = text != nullptr ? parse_value(*find_field(name), *text, plan_.issues) : std::nullopt;
    return value ? std::vector<std::int64_t>{*value} : std::move(otherwise);
  }

  void search_formats(const Request& request, const Answer& formats) {
    std::vector<std::int64_t> batches;
    for (std::int64_t batch = 1; batch <= kMostConcurrent; batch *= 2) batches.push_back(batch);
    batches = stated(request, "batch", batches);
    const std::vector<std::int64_t> degrees = stated(request, "tensor_parallel", {1, 2, 4, 8, 16});
    const Profile engine = *catalog_.profile(catalog_.default_profile(false), formats.inputs.hardware.arch);
    for (const std::int64_t gpus : gpus_)
      for (const std::int64_t degree : degrees) {
        Inputs inputs = formats.inputs;
        inputs.strategy.tensor_parallel = degree;
        inputs.strategy.data_parallel = whole_groups(gpus, degree);
        if (inputs.strategy.data_parallel == 0 || degree > inputs.hardware.gpus_per_node) continue;
        search_batches(formats, inputs, engine, gpus, batches);
      }
  }

  static std::int64_t whole_groups(std::int64_t gpus, std::int64_t group) { return gpus % group == 0 ? gpus / group : 0; }

  void search_batches(const Answer& formats, Inputs& inputs, const Profile& engine, std::int64_t gpus, const std::vector<std::int64_t>& batches) {
    const PricedFleet fleet = priced_fleet(prices_, inputs, gpus, word("kind"), word("cloud"));
    std::vector<ServedWay> ways;
    for (const std::int64_t batch : batches) {
      inputs.workload.batch = batch;
      const Trial trial = try_inputs(inputs, formats.scenario.profile, engine, Judge::estimate);
      ++plan_.tried;
      ++plan_.refused[static_cast<std::size_t>(trial.verdict)];
      if (!trial.holds()) continue;
      ++plan_.held;
      ServedWay way = way_of(formats, inputs, trial, fleet);
      const bool slow = !way.timed ? least_rate_ > Count{0} || most_first_ > Nanoseconds{0}
                                   : way.sequence_rate < least_rate_ || (most_first_ > Nanoseconds{0} && (way.first_token == Nanoseconds{0} || way.first_token > most_first_));
      if (slow || batch * way.replicas < sequences_) ++plan_.too_slow;
      else ways.push_back(std::move(way));
    }
    const auto best = std::ranges::min_element(ways, [&](const ServedWay& one, const ServedWay& other) { return before(one, other); });
    if (best != ways.end()) plan_.best.push_back(*best);
    std::ranges::move(ways, std::back_inserter(plan_.front));
  }

  ServedWay way_of(const Answer& formats, const Inputs& inputs, const Trial& trial, const PricedFleet& fleet) const {
    ServedWay way;
    way.device = fleet.device;
    way.weights = value_text(formats, *find_field("weight_dtype"));
    way.cache = value_text(formats, *find_field("kv_dtype"));
    way.gpus = fleet.gpus;
    way.tensor_parallel = inputs.strategy.tensor_parallel;
    way.replicas = inputs.strategy.data_parallel;
    way.batch = inputs.workload.batch;
    way.needs = trial.needs;
    way.headroom = trial.usable - trial.needs;
    Request request;
    Issues ignored;
    request = request_from_query(canonical_query(formats), ignored);
    for (const auto& [name, value] : {std::pair{"tensor_parallel", way.tensor_parallel}, std::pair{"data_parallel", way.replicas}, std::pair{"batch", way.batch}})
      if (value > 1) request.set(name, std::to_string(value));
    way.query = to_query(request);
    way.text = way.weights + " weights, " + way.cache + " cache, tensor " + std::to_string(way.tensor_parallel) + " × " + std::to_string(way.replicas) +
               (way.replicas == 1 ? " replica, " : " replicas, ") + std::to_string(way.batch) + (way.batch == 1 ? " sequence" : " sequences") + " each";
    const Speed served = speed(scenario_of(inputs, formats.scenario.profile));
    way.timed = served.there && served.total.expected > Count{0};
    if (!way.timed) return way;
    way.rate = served.total.expected;
    way.sequence_rate = served.sequence.expected;
    way.first_token = served.prefill_there ? served.first_token.expected : Nanoseconds{0};
    if (fleet.hourly > Money{0}) way.per_million = Money{cost::per_million_tokens(fleet.hourly, way.rate.value).amount};
    return way;
  }

  /// What the objective asks first, then throughput, price, GPUs, headroom; last the formats in their order.
  bool before(const ServedWay& one, const ServedWay& other) const {
    const auto key = [&](const ServedWay& way) {
      std::int64_t first = 0;
      switch (plan_.objective) {
        case ServingObjective::throughput: first = -way.rate.value; break;
        case ServingObjective::cost: first = way.per_million.value; break;
        case ServingObjective::latency: first = -way.sequence_rate.value; break;
        case ServingObjective::headroom: first = -way.headroom.value; break;
        case ServingObjective::gpus: first = way.gpus; break;
      }
      const bool blind = !way.timed && plan_.objective != ServingObjective::headroom && plan_.objective != ServingObjective::gpus;
      return std::tuple{blind, first, -way.rate.value, way.per_million.value, way.gpus, -way.headroom.value};
    };
    return key(one) < key(other);
  }

  void rank() {
    std::ranges::stable_sort(plan_.best, [&](const ServedWay& one, const ServedWay& other) { return before(one, other); });
    if (plan_.best.size() > most_) plan_.best.resize(most_);
    std::vector<ServedWay> all = std::exchange(plan_.front, {});
    std::erase_if(all, [](const ServedWay& way) { return !way.timed; });
    std::ranges::stable_sort(all, {}, [](const ServedWay& way) { return std::tuple{-way.rate.value, -way.sequence_rate.value, way.per_million.value}; });
    for (ServedWay& way : all)
      if (std::ranges::none_of(plan_.front, [&](const ServedWay& other) { return covers(other, way); })) plan_.front.push_back(std::move(way));
  }

  const Catalog& catalog_;
  const Prices& prices_;
  const Request& request_;
  Request scenario_;
  std::vector<std::int64_t> gpus_;
  Count least_rate_;
  Nanoseconds most_first_;
  std::int64_t sequences_ = 0;
  std::size_t most_ = 10;
  ServingPlan plan_;
};

} // namespace

std::span<const PlanKey> serving_plan_keys() noexcept { return kKeys; }
std::string_view name_of(ServingObjective objective) noexcept { return kObjectiveNames[static_cast<std::size_t>(objective)]; }
std::optional<ServingObjective> serving_objective_of(std::string_view name) noexcept {
  const auto at = std::ranges::find(kObjectiveNames, name);
  return at == kObjectiveNames.end() ? std::nullopt : std::optional{static_cast<ServingObjective>(at - kObjectiveNames.begin())};
}

ServingPlan plan_serving(const Catalog& catalog, const Prices& prices, const Request& request, Issues carried) {
  return ServingSearch{catalog, prices, request, std::move(carried)}.run();
}

} // namespace plimsoll::io
