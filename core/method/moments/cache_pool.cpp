#include "method/moments/cache_pool.hpp"

#include "method/moments/visit.hpp"

#include <algorithm>
#include <optional>

namespace plimsoll::moments {

namespace {

/// Whether every layer keeps one entry for each token and nothing else, so that tokens measure the cache.
bool is_uniform(const Scenario& scenario) noexcept {
  for (const LayerGroup& group : scenario.model.groups) {
    const bool whole = group.attention.pattern == AttentionPattern::full || scenario.serving.full_window_cache == Switch::on;
    if (!memory::attends(group) || memory::recurs(group) || group.cross.query_heads > Count{0}) return false;
    if (!whole || group.attention.compression != Count{1}) return false;
  }
  return true;
}

/// Weights, and buffers that stay.
Bytes weights_of(const Scenario& scenario, const Stage& stage) noexcept {
  Bytes weights;
  const auto add = [&](const Term& term) { weights += term.bytes(); };
  visit_served(scenario, stage, add);
  visit_engine_buffers(scenario, stage, add);
  for (const AuxiliaryModel& draft : scenario.auxiliary_models) visit_role_weights(draft, stage, add);
  return weights;
}

/// Cache and state of so many sequences of the whole context.
Bytes sequences_bytes(const Scenario& scenario, const Stage& stage, Count sequences) noexcept {
  Bytes total;
  const auto add = [&](const Term& term) { total += term.bytes(); };
  visit_cache(scenario, stage, sequences, add);
  for (const AuxiliaryModel& draft : scenario.auxiliary_models) visit_draft_cache(draft, stage, sequences, add);
  return total;
}

Bytes sequence_bytes(const Scenario& scenario, const Stage& stage) noexcept { return sequences_bytes(scenario, stage, Count{1}); }

Bytes page_bytes(const Scenario& scenario, const Stage& stage) noexcept {
  Bytes token;
  visit_token(scenario, stage, [&](const Term& term) { token += term.bytes(); });
  for (const AuxiliaryModel& draft : scenario.auxiliary_models)
    visit_token(draft.scenario, stage_of(draft.scenario, stage), [&](const Term& term) { token += term.bytes(); });
  return Count{scenario.serving.block_tokens} * token;
}

PoolTerms terms_of(const Scenario& scenario, const Stage& stage) noexcept {
  PoolTerms terms;
  terms.rank = stage.rank();
  const LayerGroup* const heaviest = heaviest_group(scenario, stage);
  if (scenario.profile.inference.pool.rule == PoolRule::none || heaviest == nullptr) return terms;
  const Count sequences{scenario.serving.max_sequences};
  const Term live = memory::prompt_pass(scenario, memory::pass_widths(scenario, *heaviest), Count{scenario.workload.prefill_tokens});
  const bool samples = scenario.model.has_head && stage.has_head();
  const Count sampled = samples ? sequences : Count{0};
  terms.passes = memory::profiled_passes(scenario, live, memory::logits(scenario, sampled), memory::sampler(scenario, sampled));
  terms.pool = memory::cache_pool(scenario, weights_of(scenario, stage), terms.passes);
  terms.uniform = is_uniform(scenario);
  if (terms.uniform) {
    terms.blocks = memory::cache_blocks(scenario, terms.pool.bytes(), page_bytes(scenario, stage));
    terms.tokens = memory::cache_tokens(scenario, terms.blocks.count());
  }
  terms.sequences = memory::cache_sequences(terms.pool.bytes(), sequence_bytes(scenario, stage));
  terms.exists = true;
  return terms;
}

/// Whether the first rank's cache is full before the other's is.
bool is_full_first(const PoolTerms& one, const PoolTerms& other) noexcept {
  if (one.uniform && one.tokens.amount != other.tokens.amount) return one.tokens.amount < other.tokens.amount;
  if (one.sequences.amount != other.sequences.amount) return one.sequences.amount < other.sequences.amount;
  return one.pool.amount < other.pool.amount;
}

} // namespace

// A rank whose layers keep nothing of a sequence limits nothing.
PoolTerms pool_terms(const Scenario& scenario) noexcept {
  PoolTerms fewest;
  const std::int64_t ranks = std::min<std::int64_t>(scenario.strategy.pipeline_parallel, kMaxRanks);
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    const Stage stage{scenario.model, scenario.strategy, scenario.workload, rank};
    const PoolTerms terms = terms_of(scenario, stage);
    if (!terms.exists || (ranks > 1 && sequence_bytes(scenario, stage) == Bytes{0})) continue;
    if (!fewest.exists || is_full_first(terms, fewest)) fewest = terms;
  }
  return fewest;
}

CachePool cache_pool(const Scenario& scenario) noexcept {
  const PoolTerms terms = pool_terms(scenario);
  CachePool pool;
  pool.rank = terms.rank;
  pool.exists = terms.exists;
  pool.passes = {terms.passes.bytes(), Bytes{terms.passes.low}, Bytes{terms.passes.high}};
  pool.bytes = {terms.pool.bytes(), Bytes{terms.pool.low}, Bytes{terms.pool.high}};
  pool.uniform = terms.uniform;
  pool.blocks = terms.blocks.count();
  pool.tokens = terms.tokens.count();
  pool.sequences = terms.sequences.count();
  return pool;
}

// Where they share nothing, each takes as much as one; otherwise more sequences never take less, and the last that fit are bisected.
Count sequences_held(const Scenario& scenario, const CachePool& pool) noexcept {
  if (scenario.serving.shared_tokens < scenario.serving.block_tokens || scenario.serving.shared_tokens == 0 || pool.sequences < Count{1}) return pool.sequences;
  const Stage stage{scenario.model, scenario.strategy, scenario.workload, pool.rank};
  constexpr Count kMost{1 << 24};
  Count low = pool.sequences, high = kMost;
  while (low < high) {
    const Count middle{low.value + (high.value - low.value + 1) / 2};
    if (sequences_bytes(scenario, stage, middle) <= pool.bytes.expected) low = middle;
    else high = middle - Count{1};
  }
  return low;
}

} // namespace plimsoll::moments
