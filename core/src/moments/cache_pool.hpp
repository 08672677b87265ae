#pragma once
// The budget of an engine's cache from the terms of a scenario: sink(const Term&) for pool, pages, tokens and sequences.

#include "plimsoll/estimate.hpp"
#include "plimsoll/pipeline.hpp"
#include "plimsoll/scenario.hpp"

namespace plimsoll::moments {

/// The steps of the budget, each with its formula. Pages and tokens are left out where layers keep different numbers of tokens:
/// no number of tokens is the capacity then.
struct PoolTerms {
  Term passes, pool, blocks, tokens, sequences;
  bool uniform = false;
  bool there = false; ///< the engine takes its cache at the start, and the stage has layers
};

PoolTerms pool_terms(const Scenario& scenario, const Stage& stage) noexcept;

/// The same as numbers.
CachePool cache_pool(const Scenario& scenario, const Stage& stage) noexcept;

} // namespace plimsoll::moments
