#include "moments/cache_pool.hpp"

#include "moments/visit.hpp"

namespace plimsoll::moments {

namespace {

/// Whether every layer keeps one entry for each token and nothing else, so that tokens measure the cache.
bool is_uniform(const Scenario& scenario) noexcept {
  for (const LayerGroup& group : scenario.model.groups) {
    const bool whole = group.attention.reach == Reach::full || scenario.serving.full_window_cache == Switch::on;
    if (!memory::attends(group) || memory::recurs(group) || group.cross.query_heads > Count{0}) return false;
    if (!whole || group.attention.compression != Count{1}) return false;
  }
  return true;
}

Bytes weights_of(const Scenario& scenario, const Stage& stage) noexcept {
  Bytes weights;
  const auto add = [&](const Term& term) { weights += term.bytes(); };
  visit_served(scenario, stage, add);
  for (const Companion& draft : scenario.companions) visit_role_weights(draft, stage, add);
  return weights;
}

/// Cache and state of one sequence of the whole context.
Bytes sequence_bytes(const Scenario& scenario, const Stage& stage) noexcept {
  Bytes total;
  const auto add = [&](const Term& term) { total += term.bytes(); };
  visit_cache(scenario, stage, Count{1}, add);
  for (const Companion& draft : scenario.companions) visit_draft_cache(draft, stage, Count{1}, add);
  return total;
}

Bytes page_bytes(const Scenario& scenario) noexcept {
  Bytes token;
  for (const LayerGroup& group : scenario.model.groups) token += memory::kv_cache_per_token(scenario, group).bytes();
  for (const Companion& draft : scenario.companions)
    for (const LayerGroup& group : draft.scenario.model.groups) token += memory::kv_cache_per_token(draft.scenario, group).bytes();
  return Count{scenario.serving.block_tokens} * token;
}

} // namespace

PoolTerms pool_terms(const Scenario& scenario, const Stage& stage) noexcept {
  PoolTerms terms;
  const LayerGroup* const heaviest = heaviest_group(scenario, stage);
  if (scenario.profile.inference.pool.rule == PoolRule::none || heaviest == nullptr) return terms;
  const Count sequences{scenario.serving.max_sequences};
  const Term live = memory::engine_pass(scenario, *heaviest, Count{scenario.workload.prefill_tokens});
  const bool samples = scenario.model.has_head;
  terms.passes = memory::profiled_passes(scenario, live, memory::logits(scenario, samples ? sequences : Count{0}),
                                         memory::sampler(scenario, samples ? sequences : Count{0}));
  terms.pool = memory::cache_pool(scenario, weights_of(scenario, stage), terms.passes);
  terms.uniform = is_uniform(scenario);
  if (terms.uniform) {
    terms.blocks = memory::cache_blocks(scenario, terms.pool.bytes(), page_bytes(scenario));
    terms.tokens = memory::cache_tokens(scenario, terms.blocks.count());
  }
  terms.sequences = memory::cache_sequences(terms.pool.bytes(), sequence_bytes(scenario, stage));
  terms.there = true;
  return terms;
}

CachePool cache_pool(const Scenario& scenario, const Stage& stage) noexcept {
  const PoolTerms terms = pool_terms(scenario, stage);
  CachePool pool;
  pool.there = terms.there;
  pool.passes = {terms.passes.bytes(), Bytes{terms.passes.low}, Bytes{terms.passes.high}};
  pool.bytes = {terms.pool.bytes(), Bytes{terms.pool.low}, Bytes{terms.pool.high}};
  pool.uniform = terms.uniform;
  pool.blocks = terms.blocks.count();
  pool.tokens = terms.tokens.count();
  pool.sequences = terms.sequences.count();
  return pool;
}

} // namespace plimsoll::moments
