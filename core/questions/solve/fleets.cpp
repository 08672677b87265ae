#include "questions/solve/fleets.hpp"

#include "plimsoll/questions/plan.hpp"
#include "method/sort_stably.hpp"
#include "questions/plan/serving_layouts.hpp"
#include "request/spelling.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace plimsoll::io {

namespace {

Trial none_fits(const Offer& offer, const Bytes usable, const std::string& remedy) {
  Trial trial;
  trial.usable = usable;
  trial.issues.push_back({Severity::error, "gpus", "No way of dividing the work fits on " + std::to_string(offer.gpus) + " × " + offer.device + ".", remedy});
  return trial;
}

/// The first layout that fits: those with fewer GPUs in a replica come first, and all of them are as cheap.
OnFleet serve(const Catalog& catalog, const Request& request, const Offer& offer, Judge judge) {
  const Answer base = answer(catalog, request);
  OnFleet result;
  if (!base.ok) {
    result.trial.issues = base.issues;
    return result;
  }
  const Profile& profile = base.scenario.profile;
  const Profile engine = *catalog.profile(catalog.default_profile(false), base.inputs.hardware.arch);
  for (const ServingLayout& layout : serving_layouts(base.inputs, profile.inference, offer.gpus, {})) {
    Inputs inputs = base.inputs;
    apply(layout, inputs);
    Trial trial = try_inputs(inputs, profile, engine, judge);
    if (!trial.holds()) continue;
    Request there = request;
    for (const auto& [name, value] : {std::pair{"tensor_parallel", layout.tensor_parallel}, std::pair{"pipeline_parallel", layout.pipeline_parallel},
                                      std::pair{"expert_parallel", layout.expert_parallel}, std::pair{"data_parallel", layout.replicas}})
      there.set(name, std::to_string(value));
    if (layout.data_parallel_attention != Switch::profile)
      there.set("data_parallel_attention", std::string{choice_name(*find_field("data_parallel_attention"), static_cast<std::int64_t>(layout.data_parallel_attention))});
    return {std::move(trial), std::move(there)};
  }
  result.trial = none_fits(offer, Bytes{base.inputs.hardware.usable_bytes}, "Take larger GPUs, more of them, or weights in fewer bits.");
  return result;
}

/// What a search for layouts varies by itself, and a question that states it does not: kinds of sharding, recomputation and offload.
constexpr std::array<std::string_view, 5> kKept{"sharding", "reshard_after_forward", "recompute", "recompute_layers", "offload"};

OnFleet train(const Catalog& catalog, const Prices& prices, const Request& request, const Offer& offer, Judge judge) {
  Request question = left_open(request);
  question.set("gpus", std::to_string(offer.gpus));
  question.set("objective", "headroom");
  for (const std::string_view field : kKept)
    if (const std::string* const stated = request.find(field)) question.set(field, *stated);
  if (request.find("offload") == nullptr) question.set("offload", "none"); // how many GPUs it takes, not how much of a host's memory
  question.set("top", "1");
  PlanSession session{catalog, prices, question};
  session.finish(1);
  const PlanAnswer plan = session.answer();
  OnFleet result;
  if (!plan.ok || plan.best.empty()) {
    const DeviceRow* const row = catalog.find_device(offer.device);
    result.trial = none_fits(offer, Bytes{row != nullptr ? row->hardware.usable_bytes : 0}, "Take larger GPUs, more of them, or train adapters.");
    if (!plan.ok) result.trial.issues = plan.issues;
    return result;
  }
  Issues ignored;
  Request there = request_from_query(plan.best.front().query, ignored);
  const Answer found = answer(catalog, there);
  result.trial = try_inputs(found.inputs, found.scenario.profile, *catalog.profile(catalog.default_profile(false), found.inputs.hardware.arch), judge);
  if (result.trial.holds()) result.scenario = std::move(there);
  return result;
}

} // namespace

std::vector<Offer> offers_by_price(const Prices& prices) {
  std::vector<const PriceRow*> rows;
  for (const PriceRow& row : prices.rows())
    if (row.kind == PriceKind::on_demand && row.hourly > Money{0}) rows.push_back(&row);
  sort_stably(rows, {}, [](const PriceRow* row) { return row->hourly; });
  std::vector<Offer> offers;
  for (const PriceRow* row : rows) {
    const auto same = [&](const Offer& other) { return other.device == row->gpu && other.gpus == row->gpus.value; };
    if (std::ranges::none_of(offers, same)) offers.push_back({row->id, row->gpu, row->gpus.value});
  }
  return offers;
}

std::vector<Offer> fleets_by_size(const std::string& device) {
  constexpr std::int64_t kMostGpus = 2000;
  std::vector<Offer> fleets;
  for (std::int64_t gpus = 1; gpus <= kMostGpus; gpus *= 2) fleets.push_back({std::to_string(gpus), device, gpus});
  return fleets;
}

OnFleet on_fleet(const Catalog& catalog, const Prices& prices, const Request& request, const Offer& offer, Judge judge) {
  Request there = request;
  edit(there, "device", offer.device);
  for (const char* const varied : {"tensor_parallel", "pipeline_parallel", "expert_parallel", "data_parallel", "data_parallel_attention"}) there.erase(varied);
  return serves(there) ? serve(catalog, there, offer, judge) : train(catalog, prices, there, offer, judge);
}

} // namespace plimsoll::io
