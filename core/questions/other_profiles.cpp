#include "plimsoll/questions/other_profiles.hpp"

#include <algorithm>

namespace plimsoll::io {

namespace {

const Component* find_in(const Explanation& explanation, std::string_view id) {
  if (const Component* const found = find_component(explanation.parameters, id)) return found;
  for (const Component& fact : explanation.facts)
    if (const Component* const found = find_component(fact, id)) return found;
  return nullptr;
}

void fill(ProfileAmount& row, const Component* component) {
  if (component == nullptr) return;
  row.exists = true;
  row.unit = component->unit;
  row.amount = component->amount;
}

/// The moment is one that every profile of a task has, or has not.
bool has_moment(const Estimate& estimate, Moment moment) {
  for (std::size_t i = 0; i < estimate.moments.size(); ++i)
    if (estimate.moments[i].moment == moment) return true;
  return false;
}

void look(ProfileAmount& row, const Answer& there, std::string_view component, std::optional<Moment> moment, std::optional<std::int64_t> rank) {
  if (moment || rank) {
    const std::int64_t of = rank && *rank < static_cast<std::int64_t>(there.estimate.ranks.size()) ? *rank : there.estimate.rank;
    const Estimate estimate = of == there.estimate.rank ? there.estimate : estimate_rank(there.scenario, of);
    if (moment && !has_moment(estimate, *moment)) return;
    const Component memory = explain_moment(there.scenario, moment.value_or(estimate.at_peak().moment), of);
    if (const Component* const found = find_component(memory, component)) return fill(row, found);
  }
  const Explanation explanation = explain(there.scenario, there.estimate);
  const Component* found = moment || rank ? nullptr : find_component(explanation.memory, component);
  fill(row, found != nullptr ? found : find_in(explanation, component));
}

std::string first_error(const Issues& issues) {
  const auto at = std::ranges::find(issues, Severity::error, &Issue::severity);
  return at == issues.end() ? std::string{} : at->message;
}

} // namespace

std::optional<ProfileAmount> amount_under(const Catalog& catalog, const Catalog::ProfileRow& profile, const Answer& asked, std::string_view component,
                                          std::optional<Moment> moment, std::optional<std::int64_t> rank) {
  if (!asked.ok || (trains(asked.inputs.workload.task) ? !profile.for_training : !profile.for_inference)) return std::nullopt;
  ProfileAmount row{profile.id, profile.name, profile.id == asked.profile_id, false, {}, {}, 0};
  if (row.is_asked) return look(row, asked, component, moment, rank), row;
  Request request = asked.request;
  request.set("profile", profile.id);
  const Answer there = answer(catalog, request);
  if (there.ok) look(row, there, component, moment, rank);
  else row.reason = first_error(there.issues);
  return row;
}

} // namespace plimsoll::io
