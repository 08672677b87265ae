#include "io/issues_json.hpp"
#include "io/json.hpp"
#include "plimsoll/format.hpp"
#include "plimsoll/io/serving_plan.hpp"
#include "plimsoll/solve.hpp"

#include <utility>

namespace plimsoll::io {

namespace {

Json rate(Count thousandths) { return {{"thousandths", thousandths.value}, {"text", format_token_rate(thousandths)}}; }

Json way_result(const ServedWay& way) {
  Json result{{"query", way.query}, {"text", way.text}, {"device", way.device}, {"gpus", way.gpus}, {"weight_dtype", way.weights}, {"kv_dtype", way.cache},
              {"tensor_parallel", way.tensor_parallel}, {"replicas", way.replicas}, {"batch", way.batch}, {"needs_bytes", way.needs.value},
              {"needs_text", format_bytes(way.needs)}, {"headroom_bytes", way.headroom.value}, {"headroom_text", format_bytes(way.headroom)}};
  result["rate"] = way.timed ? rate(way.rate) : Json(nullptr);
  result["sequence_rate"] = way.timed ? rate(way.sequence_rate) : Json(nullptr);
  result["first_token"] = way.first_token > Nanoseconds{0} ? Json{{"ns", way.first_token.value}, {"text", format_duration(way.first_token)}} : Json(nullptr);
  result["per_million_tokens"] = way.per_million > Money{0} ? Json{{"micro_dollars", way.per_million.value}, {"text", format_money(way.per_million)}} : Json(nullptr);
  return result;
}

Json ways_result(const std::vector<ServedWay>& ways) {
  Json list = Json::array();
  for (const ServedWay& way : ways) list.push_back(way_result(way));
  return list;
}

} // namespace

std::string serving_plan_json(const ServingPlan& plan) {
  Json refused = Json::object();
  for (const Verdict verdict : {Verdict::invalid, Verdict::device, Verdict::pool, Verdict::sequences})
    refused[std::string{name_of(verdict)}] = plan.refused[static_cast<std::size_t>(verdict)];
  Json counts{{"tried", plan.tried}, {"held", plan.held}, {"too_slow", plan.too_slow}, {"refused", std::move(refused)}};
  return dump(Json{{"ok", plan.ok}, {"issues", issues_result(plan.issues)}, {"objective", name_of(plan.objective)}, {"counts", std::move(counts)},
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
    rows = Prices{std::move(read.rows)};
  }
  const Request request = is_json ? request_from_json(question, issues) : request_from_query(question, issues);
  return serving_plan_json(plan_serving(catalog, rows, request, std::move(issues)));
}

} // namespace plimsoll::io
