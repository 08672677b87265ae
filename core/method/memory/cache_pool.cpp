// The budget that an engine computes for its cache at the start, and what fits in it.
#include "method/memory/serving.hpp"
#include "method/term.hpp"
#include "plimsoll/method/sharding.hpp"

namespace plimsoll::memory {

namespace {

constexpr SymbolText kDevice{"device", "bytes", "that a process can allocate on it", "usable_bytes"};
constexpr SymbolText kShare{"share", "thousandths", "that the engine may fill", "memory_fraction"};
constexpr SymbolText kWeights{"weights", "bytes", "on this GPU, and buffers that stay beside them", ""};
constexpr SymbolText kPasses{"passes", "bytes", "peak of the activations of a profile run", ""};
constexpr SymbolText kOutside{"outside", "bytes", "that libraries and communicators hold, and CUDA graphs where the rule knows of them", "profile"};

constexpr FormulaText pool(std::string_view text, std::string_view citation, std::array<SymbolText, kMaxSymbols> symbols) {
  return {.id = "fact.cache_pool",
          .label = "Memory for the cache",
          .unit = "bytes",
          .text = text,
          .citation = citation,
          .basis = Basis::published,
          .symbols = symbols};
}

// vllm-project/vllm, vllm/v1/worker/gpu_worker.py, determine_available_memory.
constexpr Formula kShareOfDevice{[] { return pool("max(0, floor_div(device * share, 1000) - weights - passes - outside)", "vllm_budget",
                                        {{kDevice, kShare, kWeights, kPasses, kOutside}}); }};
// sgl-project/sglang, python/sglang/srt/model_executor/model_runner.py, profile_max_num_token.
constexpr Formula kShareOfStart{[] { return pool("max(0, floor_div((device - outside) * share, 1000) - weights)", "sglang_budget",
                                       {{kDevice, kShare, kWeights, kOutside}}); }};
// NVIDIA/TensorRT-LLM, cpp/tensorrt_llm/batch_manager/kvCacheManager.cpp: a fraction of what is free once engine and buffers are there.
constexpr Formula kShareOfFree{[] { return pool("floor_div(max(0, device - weights - passes - outside) * share, 1000)", "trtllm_budget",
                                      {{kDevice, kShare, kWeights, kPasses, kOutside}}); }};
// InternLM/lmdeploy, docs/en/inference/turbomind_config.md, cache_max_entry_count.
constexpr Formula kShareAfterLoad{[] { return pool("floor_div(max(0, device - weights - outside) * share, 1000)", "lmdeploy_budget",
                                         {{kDevice, kShare, kWeights, kOutside}}); }};

constexpr Formula kProfiled{[] { return FormulaText{.id = "fact.profiled_passes",
                           .label = "Activations of the profile run",
                           .unit = "bytes",
                           .text = "max(live, logits + sampling)",
                           .citation = "vllm_profile_run",
                           .basis = Basis::assumed,
                           .symbols = {{{"live", "bytes", "activations alive at once in a pass of as many tokens as one may take", "prefill_tokens"},
                                        {"logits", "bytes", "of as many sequences as one pass may take", "max_sequences"},
                                        {"sampling", "bytes", "what sampling makes of them", "max_sequences"}}}}; }};

// vllm-project/vllm, vllm/config/cache.py, kv_cache_memory_bytes: it overrides gpu_memory_utilization.
constexpr Formula kStated{[] { return pool("stated", "vllm_budget", {{{"stated", "bytes", "that the engine is told to take for its cache", "kv_cache_memory_bytes"}}}); }};

constexpr SymbolText kTaken{"taken", "bytes", "that the engine's log says are taken before the cache", "memory_before_cache_bytes"};
constexpr Formula kShareOfDeviceRead{[] { return pool("max(0, floor_div(device * share, 1000) - taken)", "vllm_budget", {{kDevice, kShare, kTaken}}); }};
constexpr Formula kShareOfFreeRead{[] { return pool("floor_div(max(0, device - taken) * share, 1000)", "trtllm_budget", {{kDevice, kShare, kTaken}}); }};

constexpr SymbolText kPool{"pool", "bytes", "that the engine's rule leaves for the cache", "memory_fraction"};

constexpr Formula kBlocks{[] { return FormulaText{.id = "fact.cache_blocks",
                          .label = "Pages of cache",
                          .unit = "pages",
                          .text = "floor_div(pool, page_bytes)",
                          .citation = "vllm_budget",
                          .basis = Basis::published,
                          .symbols = {{kPool, {"page_bytes", "bytes", "of one page over all layers of this GPU", "block_tokens"}}}}; }};

// NVIDIA/TensorRT-LLM, cpp/tensorrt_llm/batch_manager/kvCacheManager.cpp: tokens that fit, then pages for them, rounded up.
constexpr Formula kBlocksUp{[] {
  FormulaText formula = kBlocks.written();
  formula.text = "ceil_div(pool, page_bytes)";
  formula.citation = "trtllm_budget";
  return formula;
}};

constexpr Formula kTokens{[] { return FormulaText{.id = "fact.cache_tokens",
                          .label = "Tokens of cache",
                          .unit = "tokens",
                          .text = "blocks * page * members",
                          .citation = "vllm_budget",
                          .basis = Basis::published,
                          .symbols = {{{"blocks", "pages", "that fit in the pool", ""},
                                       {"page", "tokens", "per page", "block_tokens"},
                                       {"members", "GPUs", "that divide a sequence's tokens among them", "cache_parallel"}}}}; }};

constexpr Formula kSequences{[] { return FormulaText{.id = "fact.cache_sequences",
                             .label = "Sequences at the whole context",
                             .unit = "sequences",
                             .text = "floor_div(pool, sequence_bytes)",
                             .citation = "vllm_budget",
                             .basis = Basis::published,
                             .symbols = {{kPool, {"sequence_bytes", "bytes", "of cache and state that one sequence of the whole context takes", "context_tokens"}}}}; }};

Bytes thousandths(Bytes amount, std::int64_t share) noexcept {
  const std::int64_t product = (Count{share} * amount).value;
  return Bytes{product >= 0 ? product / 1000 : -((999 - product) / 1000)};
}

/// What the rule gives with that much besides the weights.
Bytes pool_of(PoolRule rule, Bytes device, std::int64_t share, Bytes weights, Bytes passes, Bytes outside) noexcept {
  const Bytes none{0};
  switch (rule) {
    case PoolRule::share_of_device: return max(none, thousandths(device, share) - weights - passes - outside);
    case PoolRule::share_of_start: return max(none, thousandths(device - outside, share) - weights);
    case PoolRule::share_of_free: return thousandths(max(none, device - weights - passes - outside), share);
    case PoolRule::share_after_load: return thousandths(max(none, device - weights - outside), share);
    case PoolRule::none: break;
  }
  return none;
}

Count floor_div(Bytes amount, Bytes step) noexcept { return Count{step > Bytes{0} ? amount.value / step.value : 0}; }

} // namespace

Term profiled_passes(const Scenario& scenario, const Term& live, const Term& logits, const Term& sampler) noexcept {
  Term term = make_term(kProfiled, max(live.bytes(), logits.bytes() + sampler.bytes()), {live.amount, logits.amount, sampler.amount}, {.provenance = &scenario.profile.inference.sampler_bytes});
  const Constant& most = scenario.profile.inference.sequences; // nobody stated another: releases of one profile may differ
  const bool standard = most.value > 0 && scenario.serving.max_sequences == most.value;
  const auto sampled = [&](std::int64_t bytes, std::int64_t of) { return Bytes{standard && of != most.value ? bytes / most.value * of : bytes}; };
  term.low = max(Bytes{live.low}, sampled((Bytes{logits.low} + Bytes{sampler.low}).value, most.low)).value;
  term.high = max(Bytes{live.high}, sampled((Bytes{logits.high} + Bytes{sampler.high}).value, most.high)).value;
  return term;
}

Term cache_pool(const Scenario& scenario, Bytes weights, const Term& passes) noexcept {
  const PoolProfile& profile = scenario.profile.inference.pool;
  const Bytes device{scenario.hardware.usable_bytes};
  const std::int64_t share = scenario.serving.memory_permille;
  const Constant& outside = divides_model(scenario.strategy) ? profile.outside_divided : profile.outside;
  if (const std::int64_t stated = scenario.serving.kv_cache_memory_bytes; stated > 0) return make_term(kStated, Bytes{stated}, {stated});
  if (const std::int64_t taken = scenario.serving.memory_before_cache_bytes; taken > 0 && profile.rule != PoolRule::none) {
    const bool of_free = profile.rule == PoolRule::share_of_free || profile.rule == PoolRule::share_after_load;
    return make_term(of_free ? kShareOfFreeRead : kShareOfDeviceRead, pool_of(profile.rule, device, share, Bytes{taken}, Bytes{0}, Bytes{0}),
                     {device.value, share, taken});
  }
  const Term graphs = scenario.profile.inference.graphs.in_budget ? cuda_graphs(scenario).value_or(kNoTerm) : kNoTerm;
  const Constant beside{.value = outside.value + graphs.amount, .low = outside.low + graphs.low, .high = outside.high + graphs.high, .citation = {}, .basis = outside.basis};
  const auto with = [&](std::int64_t live, std::int64_t held) { return pool_of(profile.rule, device, share, weights, Bytes{live}, Bytes{held}); };
  const Bytes expected = with(passes.amount, beside.value);
  Term term;
  switch (profile.rule) {
    case PoolRule::share_of_start: term = make_term(kShareOfStart, expected, {device.value, share, weights.value, beside.value}); break;
    case PoolRule::share_of_free: term = make_term(kShareOfFree, expected, {device.value, share, weights.value, passes.amount, beside.value}); break;
    case PoolRule::share_after_load: term = make_term(kShareAfterLoad, expected, {device.value, share, weights.value, beside.value}); break;
    case PoolRule::share_of_device:
    case PoolRule::none: term = make_term(kShareOfDevice, expected, {device.value, share, weights.value, passes.amount, beside.value}); break;
  }
  term.low = with(passes.high, beside.high).value;
  term.high = with(passes.low, beside.low).value;
  return term;
}

Term cache_blocks(const Scenario& scenario, Bytes pool, Bytes page_bytes) noexcept {
  if (scenario.profile.inference.pool.rounds_up && page_bytes > Bytes{0})
    return make_term(kBlocksUp, ceil_div(Count{pool.value}, Count{page_bytes.value}), {pool.value, page_bytes.value});
  return make_term(kBlocks, floor_div(pool, page_bytes), {pool.value, page_bytes.value});
}

Term cache_tokens(const Scenario& scenario, Count blocks) noexcept {
  const Count page{scenario.serving.block_tokens};
  const Serving& serving = scenario.serving;
  return make_term(kTokens, tokens_of_group(blocks * page, serving), {blocks.value, page.value, serving.cache_parallel});
}

Term cache_sequences(Bytes pool, Bytes sequence_bytes) noexcept {
  return make_term(kSequences, floor_div(pool, sequence_bytes), {pool.value, sequence_bytes.value});
}

} // namespace plimsoll::memory
