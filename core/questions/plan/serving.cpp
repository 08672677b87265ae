// Formats, then layouts, then concurrencies: every one is tried, a layout at a time, so that a page stays responsive.
#include "answer/stored_as.hpp"
#include "plimsoll/catalog/shown_value.hpp"
#include "plimsoll/method/cost.hpp"
#include "plimsoll/method/solve.hpp"
#include "method/sort_stably.hpp"
#include "questions/advice/candidates.hpp"
#include "questions/plan/fleets.hpp"
#include "questions/plan/served_times.hpp"
#include "questions/plan/serving_question.hpp"
#include "text/json.hpp"
#include "text/value.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <tuple>
#include <utility>

namespace plimsoll::io {

namespace {

/// Whether no tokens per second, rate of a sequence and price of the other are better.
bool covers(const ServedWay& one, const ServedWay& other) {
  return one.rate >= other.rate && one.sequence_rate >= other.sequence_rate && (one.per_million <= other.per_million);
}

/// Thousandths of a token of answers per second that the stated requests are; 0 where no rate is stated.
Count asked_rate(const Workload& workload) noexcept {
  const Traffic& traffic = workload.traffic;
  return states_lengths(workload) ? ceil_div(Count{traffic.request_rate} * Count{traffic.answer_tokens} * Count{2000 - traffic.spread()}, Count{2000}) : Count{0};
}

/// A combination of device, engine and formats, with what all its layouts share.
struct Formats {
  Answer answer;
  Request scenario; ///< canonical
  Profile engine;   ///< for what generates answers in training: scenario_of() asks
  std::vector<ServingLayout> layouts;
  std::size_t next = 0; ///< of the layouts
};

} // namespace

struct ServingPlanSession::State {
  const Catalog& catalog;
  const Prices& prices;
  ReadServing read;
  ServingPlan plan;
  std::size_t setup = 0;           ///< the next one to open
  std::vector<Request> formats;    ///< of the present setup, in the order of the formats
  std::size_t format = 0;          ///< the next one of them to open
  std::optional<Formats> open;

  State(const Catalog& of, const Prices& at, const Request& request, Issues carried) : catalog(of), prices(at), read(read_serving(of, request, std::move(carried))) {
    plan.issues = std::exchange(read.issues, {});
    plan.objective = read.objective;
    plan.of = read.setups.size();
    if (has_errors(plan.issues)) setup = read.setups.size();
  }

  bool has_layouts() const { return open && open->next < open->layouts.size(); }

  /// Something more to try; false at the end.
  bool open_next() {
    if (has_layouts()) return true;
    open.reset();
    while (!open && format < formats.size()) open_formats(formats[format++]);
    if (open) return true;
    if (setup == read.setups.size()) return false;
    open_setup(read.setups[setup++]);
    return true;
  }

  void add_issues(const Issues& issues) {
    for (const Issue& issue : issues)
      if (std::ranges::none_of(plan.issues, [&](const Issue& other) { return other.field == issue.field && other.message == issue.message; })) plan.issues.push_back(issue);
  }

  void open_setup(const Request& request) {
    formats.clear();
    format = 0;
    const Answer base = io::answer(catalog, request); // what is varied is valid by itself
    add_issues(base.issues);
    if (!base.ok) return;
    std::vector<std::string> weights{value_text(base, *find_field("weight_dtype"))}, caches{value_text(base, *find_field("kv_dtype"))};
    // A checkpoint that somebody quantised is served as it is; for others a format means a checkpoint that somebody must have made.
    if (!read.weights_stated && own_format(catalog, base).empty()) {
      std::ranges::copy(usual_weights(catalog, base), std::back_inserter(weights));
      if (weights.size() > 1) add_issues({another_checkpoint(base, "State weight_dtype to keep to one.")});
    }
    const std::uint32_t known = base.scenario.profile.inference.cache_dtypes;
    if (!read.cache_stated)
      for (const CacheDtype dtype : {CacheDtype::fp8, CacheDtype::q8_0})
        if (known == 0 ? dtype == CacheDtype::fp8 : (known >> static_cast<unsigned>(dtype) & 1u) != 0) caches.emplace_back(choice_name(*find_field("kv_dtype"), static_cast<std::int64_t>(dtype)));
    for (const std::string& stored : weights)
      for (const std::string& cache : caches) {
        formats.push_back(request);
        formats.back().set("weight_dtype", stored);
        formats.back().set("kv_dtype", cache);
      }
  }

