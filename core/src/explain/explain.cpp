#include "plimsoll/explain.hpp"

#include "explain/parameters.hpp"
#include "explain/tree.hpp"
#include "moments/visit.hpp"
#include "plimsoll/parameters.hpp"

#include <array>
#include <utility>

namespace plimsoll {

namespace {

/// Tensors that count for themselves stand below their kind and group.
void add_term(Component& category, const Term& term) {
  if (term.tensor == nullptr) return add_part(category, component_of(term));
  Term kind = term;
  kind.tensor = nullptr;
  kind.variant = {};
  Component branch = component_of(kind);
  if (category.parts.empty() || category.parts.back().id != branch.id)
    category.parts.push_back(sum_of(std::move(branch.id), std::move(branch.label), branch.unit));
  Component& sum = category.parts.back();
  const Component leaf = component_of(term);
  add_part(sum, leaf);
  add_amounts(category, leaf);
}

Component kv_cache_per_token(const Scenario& scenario) {
  Component fact = sum_of("fact.kv_cache_per_token", "KV cache per token", "bytes");
  for (const LayerGroup& group : scenario.model.groups)
    if (memory::attends(group)) add_part(fact, component_of(memory::kv_cache_per_token(scenario, group)));
  if (fact.parts.empty()) add_part(fact, component_of(memory::kv_cache_per_token(scenario, scenario.model.groups.front())));
  collapse_single(fact);
  return fact;
}

Component states_per_parameter(const Scenario& scenario, const Estimate& estimate) {
  static constexpr Formula kStates{
      .id = "fact.states_per_parameter",
      .label = "Weight, gradient and optimizer states per parameter that trains",
      .unit = "bytes",
      .text = "weight + master + gradient + states * state",
      .citation = "pytorch_adam",
      .basis = Basis::published,
      .symbols = {{{"weight", "bytes", "size of one weight", "regime"},
                   {"master", "bytes", "size of one master weight, or 0", "regime"},
                   {"gradient", "bytes", "size of one gradient", "regime"},
                   {"states", "", "states per parameter", "optimizer"},
                   {"state", "bytes", "size of one state", "regime"}}}};
  const memory::RegimeBytes bytes = moments::bytes_of_what_trains(scenario);
  const Count states = memory::optimizer_states(scenario.strategy.optimizer).kept;
  return component_of(make_term(kStates, estimate.states_per_parameter,
                                {bytes.weight.value, bytes.master.value, bytes.gradient.value, states.value, bytes.state.value}));
}

} // namespace

Component explain_moment(const Scenario& scenario, Moment moment, std::int64_t rank) {
  std::array<Component, kParts> categories;
  for (std::size_t i = 0; i < kParts; ++i) {
    const PartText& text = text_of(static_cast<Part>(i));
    categories[i] = sum_of(std::string{text.id}, std::string{text.label}, "bytes");
  }
  const moments::BlockSet alive = moments::alive_at(moment, moments::lifetimes_of(scenario));
  const Stage stage{scenario.model, scenario.strategy, scenario.workload, rank};
  moments::visit(scenario, stage, [&](moments::Block block, Part part, const Term& term) {
    const bool shown = moments::contains(alive, block) && (term.amount != 0 || term.high != 0);
    if (shown) add_term(categories[static_cast<std::size_t>(part)], term);
  });

  Component root = sum_of("memory", "Memory of one GPU", "bytes");
  for (Component& category : categories) {
    if (category.parts.empty()) continue;
    collapse_single(category);
    add_part(root, std::move(category));
  }
  return root;
}

Explanation explain(const Scenario& scenario, const Estimate& estimate) {
  Explanation explanation;
  explanation.memory = explain_moment(scenario, estimate.at_peak().moment, estimate.rank);
  explanation.parameters = parameters_tree(scenario.model);
  explanation.components = components_tree(scenario.model);
  if (trains(scenario.workload.task)) explanation.facts.push_back(states_per_parameter(scenario, estimate));
  else explanation.facts.push_back(kv_cache_per_token(scenario));
  return explanation;
}

const Component* find_component(const Component& root, std::string_view id) noexcept {
  if (root.id == id) return &root;
  for (const Component& part : root.parts)
    if (const Component* found = find_component(part, id)) return found;
  return nullptr;
}

} // namespace plimsoll
