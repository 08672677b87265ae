// A kernel that multiplies with weights in pinned memory of the host reads them over the link, in every pass anew: vllm-project/vllm,
// vllm/model_executor/models/utils.py, maybe_offload_to_cpu. No pass begins the next layer's before its own is done.
#include "method/time/link.hpp"

#include "method/memory/layers.hpp"
#include "method/moments/visit.hpp"
#include "method/moments/visit_served.hpp"
#include "method/time/reads.hpp"
#include "method/time/terms.hpp"
#include "plimsoll/method/sharding.hpp"

#include <algorithm>

namespace plimsoll::timing {

namespace {

constexpr SymbolText kLink{"rate", "bytes/s", "of the device's link to its host in one direction, by its data sheet", "device"};
constexpr SymbolText kReached{"share", "thousandths", "of that", "profile"};

constexpr Formula kReads{[] { return FormulaText{.id = "time.link.weights", .label = "Reading weights from the host", .unit = "ns",
                         .text = "floor_div(2000000000000 * (passes * bytes) + rate * share, 2 * rate * share)", .citation = "vllm_offload", .basis = Basis::assumed,
                         .symbols = {{{"passes", "passes", "over the model", ""},
                                      {"bytes", "bytes", "of weights on the host that a pass meets, of one GPU", "host_weight_bytes"},
                                      kLink, kReached}}}; }};

constexpr Formula kContext{[] { return FormulaText{.id = "fact.host_cache_context", .label = "A context comes back from the host", .unit = "ns",
                           .text = "floor_div(2000000000000 * (tokens * each) + rate * share, 2 * rate * share)", .citation = "kv_offloading", .basis = Basis::assumed,
                           .symbols = {{{"tokens", "tokens", "of a whole context", "context_tokens"}, {"each", "bytes", "of one of them on one GPU", "kv_dtype"}, kLink, kReached}}}; }};

constexpr Formula kDrives{[] { return FormulaText{.id = "fact.drive_cache_context", .label = "A context comes back from drives", .unit = "ns",
                          .text = "floor_div(2000000000 * (gpus * tokens * each) + rate, 2 * rate)", .citation = "cache_drives", .basis = Basis::assumed,
                          .symbols = {{{"gpus", "GPUs", "of a replica, which read together", "tensor_parallel"}, {"tokens", "tokens", "of a whole context", "context_tokens"},
                                       {"each", "bytes", "of one of them on one GPU", "kv_dtype"}, {"rate", "bytes/s", "of a node's drives together", "nvme_bytes_per_s"}}}}; }};

constexpr Formula kTransfer{[] { return FormulaText{.id = "time.transfer", .label = "The prompt's cache goes to the GPU that answers", .unit = "ns",
                            .text = "floor_div(2000000000000 * (tokens * each) + rate * share, 2 * rate * share)", .citation = "disaggregation", .basis = Basis::published,
                            .symbols = {{{"tokens", "tokens", "that are on their way when the prompt has been read", "prefill_tokens"}, {"each", "bytes", "of one of them on one GPU", "kv_dtype"},
                                         {"rate", "bytes/s", "of the network, for each GPU", "network_bytes_per_s"}, kReached}}}; }};

} // namespace

Term link_reads(const Scenario& scenario, const Stage& stage, Count passes, Count tokens) noexcept {
  const Bytes away = moments::weights_away(scenario, stage).bytes;
  const std::int64_t rate = scenario.hardware.rates.host;
  if (away == Bytes{0} || rate <= 0) return {};
  Bytes all = dense_weights(scenario, stage);
  for (const LayerGroup& group : scenario.model.groups)
    if (memory::has_experts(group)) all += expert_weights(scenario, stage, group);
  const Bytes met = read_by(scenario, stage, tokens);
  const Count share{met.value / std::max<std::int64_t>(all.value / 1000, 1)}; // thousandths
  const Bytes bytes = Bytes{ceil_div(share * Count{away.value}, Count{1000}).value};
  const Constant& reached = scenario.profile.inference.link_share;
  return timed(kReads, (passes * bytes).value, rate, reached, {passes.value, bytes.value, rate, reached.value});
}

Bytes cached_token(const Scenario& scenario, const Stage& stage) noexcept {
  Bytes each;
  moments::visit_token(scenario, stage, [&](const Term& term) { each += term.bytes(); });
  return each;
}

Term cache_from_host(const Scenario& scenario, Bytes each, Count tokens) noexcept {
  const std::int64_t rate = scenario.hardware.rates.host;
  if (rate <= 0) return {};
  const Constant& reached = scenario.profile.inference.link_share;
  return timed(kContext, (tokens * each).value, rate, reached, {tokens.value, each.value, rate, reached.value});
}

Term cache_from_drives(const Scenario& scenario, Bytes each, Count tokens) noexcept {
  constexpr std::int64_t kWhole = 1000;
  const Count gpus = gpus_of_a_replica(scenario.strategy);
  const std::int64_t rate = scenario.hardware.nvme_bytes_per_s;
  return make_term(kDrives, time_at((gpus * (tokens * each)).value, rate, kWhole), {gpus.value, tokens.value, each.value, rate});
}

Term cache_transfer(const Scenario& scenario, Bytes each, Count tokens) noexcept {
  const std::int64_t rate = scenario.hardware.network_bytes_per_s;
  const Constant& reached = scenario.profile.inference.transfer_share;
  const Count pass{std::max<std::int64_t>(scenario.workload.prefill_tokens, 1)};
  const Count last = tokens > pass && scenario.profile.inference.sends_chunks ? Count{(tokens.value - 1) % pass.value + 1} : tokens;
  return timed(kTransfer, (last * each).value, rate, reached, {last.value, each.value, rate, reached.value});
}

} // namespace plimsoll::timing