  void open_formats(const Request& request) {
    Formats next{io::answer(catalog, request), {}, {}, {}};
    if (!next.answer.ok) return;
    if (states_lengths(next.answer.inputs.workload) && !served_times(next.answer.scenario).exists)
      add_issues({{Severity::note, "device", "Nobody has said how " + next.answer.scenario.profile.name + " takes requests in turn, or what it reaches on " + next.answer.scenario.hardware.name + ": its ways are not timed under this load.",
                   "Leave prompt_tokens and answer_tokens out to compare steps of decoding alone."}});
    Issues ignored;
    next.scenario = request_from_query(canonical_query(next.answer), ignored);
    const Inputs& inputs = next.answer.inputs;
    next.engine = *catalog.profile(catalog.default_profile(false), inputs.hardware.arch);
    for (const std::int64_t gpus : read.gpus)
      std::ranges::copy(serving_layouts(inputs, next.answer.scenario.profile.inference, gpus, read.stated), std::back_inserter(next.layouts));
    if (!next.layouts.empty()) open = std::move(next);
  }

  /// All concurrencies of the next layout.
  void try_layout() {
    const ServingLayout& layout = open->layouts[open->next++];
    Inputs inputs = open->answer.inputs;
    apply(layout, inputs);
    const PricedFleet fleet = priced_fleet(prices, inputs, layout.gpus, read.kind, read.cloud);
    std::vector<ServedWay> ways;
    for (const std::int64_t batch : read.batches) {
      inputs.workload.batch = batch;
      const Trial trial = try_inputs(inputs, open->answer.scenario.profile, open->engine, Judge::estimate);
      ++plan.tried;
      ++plan.refused[static_cast<std::size_t>(trial.verdict())];
      if (!trial.holds()) continue;
      ++plan.held;
      ServedWay way = way_of(layout, inputs, trial, fleet);
      if (is_too_slow(way) || way.rate < asked_rate(inputs.workload) || batch * way.replicas < read.sequences) ++plan.too_slow;
      else ways.push_back(std::move(way));
    }
    sort_stably(ways, [&](const ServedWay& one, const ServedWay& other) { return before(one, other); });
    bool is_best = true;
    for (ServedWay& way : ways) {
      if (!(is_best && enters_best(way)) && !enters_front(way)) continue;
      if (!is_held(way, inputs)) continue;
      if (std::exchange(is_best, false)) add_best(way);
      add_to_front(std::move(way));
    }
  }

  bool enters_best(const ServedWay& way) const { return plan.best.size() < read.most || before(way, plan.best.back()); }
  bool enters_front(const ServedWay& way) const {
    return way.timed && std::ranges::none_of(plan.front, [&](const ServedWay& other) { return covers(other, way); });
  }

  /// What is listed is judged by its whole process, as an estimate of it is: replaying a pass takes a thousand times as long as the sum.
  bool is_held(ServedWay& way, Inputs& inputs) {
    inputs.workload.batch = way.batch;
    const Trial trial = try_inputs(inputs, open->answer.scenario.profile, open->engine, Judge::process);
    way.needs = trial.needs;
    way.headroom = trial.usable - trial.needs;
    if (trial.holds()) return true;
    --plan.held;
    ++plan.refused[static_cast<std::size_t>(trial.verdict())];
    return false;
  }

