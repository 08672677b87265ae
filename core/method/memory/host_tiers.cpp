// What serving leaves to the host's memory beside GPUs that do all the work: weights that every pass reads over the link, and caches of
// contexts that are not at work. vllm-project/vllm, vllm/model_executor/models/utils.py, maybe_offload_to_cpu: parameters of layers, one
// after the other, until so many bytes are reached, read where they are (unified virtual addressing); vllm/config/cache.py,
// kv_offloading_size: of all GPUs of a tensor-parallel group together. sgl-project/sglang, docs/advanced_features/hicache.md.
#include "method/memory/serving.hpp"
#include "method/term.hpp"
#include "plimsoll/method/sharding.hpp"

#include <cstdint>

namespace plimsoll::memory {

namespace {

constexpr SymbolText kReplica{"gpus", "GPUs", "of a replica", "tensor_parallel"};

constexpr Formula kPartly{[] { return FormulaText{.id = "memory.weights",
                        .label = "Weights, partly on the host",
                        .unit = "bytes",
                        .text = "stored - away",
                        .citation = "vllm_offload",
                        .basis = Basis::published,
                        .symbols = {{{"stored", "bytes", "of one kind of weights", "weight_dtype"}, {"away", "bytes", "of them, that the host keeps", "host_weight_bytes"}}}}; }};

constexpr Formula kOverLink{[] { return FormulaText{.id = "memory.host.weights",
                        .label = "Weights that passes read over the link",
                        .unit = "bytes",
                        .text = "gpus * away",
                        .citation = "vllm_offload",
                        .basis = Basis::published,
                        .symbols = {{kReplica, {"away", "bytes", "of the layers on one GPU", "host_weight_bytes"}}}}; }};

constexpr Formula kHostCache{[] { return FormulaText{.id = "memory.host.cache",
                         .label = "Cache of contexts that are not at work",
                         .unit = "bytes",
                         .text = "stated",
                         .citation = "kv_offloading",
                         .basis = Basis::published,
                         .symbols = {{{"stated", "bytes", "that the engine may take", "host_cache_bytes"}}}}; }};

constexpr Formula kHostTokens{[] { return FormulaText{.id = "fact.host_cache_tokens",
                          .label = "Tokens in the host's cache",
                          .unit = "tokens",
                          .text = "floor_div(stated, gpus * each)",
                          .citation = "kv_offloading",
                          .basis = Basis::published,
                          .symbols = {{{"stated", "bytes", "that the engine may take", "host_cache_bytes"}, kReplica, {"each", "bytes", "of one token on one GPU", "kv_dtype"}}}}; }};

constexpr Formula kDriveCache{[] { return FormulaText{.id = "memory.nvme.cache",
                              .label = "Cache of contexts on drives",
                              .unit = "bytes",
                              .text = "stated",
                              .citation = "cache_drives",
                              .basis = Basis::published,
                              .symbols = {{{"stated", "bytes", "that the cache may take", "drive_cache_bytes"}}}}; }};

constexpr Formula kDriveTokens{[] { return FormulaText{.id = "fact.drive_cache_tokens",
                               .label = "Tokens in the drives' cache",
                               .unit = "tokens",
                               .text = "floor_div(stated, gpus * each)",
                               .citation = "cache_drives",
                               .basis = Basis::published,
                               .symbols = {{{"stated", "bytes", "that the cache may take", "drive_cache_bytes"}, kReplica, {"each", "bytes", "of one token on one GPU", "kv_dtype"}}}}; }};

} // namespace

Bytes part_of(Bytes whole, Bytes seen, Bytes all) noexcept {
  __extension__ using Wide = __int128; // products of two 64-bit numbers
  return all > Bytes{0} ? Bytes{static_cast<std::int64_t>(Wide{whole.value} * seen.value / all.value)} : Bytes{0};
}

Term weights_left(const Term& stored, Bytes away) noexcept {
  Term term = stored;
  const Term left = make_term(kPartly, stored.bytes() - away, {stored.amount, away.value});
  term.formula = left.formula;
  term.values = left.values;
  term.amount = left.amount, term.low = left.low, term.high = left.high;
  return term;
}

Term weights_on_host(const Scenario& scenario, Bytes away) noexcept {
  const Count gpus = gpus_of_a_replica(scenario.strategy);
  return make_term(kOverLink, gpus * away, {gpus.value, away.value});
}

std::optional<Term> cache_on_host(const Scenario& scenario) noexcept {
  const Bytes stated{scenario.profile.inference.caches_on_host ? scenario.serving.host_cache_bytes : 0};
  if (stated == Bytes{0}) return std::nullopt;
  return make_term(kHostCache, stated, {stated.value});
}

Term tokens_on_host(const Scenario& scenario, Bytes each) noexcept {
  const Count gpus = gpus_of_a_replica(scenario.strategy);
  const Bytes stated{scenario.serving.host_cache_bytes}, of_token = max(gpus * each, Bytes{1});
  return make_term(kHostTokens, Count{stated.value / of_token.value}, {stated.value, gpus.value, each.value});
}

std::optional<Term> cache_on_drives(const Scenario& scenario) noexcept {
  const Bytes stated{scenario.profile.inference.caches_on_host ? scenario.serving.drive_cache_bytes : 0};
  if (stated == Bytes{0}) return std::nullopt;
  return make_term(kDriveCache, stated, {stated.value});
}

Term tokens_on_drives(const Scenario& scenario, Bytes each) noexcept {
  const Count gpus = gpus_of_a_replica(scenario.strategy);
  const Bytes stated{scenario.serving.drive_cache_bytes}, of_token = max(gpus * each, Bytes{1});
  return make_term(kDriveTokens, Count{stated.value / of_token.value}, {stated.value, gpus.value, each.value});
}

} // namespace plimsoll::memory
