#include "catalog/abilities.hpp"

#include "catalog/profile_data.hpp"
#include "plimsoll/method/fields.hpp"
#include "text/json.hpp"
#include "text/value.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace plimsoll::io {

namespace {

template <class T> T choice(std::string_view field, std::string_view name) {
  const Choice* const found = find_choice(*find_field(field), name);
  if (found == nullptr) throw std::runtime_error("abilities: " + std::string{name});
  return static_cast<T>(found->value);
}

template <class T> std::vector<T> choices(const Json& names, std::string_view field) {
  std::vector<T> values;
  for (const Json& name : names) values.push_back(choice<T>(field, name.get<std::string>()));
  return values;
}

/// Bits of the parts that "layernorm,moe_act" names.
std::uint32_t parts(std::string_view field, std::string_view names) {
  Issues issues;
  const std::optional<std::int64_t> bits = parse_value(*find_field(field), names, issues);
  if (!bits) throw std::runtime_error("abilities: " + std::string{names});
  return static_cast<std::uint32_t>(*bits);
}

ShardingChoice sharding_of(std::string_view name) {
  const auto takes = [&](std::string_view ending) {
    if (!name.ends_with(ending)) return false;
    name.remove_suffix(ending.size());
    return true;
  };
  ShardingChoice result;
  result.second = takes("_second_in_node");
  result.in_node = takes("_in_node");
  result.reshard = !takes("_kept");
  result.sharding = choice<Sharding>("sharding", name);
  return result;
}

PlanAbilities abilities_in(const Json& json) {
  PlanAbilities abilities;
  const auto degrees = json.at("degrees").get<std::vector<std::string>>();
  constexpr std::array<std::string_view, 5> kDegrees{"tensor_parallel", "pipeline_parallel", "context_parallel", "expert_parallel", "expert_tensor_parallel"};
  for (const std::string& name : degrees)
    if (std::ranges::find(kDegrees, name) == kDegrees.end()) throw std::runtime_error("abilities: there is no degree " + name);
  const auto able = [&](std::string_view name) { return std::ranges::find(degrees, name) != degrees.end(); };
  abilities.tensor_parallel = able("tensor_parallel");
  abilities.pipeline_parallel = able("pipeline_parallel");
  abilities.context_parallel = able("context_parallel");
  abilities.expert_parallel = able("expert_parallel");
  abilities.expert_tensor_parallel = able("expert_tensor_parallel");
  abilities.interleaves = json.at("interleaves").get<bool>();
  abilities.counts_ends = json.at("counts_ends").get<bool>();
  abilities.sizes_ends = json.at("sizes_ends").get<bool>();
  abilities.segments = json.at("segments").get<bool>();
  abilities.schedules = choices<PipelineSchedule>(json.at("schedules"), "pipeline_schedule");
  abilities.shardings.clear();
  for (const Json& name : json.at("shardings")) abilities.shardings.push_back(sharding_of(name.get<std::string>()));
  abilities.offloads = choices<Offload>(json.at("offloads"), "offload");
  abilities.recomputes = choices<Recompute>(json.at("recomputes"), "recompute");
  abilities.writes_chunks = json.value("writes_chunks", false);
  if (const auto sets = json.find("modules"); sets != json.end())
    for (const Json& set : *sets) abilities.modules.push_back(parts("recompute_modules", set.get<std::string>()));
  if (const auto once = json.find("sends_once"); once != json.end()) abilities.sends_once = once->get<std::vector<std::string>>();
  abilities.overlaps_tensor = json.value("overlaps_tensor", false);
  if (const auto overlaps = json.find("overlaps_experts"); overlaps != json.end()) abilities.overlaps_experts = overlaps->get<bool>();
  return abilities;
}

} // namespace

std::optional<PlanAbilities> abilities_of(std::string_view profile) {
  const Json* const plans = profile_part(profile, "plans");
  return plans != nullptr ? std::optional{abilities_in(*plans)} : std::nullopt;
}

} // namespace plimsoll::io
