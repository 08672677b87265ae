#include "plimsoll/method/format.hpp"
#include "plimsoll/method/load.hpp"
#include "plimsoll/method/speed.hpp"
#include "results/result_json.hpp"

namespace plimsoll::io {

namespace {

/// Every field that matters for the task, with the value that was used.
Json scenario_result(const Answer& answer) {
  Json scenario = Json::object();
  for (const FieldState& state : answer.fields) {
    if (!state.applies) continue;
    const Field& field = *state.field;
    const std::string name{field.name};
    if (field.kind == FieldKind::integer) scenario[name] = as_written(field, field.get(answer.inputs));
    else if (field.kind == FieldKind::flag) scenario[name] = field.get(answer.inputs) != 0;
    else scenario[name] = value_text(answer, field);
  }
  return scenario;
}

/// Fields that matter for the task, but not beside the others.
Json idle_result(const Answer& answer) {
  Json names = Json::array();
  for (const FieldState& state : answer.fields)
    if (state.applies && state.idle) names.push_back(state.field->name);
  return names;
}

Json moment_result(const MomentUse& use) {
  Json parts = Json::array();
  for (std::size_t i = 0; i < kParts; ++i) {
    if (use.parts[i] == Bytes{0}) continue;
    const PartText& text = text_of(static_cast<Part>(i));
    parts.push_back({{"id", text.id}, {"label", text.label}, {"bytes", use.parts[i].value}, {"text", format_bytes(use.parts[i])}});
  }
  const MomentText& text = text_of(use.moment);
  return {{"moment", text.id},          {"label", text.label},      {"about", text.about}, {"bytes", use.total.value},
          {"low_bytes", use.low.value}, {"high_bytes", use.high.value}, {"text", format_bytes(use.total)}, {"range_text", format_range(use.low, use.high)},
          {"parts", std::move(parts)}};
}

Json range_result(const MemoryNumber& number, const MemoryRange& range) {
  return {{"label", number.label}, {"about", number.about}, {"expected_bytes", range.expected.value}, {"low_bytes", range.low.value}, {"high_bytes", range.high.value},
          {"text", format_bytes(range.expected)}, {"low_text", format_bytes(range.low)}, {"high_text", format_bytes(range.high)}, {"range_text", format_range(range.low, range.high)}};
}

Json uncertainty_result(const Uncertainty& one) {
  return {{"id", one.id}, {"label", one.label}, {"less_bytes", one.less.value}, {"more_bytes", one.more.value},
          {"less_text", format_change(Bytes{0} - one.less)}, {"more_text", format_change(one.more)},
          {"citation", one.citation.empty() ? Json(nullptr) : Json(one.citation)}, {"basis", name_of(one.basis)}};
}

/// The four numbers of the fullest rank.
Json memory_result(const Footprint& footprint) {
  Json uncertainties = Json::array();
  for (const Uncertainty& one : footprint.uncertainties) uncertainties.push_back(uncertainty_result(one));
  Json result;
  result["rank"] = footprint.rank;
  for (const MemoryNumber& number : memory_numbers()) result[std::string{number.id}] = range_result(number, footprint.*number.range);
  result["usable_bytes"] = footprint.usable.value;
  result["headroom_bytes"] = footprint.headroom.value;
  result["headroom_text"] = format_bytes(footprint.headroom);
  result["fits"] = footprint.fits;
  result["returns_cache"] = footprint.returns_cache;
  result["tight"] = footprint.tight;
  result["uncertainties"] = std::move(uncertainties);
  return result;
}

Json ranks_result(const Estimate& estimate) {
  Json ranks = Json::array();
  for (std::size_t i = 0; i < estimate.ranks.size(); ++i)
    ranks.push_back({{"rank", i}, {"peak_bytes", estimate.ranks[i].total.value}, {"text", format_bytes(estimate.ranks[i].total)},
                     {"moment", text_of(estimate.ranks[i].moment).id}, {"label", text_of(estimate.ranks[i].moment).label}});
  return ranks;
}

Json pool_result(const CachePool& pool) {
  if (!pool.exists) return nullptr;
  const auto range = [](const BytesRange& bytes) {
    return Json{{"bytes", bytes.expected.value}, {"low_bytes", bytes.low.value}, {"high_bytes", bytes.high.value},
                {"text", format_bytes(bytes.expected)}, {"range_text", format_range(bytes.low, bytes.high)}};
  };
  Json result = range(pool.bytes);
  result["passes"] = range(pool.passes);
  result["blocks"] = pool.uniform ? Json(pool.blocks.value) : Json(nullptr);
  result["tokens"] = pool.uniform ? Json(pool.tokens.value) : Json(nullptr);
  result["sequences"] = pool.sequences.value;
  return result;
}

/// What judge() said, and what the engine would have to be told.
Json verdict_result(const Answer& answer) {
  const Judgement& judgement = answer.judgement;
  const bool serves = judgement.asked > Count{0};
  Json remedies = Json::array();
  for (const Remedy& remedy : answer.remedies)
    remedies.push_back({{"field", remedy.field}, {"value", remedy.value}, {"flag", remedy.flag.empty() ? Json(nullptr) : Json(remedy.flag)}});
  Json result{{"id", name_of(judgement.verdict)}, {"holds", judgement.holds()}, {"tight", answer.footprint->tight && !answer.judgement.pool.exists}};
  result["starts"] = serves ? Json(judgement.verdict != Verdict::start && judgement.verdict != Verdict::device) : Json(nullptr);
  result["sequences_asked"] = serves ? Json(judgement.asked.value) : Json(nullptr);
  result["sequences_held"] = serves ? Json(judgement.held.value) : Json(nullptr);
  result["fills_bytes"] = judgement.fills > Bytes{0} ? Json(judgement.fills.value) : Json(nullptr);
  result["fills_text"] = judgement.fills > Bytes{0} ? Json(format_bytes(judgement.fills)) : Json(nullptr);
  result["remedies"] = std::move(remedies);
  return result;
}

Json times_result(const TimeRange& time) {
  return {{"expected_ns", time.expected.value}, {"low_ns", time.low.value}, {"high_ns", time.high.value}, {"text", format_duration(time.expected)}};
}

Json rate_result(const TokenRate& rate) {
  return {{"expected_thousandths", rate.expected.value}, {"low_thousandths", rate.low.value}, {"high_thousandths", rate.high.value},
          {"text", format_token_rate(rate.expected)}};
}

/// null where nobody has said how fast the engine is on the device.
Json speed_result(const Speed& speed) {
  if (!speed.exists) return nullptr;
  Json result;
  result["decode_step"] = times_result(speed.step);
  result["tokens_per_step"] = {{"expected_thousandths", speed.accepted.expected.value}, {"low_thousandths", speed.accepted.low.value}, {"high_thousandths", speed.accepted.high.value}};
  result["roofline_ns"] = speed.floor.value;
  result["bound_by"] = speed.computes ? "work" : "memory";
  result["tokens_per_s_of_a_sequence"] = rate_result(speed.sequence);
  result["tokens_per_s"] = rate_result(speed.total);
  result["crossover_batch"] = speed.crossover > Count{0} ? Json(speed.crossover.value) : Json(nullptr);
  result["first_token"] = speed.has_prefill ? times_result(speed.first_token) : Json(nullptr);
  result["prompt_tokens_per_s"] = speed.has_prefill ? rate_result(speed.prompt) : Json(nullptr);
  return result;
}

/// A load in the long run; null where none is stated or its closed form is not known.
Json steady_result(const Answer& answer) {
  const Load load = steady_load(answer.scenario, {answer.judgement.pool.most_tokens()});
  if (!load.exists) return nullptr;
  Json result;
  result["first_token"] = times_result(first_token_range(answer.scenario, load));
  result["per_token"] = times_result(per_token_range(answer.scenario, load));
  result["answer_tokens_per_s_thousandths"] = load.answer_tokens.value;
  result["prompt_tokens_per_s_thousandths"] = load.prompt_tokens.value;
  result["requests_per_s_thousandths"] = load.requests.value;
  return result;
}

Json numbers_result(const Answer& answer) {
  const Estimate& estimate = answer.estimate;
  const Facts& facts = answer.facts;
  const bool training = trains(answer.inputs.workload.task);
  const MomentUse& peak = estimate.at_peak();
  Json moments = Json::array();
  for (std::size_t i = 0; i < estimate.moments.size(); ++i) moments.push_back(moment_result(estimate.moments[i]));
  Json numbers;
  numbers["fits"] = answer.judgement.holds();
  numbers["verdict"] = verdict_result(answer);
  numbers["parameters"] = facts.parameters.value;
  numbers["active_parameters"] = facts.active_parameters.value;
  numbers["parameters_per_gpu"] = facts.parameters_per_gpu.value;
  numbers["gpus"] = estimate.gpus.value;
  numbers["kv_cache_bytes_per_token"] = training ? Json(nullptr) : Json(facts.kv_cache_per_token.value);
  numbers["kv_cache_growth_bytes_per_token"] = training ? Json(nullptr) : Json(facts.kv_cache_growth.value);
  numbers["cache_pool"] = training ? Json(nullptr) : pool_result(answer.judgement.pool);
  numbers["states_bytes_per_parameter"] = training ? Json(facts.states_per_parameter.value) : Json(nullptr);
  numbers["host_bytes"] = estimate.host.value;
  numbers["nvme_bytes"] = training || estimate.nvme > Bytes{0} ? Json(estimate.nvme.value) : Json(nullptr);
  numbers["usable_bytes"] = estimate.usable.value;
  numbers["usable_text"] = format_bytes(estimate.usable);
  numbers["usable_basis"] = answer.inputs.hardware.usable_basis;
  numbers["headroom_bytes"] = answer.footprint->headroom.value;
  numbers["headroom_text"] = format_bytes(answer.footprint->headroom);
  numbers["peak"] = {{"moment", text_of(peak.moment).id}, {"label", text_of(peak.moment).label}, {"bytes", peak.total.value},
                     {"low_bytes", peak.low.value},       {"high_bytes", peak.high.value},       {"text", format_bytes(peak.total)},
                     {"range_text", format_range(peak.low, peak.high)}};
  numbers["moments"] = std::move(moments);
  numbers["rank"] = estimate.rank;
  numbers["ranks"] = ranks_result(estimate);
  numbers["memory"] = memory_result(*answer.footprint);
  numbers["speed"] = training ? Json(nullptr) : speed_result(speed(answer.scenario));
  if (has_traffic(answer.scenario.workload)) numbers["load"] = steady_result(answer);
  numbers["time"] = training_time_result(answer.scenario);
  return numbers;
}

} // namespace

Json headline_result(const Answer& answer) {
  if (!answer.ok) return nullptr;
  return {{"verdict", answer.headline.verdict}, {"rest", answer.headline.rest}, {"detail", answer.headline.detail}};
}

Json estimate_result(Answer answer) {
  add_footprint(answer);
  Json result;
  result["ok"] = answer.ok;
  result["issues"] = issues_result(answer.issues);
  result["query"] = canonical_query(answer);
  result["scenario"] = scenario_result(answer);
  result["idle"] = idle_result(answer);
  result["headline"] = headline_result(answer);
  result["estimate"] = nullptr;
  if (!answer.ok) return result;
  result["estimate"] = numbers_result(answer);
  if (answer.cost) result["cost"] = cost_summary(*answer.cost);
  return result;
}

} // namespace plimsoll::io
