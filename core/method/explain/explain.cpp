#include "plimsoll/method/explain.hpp"

#include "method/compute/visit.hpp"
#include "method/explain/parameters.hpp"
#include "method/explain/time.hpp"
#include "method/explain/tree.hpp"
#include "method/memory/layers.hpp"
#include "method/memory/serving.hpp"
#include "method/moments/cache_pool.hpp"
#include "method/moments/states_fact.hpp"
#include "method/moments/visit_cache.hpp"
#include "method/moments/visit_each.hpp"
#include "method/time/draft.hpp"
#include "method/time/efficiency.hpp"
#include "method/time/link.hpp"
#include "method/time/visit.hpp"
#include "plimsoll/method/parameters.hpp"
#include "plimsoll/method/speed.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace plimsoll {

namespace {

/// What other models hold stands below the model's role.
void add_below(Component& category, const Component& leaf, std::string id, std::string_view label) {
  auto branch = std::ranges::find(category.parts, id, &Component::id);
  if (branch == category.parts.end())
    branch = category.parts.insert(branch, sum_of(std::move(id), std::string{label}, leaf.unit));
  add_part(*branch, leaf);
  add_amounts(category, leaf);
}

/// Tensors that count for themselves stand below their kind and group.
void add_term(Component& category, const Term& term) {
  if (term.role != nullptr) return add_below(category, component_of(term), "memory.models." + std::string{term.role->id}, term.role->label);
  if (term.tensor == nullptr) return add_part(category, component_of(term));
  Term kind = term;
  kind.tensor = nullptr;
  kind.variant = {};
  Component branch = component_of(kind);
  add_below(category, component_of(term), std::move(branch.id), branch.label);
}

Component kv_cache_per_token(const Scenario& scenario, const Stage& stage) {
  Component fact = sum_of("fact.kv_cache_per_token", "KV cache per token", "bytes");
  moments::visit_token(scenario, stage, [&](const Term& term) { add_part(fact, component_of(term)); });
  if (fact.parts.empty()) add_part(fact, component_of(memory::kv_cache_per_token(scenario, scenario.model.groups.front(), Count{0}).first));
  collapse_single(fact);
  return fact;
}

/// What the layers add whose windows are not full; nothing where no layer has a window that is.
void add_growth(const Scenario& scenario, const Stage& stage, std::vector<Component>& facts) {
  if (const Facts numbers = facts_of(scenario, stage.rank()); numbers.kv_cache_growth == numbers.kv_cache_per_token) return;
  Component fact = sum_of("fact.kv_cache_growth", "KV cache per further token at this context", "bytes");
  moments::visit_growth(scenario, stage, [&](const Term& term) { add_part(fact, component_of(term)); });
  collapse_single(fact);
  facts.push_back(std::move(fact));
}

/// What the host and its drives keep of contexts that left the GPUs, and how long one takes to come back.
void add_tiers(const Scenario& scenario, const Stage& stage, std::vector<Component>& facts) {
  const bool host = memory::cache_on_host(scenario).has_value(), drives = memory::cache_on_drives(scenario).has_value();
  if (!host && !drives) return;
  const Bytes each = timing::cached_token(scenario, stage);
  const Count context{scenario.workload.context_tokens};
  const auto add = [&](const Term& term) {
    if (term.amount > 0) facts.push_back(component_of(term));
  };
  if (host) add(memory::tokens_on_host(scenario, each)), add(timing::cache_from_host(scenario, each, context));
  if (drives) add(memory::tokens_on_drives(scenario, each)), add(timing::cache_from_drives(scenario, each, context));
}

/// The budget of the engine's cache, step by step.
void add_pool(const Scenario& scenario, std::vector<Component>& facts) {
  const moments::PoolTerms terms = moments::pool_terms(scenario);
  if (!terms.exists) return;
  for (const Term* term : {&terms.passes, &terms.pool}) facts.push_back(component_of(*term));
  if (terms.uniform)
    for (const Term* term : {&terms.blocks, &terms.tokens}) facts.push_back(component_of(*term));
  facts.push_back(component_of(terms.sequences));
}

/// A table that is the output head too stands in the file once.
Term page_cache(const Scenario& scenario) {
  Bytes gpus, host;
  for (std::int64_t rank = 0; rank < scenario.strategy.pipeline_parallel; ++rank) {
    const Stage stage{scenario.model, scenario.strategy, scenario.workload, rank};
    moments::visit_each(scenario, stage, [&](moments::Lifetime block, Part part, const Term& term) {
      if (part != Part::weights || (block == moments::Lifetime::host && rank > 0)) return;
      const bool twice = scenario.model.tied_embeddings && !scenario.strategy.head_on_host && term.of != nullptr && term.of->written().id == "parameters.embedding";
      if (block != moments::Lifetime::host) gpus += term.bytes();
      else if (!twice) host += term.bytes();
    });
  }
  return memory::page_cache(gpus, host);
}

/// What one GPU's share takes outside the device, in the host's memory or on its drives; no parts where nothing is offloaded.
Component host_memory(const Scenario& scenario, const Stage& stage, moments::Lifetime where, std::string id, std::string label) {
  Component host = sum_of(std::move(id), std::move(label), "bytes");
  moments::visit_each(scenario, stage, [&](moments::Lifetime block, Part part, const Term& term) {
    if (block == where && part != Part::other_models && term.amount != 0) add_part(host, component_of(term));
  });
  return host;
}

/// Operations of a training token, kind by kind; those that run again beside them, where there are any.
void add_work(const Scenario& scenario, std::vector<Component>& facts) {
  Component model = sum_of("fact.work", "Operations of a token, forward and backward", "FLOP");
  Component again = sum_of("fact.work_again", "Operations of a token that run again", "FLOP");
  compute::visit(scenario, [&](compute::Part part, const Term& term) {
    if (term.amount != 0) add_part(compute::runs_again(part) ? again : model, component_of(term));
  });
  facts.push_back(std::move(model));
  if (again.parts.empty()) return;
  collapse_single(again);
  facts.push_back(std::move(again));
}

/// The time of a decode step and of a prompt, and the tokens per second that follow; nothing where they are not known.
void add_speed(const Scenario& scenario, std::vector<Component>& facts) {
  const Efficiency* const efficiency = timing::efficiency_of(scenario.profile.inference, scenario.hardware);
  if (!speed(scenario).exists || efficiency == nullptr) return;
  Component step = sum_of("fact.decode_step", "Time of a decode step", "ns"), prompt = sum_of("fact.prefill", "Time of a prompt", "ns");
  const Count sequences{scenario.workload.batch};
  timing::visit_decode(scenario, *efficiency, sequences, [&](const Term& term) { add_part(step, component_of(term)); });
  timing::visit_prefill(scenario, *efficiency, [&](const Term& term) { add_part(prompt, component_of(term)); });
  const bool drafted = timing::drafts(scenario);
  facts.push_back(component_of(drafted ? timing::accepted_per_second(sequences, timing::accepted_tokens(scenario), step.amount, step.low, step.high)
                                       : timing::tokens_per_second(sequences, step.amount, step.low, step.high)));
  facts.push_back(std::move(step));
  if (!Nanoseconds{prompt.amount}.saturated()) facts.push_back(std::move(prompt));
}

} // namespace

