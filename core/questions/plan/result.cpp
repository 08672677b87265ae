#include "plimsoll/method/fields.hpp"
#include "plimsoll/method/format.hpp"
#include "plimsoll/questions/plan.hpp"
#include "text/issues_json.hpp"
#include "text/json.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace plimsoll::io {

namespace {

template <class Value> std::string_view name_in(std::string_view field, Value value) { return choice_name(*find_field(field), static_cast<std::int64_t>(value)); }

Json choice_result(const PlanChoice& choice, std::string_view chunk_layers) {
  return {{"tensor_parallel", choice.tensor_parallel},
          {"pipeline_parallel", choice.pipeline_parallel},
          {"context_parallel", choice.context_parallel},
          {"expert_parallel", choice.expert_parallel},
          {"expert_tensor_parallel", choice.expert_tensor_parallel},
          {"data_parallel", choice.data_parallel},
          {"pipeline_schedule", name_in("pipeline_schedule", choice.schedule.schedule)},
          {"virtual_stages", choice.schedule.virtual_stages},
          {"ends_count", choice.embedding_in_split || choice.loss_in_split},
          {"first_stage_layers", choice.first_stage_layers},
          {"last_stage_layers", choice.last_stage_layers},
          {"chunk_layers", chunk_layers},
          {"batch", choice.batch},
          {"micro_batches", choice.micro_batches},
          {"sharding", name_in("sharding", choice.sharding.sharding)},
          {"shard_group", choice.shard_group},
          {"secondary_group", choice.secondary_group},
          {"reshard_after_forward", choice.sharding.reshard},
          {"offload", name_in("offload", choice.offload)},
          {"recompute", name_in("recompute", choice.recompute.recompute)},
          {"recompute_layers", choice.recompute.layers},
          {"recompute_modules", text_of(*find_field("recompute_modules"), choice.recompute.recompute == Recompute::selective ? choice.recompute.modules : 0)},
          {"dispatch", name_in("dispatch", choice.dispatch)},
          {"expert_overlap", choice.expert_overlap},
          {"communication_overlap", choice.communication_overlap}};
}

Json duration(Nanoseconds time) { return {{"ns", time.value}, {"text", format_duration(time)}}; }

Json way_result(const PlanAnswer& answer, const PlannedWay& way) {
  const Planned& planned = way.planned;
  Issues told_elsewhere;
  const Request request = request_from_query(way.query, told_elsewhere);
  const std::string* const chunk_layers = request.find("chunk_layers");
  const PricedFleet& fleet = answer.setups[planned.choice.variant].fleets[planned.choice.fleet];
  Json result{{"number", planned.number},
              {"query", way.query},
              {"text", way.text},
              {"setup", planned.choice.variant},
              {"device", fleet.device},
              {"gpus", fleet.gpus},
              {"choice", choice_result(planned.choice, chunk_layers != nullptr ? *chunk_layers : std::string{})},
              {"needs_bytes", planned.needs.value},
              {"needs_text", format_bytes(planned.needs)},
              {"headroom_bytes", planned.headroom.value},
              {"headroom_text", format_bytes(planned.headroom)},
              {"out_of_memory_millionths", way.chance},
              {"mfu_thousandths", way.mfu > 0 ? Json(way.mfu) : Json(nullptr)},
              {"process_bytes", way.judged ? Json(way.process.value) : Json(nullptr)},
              {"process_text", way.judged ? Json(format_bytes(way.process)) : Json(nullptr)}};
  for (const char* name : {"step", "time", "cost", "energy"}) result[name] = nullptr;
  if (!planned.timed) return result;
  result["step"] = duration(planned.step.expected);
  result["step"]["low_ns"] = planned.step.low.value;
  result["step"]["high_ns"] = planned.step.high.value;
  result["time"] = duration(planned.time);
  if (fleet.hourly > Money{0}) result["cost"] = {{"micro_dollars", planned.cost.value}, {"text", format_money(planned.cost)}};
  if (planned.energy > Energy{0}) result["energy"] = {{"joules", planned.energy.value}, {"text", format_energy(planned.energy)}};
  return result;
}

Json fleets_result(const PlanAnswer& answer) {
  Json fleets = Json::array();
  for (std::size_t i = 0; i < answer.setups.size(); ++i)
    for (const PricedFleet& fleet : answer.setups[i].fleets) {
      const PriceRow* const row = fleet.row;
      const bool priced = fleet.hourly > Money{0};
      fleets.push_back({{"setup", i},
                        {"query", to_query(answer.setups[i].request)},
                        {"device", fleet.device},
                        {"gpus", fleet.gpus},
                        {"hourly", priced ? Json{{"micro_dollars", fleet.hourly.value}, {"text", format_money(fleet.hourly)}} : Json(nullptr)},
                        {"price", row != nullptr ? Json(row->id) : Json(nullptr)},
                        {"cloud", row != nullptr ? Json(row->cloud) : Json(nullptr)},
                        {"date", row != nullptr ? Json(row->date) : Json(nullptr)},
                        {"source", row != nullptr ? Json(row->source) : Json(nullptr)}});
    }
  return fleets;
}

/// What strategies that cannot run are refused for, the most first.
Json refused_result(const PlanCounts& counts) {
  std::vector<PlanCounts::Refused> refused;
  for (const PlanCounts::Refused& one : counts.refused)
    if (one.strategies > 0) refused.push_back(one);
  std::ranges::sort(refused, {}, [](const PlanCounts::Refused& one) { return std::pair{-one.strategies, one.field}; });
  Json fields = Json::array();
  for (const PlanCounts::Refused& one : refused) fields.push_back({{"field", one.field}, {"label", label_of(*find_field(one.field))}, {"strategies", one.strategies}});
  return fields;
}

Json counts_result(const PlanAnswer& answer) {
  Json dropped = Json::array();
  for (std::size_t i = 0; i < kDropped; ++i) {
    const DroppedText& text = text_of(static_cast<Dropped>(i));
    dropped.push_back({{"id", text.id}, {"label", text.label}, {"strategies", answer.counts.dropped[i]}});
  }
  return {{"tried", answer.counts.tried}, {"held", answer.counts.held}, {"too_tight", answer.too_tight}, {"dropped", std::move(dropped)},
          {"refused", refused_result(answer.counts)}};
}

Json ways_result(const PlanAnswer& answer, const std::vector<PlannedWay>& ways) {
  Json list = Json::array();
  for (const PlannedWay& way : ways) list.push_back(way_result(answer, way));
  return list;
}

Json progress_result(const PlanProgress& progress) { return {{"layouts", progress.layouts}, {"of", progress.of}, {"tried", progress.tried}}; }

} // namespace

std::string PlanTexts::progress_json() const { return dump(progress_result(session_->progress())); }

std::string plan_json(const PlanAnswer& answer) {
  Json progress = progress_result(answer.progress);
  progress["done"] = answer.done;
  const std::optional<std::size_t> simplest = simplest_of(answer);
  return dump(Json{{"ok", answer.ok},
                   {"issues", issues_result(answer.issues)},
                   {"objective", text_of(answer.objective).id},
                   {"global_batch", answer.global_batch},
                   {"tokens", answer.tokens},
                   {"fleets", fleets_result(answer)},
                   {"progress", std::move(progress)},
                   {"counts", counts_result(answer)},
                   {"best", ways_result(answer, answer.best)},
                   {"why", why_text(answer)},
                   {"simplest", simplest ? Json(static_cast<std::int64_t>(*simplest)) : Json(nullptr)},
                   {"front", ways_result(answer, answer.front)}});
}

} // namespace plimsoll::io