  /// In their order, and no more of them than are asked for: what is left out now would be left out of the whole too.
  void add_best(const ServedWay& way) {
    const auto at = std::ranges::upper_bound(plan.best, way, [&](const ServedWay& one, const ServedWay& other) { return before(one, other); });
    if (at == plan.best.end() && plan.best.size() >= read.most) return;
    plan.best.insert(at, way);
    if (plan.best.size() > read.most) plan.best.pop_back();
  }

  /// Fastest first, none covered by another; of equal ones the first that was found.
  void add_to_front(ServedWay way) {
    if (!way.timed || std::ranges::any_of(plan.front, [&](const ServedWay& other) { return covers(other, way); })) return;
    std::erase_if(plan.front, [&](const ServedWay& other) { return covers(way, other); });
    const auto key = [](const ServedWay& one) { return std::tuple{-one.rate.value, -one.sequence_rate.value, one.per_million.value}; };
    const auto at = std::ranges::upper_bound(plan.front, key(way), {}, key);
    plan.front.insert(at, std::move(way));
  }

  bool is_too_slow(const ServedWay& way) const {
    const bool limited = read.most_first > Nanoseconds{0};
    if (!way.timed) return limited || read.least_rate > Count{0};
    return way.sequence_rate < read.least_rate || (limited && (way.first_token == Nanoseconds{0} || way.first_token > read.most_first));
  }

  ServedWay way_of(const ServingLayout& layout, const Inputs& inputs, const Trial& trial, const PricedFleet& fleet) const {
    const Answer& formats_answer = open->answer;
    ServedWay way;
    way.device = fleet.device;
    way.engine = formats_answer.profile_id;
    way.weights = value_text(formats_answer, *find_field("weight_dtype"));
    way.cache = value_text(formats_answer, *find_field("kv_dtype"));
    way.gpus = fleet.gpus;
    way.tensor_parallel = layout.tensor_parallel;
    way.pipeline_parallel = layout.pipeline_parallel;
    way.expert_parallel = layout.expert_parallel;
    way.replicas = layout.replicas;
    way.shares_experts = layout.data_parallel_attention == Switch::on;
    way.batch = inputs.workload.batch;
    way.needs = trial.needs;
    way.headroom = trial.usable - trial.needs;
    way.query = query_of(layout, inputs);
    way.text = text_of(way);
    const ServedTimes served = served_times(scenario_of(inputs, formats_answer.scenario.profile));
    way.timed = served.exists;
    if (!way.timed) return way;
    way.rate = served.rate;
    way.sequence_rate = served.sequence_rate;
    way.first_token = served.first_token;
    way.price = fleet.row;
    const Count asked = asked_rate(inputs.workload), given = asked > Count{0} ? min(asked, way.rate) : way.rate; // more than is asked nobody pays for
    if (fleet.hourly > Money{0}) way.per_million = Money{cost::per_million_tokens(fleet.hourly, given.value).amount};
    return way;
  }

  std::string query_of(const ServingLayout& layout, const Inputs& inputs) const {
    Request request = open->scenario;
    if (states_lengths(inputs.workload)) {
      request.set("concurrency", std::to_string((Count{inputs.workload.batch} * Count{layout.replicas}).value));
      for (const char* other : {"request_rate", "requests", "trace"}) request.erase(other);
    }
    for (const auto& [name, value] : {std::pair{"tensor_parallel", layout.tensor_parallel}, std::pair{"pipeline_parallel", layout.pipeline_parallel},
                                      std::pair{"expert_parallel", layout.expert_parallel}, std::pair{"data_parallel", layout.replicas}, std::pair{"batch", inputs.workload.batch}})
      if (value > 1) request.set(name, std::to_string(value));
    if (layout.data_parallel_attention != Switch::profile)
      request.set("data_parallel_attention", std::string{choice_name(*find_field("data_parallel_attention"), static_cast<std::int64_t>(layout.data_parallel_attention))});
    return to_query(request);
  }

