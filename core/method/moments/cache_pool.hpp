#pragma once
// The budget of an engine's cache from the terms of a scenario: sink(const Term&) for pool, pages, tokens and sequences.

#include "plimsoll/method/estimate.hpp"
#include "plimsoll/method/scenario.hpp"

#include <cstdint>

namespace plimsoll::moments {

/// The steps of the budget, each with its formula. Pages and tokens are left out where layers keep different numbers of tokens:
/// no number of tokens is the capacity then.
struct PoolTerms {
  Term passes, pool, blocks, tokens, sequences;
  bool uniform = false;
  bool exists = false; ///< the engine takes its cache at the start, and the stage has layers
  std::int64_t rank = 0; ///< of the pipeline
};

/// Of the rank whose cache is full first: all ranks have pages for as many tokens as that one. vllm-project/vllm,
/// vllm/v1/core/kv_cache_utils.py, get_kv_cache_configs: the smallest number of blocks of all workers; sgl-project/sglang,
/// python/sglang/srt/model_executor/model_runner.py, max_total_num_tokens likewise.
PoolTerms pool_terms(const Scenario& scenario) noexcept;

/// The same as numbers.
CachePool cache_pool(const Scenario& scenario) noexcept;

/// Sequences of the whole context that the pool has room for at once, which may begin with tokens that they share.
Count sequences_held(const Scenario& scenario, const CachePool& pool) noexcept;

} // namespace plimsoll::moments