Component explain_moment(const Scenario& scenario, Moment moment, std::int64_t rank) {
  std::array<Component, kParts> categories;
  for (std::size_t i = 0; i < kParts; ++i) {
    const PartText& text = text_of(static_cast<Part>(i));
    categories[i] = sum_of(std::string{text.id}, std::string{text.label}, "bytes");
  }
  const moments::LifetimeSet alive = moments::alive_at(moment, moments::Lifetimes{scenario});
  const Stage stage{scenario.model, scenario.strategy, scenario.workload, rank};
  moments::visit_each(scenario, stage, [&](moments::Lifetime block, Part part, const Term& term) {
    const bool shown = moments::contains(alive, block) && (term.amount != 0 || term.high != 0);
    if (shown) add_term(categories[static_cast<std::size_t>(part)], term);
  });

  Component root = sum_of("memory", "Memory of one GPU", "bytes");
  for (Component& category : categories) {
    if (category.parts.empty()) continue;
    if (category.id != text_of(Part::other_models).id) collapse_single(category); // a role keeps its name
    add_part(root, std::move(category));
  }
  return root;
}

Explanation explain(const Scenario& scenario, const Estimate& estimate) {
  Explanation explanation;
  explanation.memory = explain_moment(scenario, estimate.at_peak().moment, estimate.rank);
  explanation.parameters = parameters_tree(scenario.model);
  explanation.components = components_tree(scenario.model);
  if (scenario.workload.media.any())
    for (const Tower& tower : scenario.model.towers)
      if (const Term tokens = memory::media_tokens(tower, scenario.workload.media); tokens.amount > 0) explanation.facts.push_back(component_of(tokens));
  if (trains(scenario.workload.task)) {
    const Stage stage{scenario.model, scenario.strategy, scenario.workload, estimate.rank};
    explanation.facts.push_back(component_of(moments::states_per_parameter(scenario, stage)));
    if (Component host = host_memory(scenario, stage, moments::Lifetime::host, "fact.host_memory", "In the host's memory, for each GPU"); !host.parts.empty()) explanation.facts.push_back(std::move(host));
    if (Component nvme = host_memory(scenario, stage, moments::Lifetime::nvme, "fact.nvme", "On the host's NVMe drives, for each GPU"); !nvme.parts.empty()) explanation.facts.push_back(std::move(nvme));
    add_work(scenario, explanation.facts);
    add_training_time(scenario, explanation.facts);
  } else {
    const Stage stage{scenario.model, scenario.strategy, scenario.workload, estimate.rank};
    explanation.facts.push_back(kv_cache_per_token(scenario, stage));
    add_growth(scenario, stage, explanation.facts);
    if (Component host = host_memory(scenario, stage, moments::Lifetime::host, "fact.host_memory", "In the host's memory"); !host.parts.empty()) explanation.facts.push_back(std::move(host));
    if (scenario.profile.inference.offloads_layers) explanation.facts.push_back(component_of(page_cache(scenario)));
    add_tiers(scenario, stage, explanation.facts);
    add_pool(scenario, explanation.facts);
    add_speed(scenario, explanation.facts);
  }
  return explanation;
}

const Component* find_component(const Component& root, std::string_view id) noexcept {
  if (root.id == id) return &root;
  for (const Component& part : root.parts)
    if (const Component* found = find_component(part, id)) return found;
  return nullptr;
}

} // namespace plimsoll