  std::string text_of(const ServedWay& way) const {
    const auto shown = [&](std::string_view field, const std::string& id) { return shown_value(catalog, *find_field(field), id); };
    const bool own = way.weights == open->answer.weights_default;
    std::string text = "weights " + shown("weight_dtype", way.weights) + (own ? "" : ", not the model's own") + "; cache " + shown("kv_dtype", way.cache) + "; ";
    for (const auto& [name, degree] : {std::pair{"tensor ", way.tensor_parallel}, std::pair{"pipeline ", way.pipeline_parallel}})
      if (degree > 1) text += name + std::to_string(degree) + " × ";
    text += std::to_string(way.replicas) + (way.replicas == 1 ? " replica; " : " replicas; ");
    if (way.expert_parallel > 1) text += "whole experts on " + std::to_string(way.expert_parallel) + " GPUs; ";
    if (way.shares_experts) text += "experts divided among replicas; ";
    return text + std::to_string(way.batch) + (way.batch == 1 ? " sequence" : " sequences") + " each";
  }

  /// What the objective asks first, then throughput, price, GPUs, headroom; last the formats in their order.
  bool before(const ServedWay& one, const ServedWay& other) const {
    const auto key = [&](const ServedWay& way) {
      std::int64_t first = 0;
      switch (plan.objective) {
        case ServingObjective::throughput: first = -way.rate.value; break;
        case ServingObjective::cost: first = way.per_million.value; break;
        case ServingObjective::latency: first = -way.sequence_rate.value; break;
        case ServingObjective::headroom: first = -way.headroom.value; break;
        case ServingObjective::gpus: first = way.gpus; break;
      }
      const bool blind = !way.timed && plan.objective != ServingObjective::headroom && plan.objective != ServingObjective::gpus;
      return std::tuple{blind, first, -way.rate.value, way.per_million.value, way.gpus, -way.headroom.value};
    };
    return key(one) < key(other);
  }

  ServingPlan ranked() const {
    ServingPlan result = plan;
    result.done = !has_layouts() && format == formats.size() && setup == read.setups.size();
    result.setups = result.done ? plan.of : setup - (setup > 0 ? 1 : 0);
    result.ok = !has_errors(result.issues);
    if (!result.ok) {
      result.best.clear();
      result.front.clear();
      return result;
    }
    if (result.done && plan.held == plan.too_slow)
      result.issues.push_back({Severity::note, "gpus", plan.held == 0 ? "No way of serving holds." : "No way that holds is fast enough.",
                               plan.held == 0 ? "Use more or larger GPUs, fewer bits, or a shorter context." : "Lower least_rate or request_rate, raise most_first_token, or use more or faster GPUs."});
    return result;
  }
};

ServingPlanSession::ServingPlanSession(const Catalog& catalog, const Prices& prices, const Request& request, Issues carried)
    : state_(std::make_unique<State>(catalog, prices, request, std::move(carried))) {}
ServingPlanSession::~ServingPlanSession() = default;
ServingPlanSession::ServingPlanSession(ServingPlanSession&&) noexcept = default;
ServingPlanSession& ServingPlanSession::operator=(ServingPlanSession&&) noexcept = default;

bool ServingPlanSession::advance(std::int64_t ways) {
  State& state = *state_;
  const std::int64_t before = state.plan.tried;
  while (state.plan.tried - before < std::max<std::int64_t>(ways, 1)) {
    const bool opens = !state.has_layouts();
    if (!state.open_next()) return false;
    if (state.has_layouts()) state.try_layout();
    if (opens) return true; // reading a scenario takes as long as many ways
  }
  return true;
}

ServingPlan ServingPlanSession::answer() const { return state_->ranked(); }

ServingPlan plan_serving(const Catalog& catalog, const Prices& prices, const Request& request, Issues carried) {
  ServingPlanSession session{catalog, prices, request, std::move(carried)};
  while (session.advance(Count::kMax)) {}
  return session.answer();
}

} // namespace plimsoll::io
