#include "plimsoll/method/format.hpp"
#include "plimsoll/method/solve.hpp"
#include "plimsoll/questions/serving_plan.hpp"
#include "plimsoll/request/request_text.hpp"
#include "text/issues_json.hpp"
#include "text/json.hpp"

#include <array>
#include <utility>

namespace plimsoll::io {

namespace {

Json rate(Count thousandths) { return {{"thousandths", thousandths.value}, {"text", format_token_rate(thousandths)}}; }

Json way_result(const ServedWay& way) {
  Json result{{"query", way.query}, {"text", way.text}, {"device", way.device}, {"engine", way.engine}, {"gpus", way.gpus}, {"weight_dtype", way.weights}, {"kv_dtype", way.cache},
              {"tensor_parallel", way.tensor_parallel}, {"pipeline_parallel", way.pipeline_parallel}, {"expert_parallel", way.expert_parallel},
              {"data_parallel_attention", way.shares_experts}, {"replicas", way.replicas}, {"batch", way.batch}, {"needs_bytes", way.needs.value},
              {"needs_text", format_bytes(way.needs)}, {"headroom_bytes", way.headroom.value}, {"headroom_text", format_bytes(way.headroom)}};
  result["rate"] = way.timed ? rate(way.rate) : Json(nullptr);
  result["sequence_rate"] = way.timed ? rate(way.sequence_rate) : Json(nullptr);
  result["first_token"] = way.first_token > Nanoseconds{0} ? Json{{"ns", way.first_token.value}, {"text", format_duration(way.first_token)}} : Json(nullptr);
  result["per_million_tokens"] = way.per_million > Money{0} ? Json{{"micro_dollars", way.per_million.value}, {"text", format_money(way.per_million)}} : Json(nullptr);
  return result;
}

constexpr std::array kRefused{Verdict::invalid, Verdict::start, Verdict::device, Verdict::pool, Verdict::sequences};

/// Why ways are not among those that are listed.
Json dropped_result(const ServingPlan& plan) {
  Json dropped = Json::array();
  for (const Verdict verdict : kRefused)
    dropped.push_back({{"id", name_of(verdict)}, {"label", label_of(verdict)}, {"ways", plan.refused[static_cast<std::size_t>(verdict)]}});
  dropped.push_back({{"id", "too_slow"}, {"label", "Too slow, or too few sequences"}, {"ways", plan.too_slow}});
  return dropped;
}

Json ways_result(const std::vector<ServedWay>& ways) {
  Json list = Json::array();
  for (const ServedWay& way : ways) list.push_back(way_result(way));
  return list;
}

} // namespace

std::string_view label_of(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::holds: return "";
    case Verdict::invalid: return "Cannot run";
    case Verdict::device:
    case Verdict::host: return "Does not fit";
    case Verdict::start: return "The engine does not start";
    case Verdict::pool: return "The cache has no room for the sequences";
    case Verdict::sequences: return "More sequences than a pass takes";
  }
  return "";
}

std::string serving_plan_json(const ServingPlan& plan) {
  Json refused = Json::object();
  for (const Verdict verdict : kRefused)
    refused[std::string{name_of(verdict)}] = plan.refused[static_cast<std::size_t>(verdict)];
  Json counts{{"tried", plan.tried}, {"held", plan.held}, {"too_slow", plan.too_slow}, {"refused", std::move(refused)}, {"dropped", dropped_result(plan)}};
  Json progress{{"setups", plan.setups}, {"of", plan.of}, {"done", plan.done}};
  return dump(Json{{"ok", plan.ok}, {"issues", issues_result(plan.issues)}, {"objective", name_of(plan.objective)}, {"progress", std::move(progress)}, {"counts", std::move(counts)},
                   {"best", ways_result(plan.best)}, {"front", ways_result(plan.front)}});
}

std::string serving_plan_json(const Catalog& catalog, std::string_view question, bool is_json, std::string_view prices) {
  Issues issues;
  Prices rows;
  if (prices.empty()) {
    rows = Prices::load(catalog);
  } else {
    ReadPrices read = read_prices(catalog, prices);
    issues = std::move(read.issues);
    rows = std::move(read).prices();
  }
  const Request request = request_from_text(question, is_json, issues);
  return serving_plan_json(plan_serving(catalog, rows, request, std::move(issues)));
}

} // namespace plimsoll::io
