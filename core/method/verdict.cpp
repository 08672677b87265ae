#include "plimsoll/method/verdict.hpp"

#include "method/moments/cache_pool.hpp"

#include <algorithm>

namespace plimsoll {

std::string_view name_of(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::holds: return "fits";
    case Verdict::invalid: return "invalid";
    case Verdict::start: return "start";
    case Verdict::pool: return "cache_pool";
    case Verdict::sequences: return "max_sequences";
    case Verdict::device: return "device";
    case Verdict::host: return "host";
  }
  return "";
}

namespace {

Bytes cache_at_peak(const Estimate& estimate) noexcept { return estimate.at_peak().parts[static_cast<std::size_t>(Part::kv_cache)]; }

/// What the GPUs of a node leave to their host: what is offloaded, and what the driver moves there because a device is full.
Bytes left_to_host(const Scenario& scenario, const Estimate& estimate, Bytes headroom) noexcept {
  const Bytes moved = std::clamp(Bytes{0} - headroom, Bytes{0}, max(estimate.movable, Bytes{0}));
  if (!trains(scenario.workload.task)) return Count{scenario.strategy.data_parallel} * estimate.host; // one process for all GPUs of a replica
  return Count{std::min(estimate.gpus.value, scenario.hardware.gpus_per_node)} * (estimate.host + moved);
}

Verdict judge_device(const Scenario& scenario, const Estimate& estimate, const Footprint* whole, const Judgement& judgement) noexcept {
  if (!estimate.fits || (whole != nullptr && !whole->fits)) return Verdict::device;
  const Bytes host{scenario.hardware.host_bytes};
  return host > Bytes{0} && judgement.host > host ? Verdict::host : Verdict::holds;
}

} // namespace

Judgement judge(const Scenario& scenario, const Estimate& estimate, const Footprint* whole) noexcept {
  Judgement judgement;
  judgement.host = left_to_host(scenario, estimate, whole != nullptr ? whole->headroom : estimate.headroom);
  judgement.verdict = judge_device(scenario, estimate, whole, judgement);
  if (trains(scenario.workload.task)) return judgement;
  const CachePool& pool = judgement.pool = moments::cache_pool(scenario);
  const Count most{scenario.serving.max_sequences};
  judgement.asked = judgement.held = Count{scenario.workload.batch} * Count{scenario.serving.beams};
  if (pool.exists) {
    judgement.held = moments::sequences_held(scenario, pool);
    const Bytes process = whole != nullptr ? whole->process.expected : estimate.at_peak().total;
    judgement.fills = process - cache_at_peak(estimate) + max(pool.bytes.expected, Bytes{0});
    const bool none = pool.bytes.expected <= Bytes{0} || (judgement.held == Count{0} && !scenario.profile.inference.pool.starts_short);
    if (none) return judgement.verdict = Verdict::start, judgement;
    if (judgement.held < min(judgement.asked, most)) return judgement.verdict = Verdict::pool, judgement;
  }
  if (!judgement.holds()) return judgement;
  if (most < judgement.asked) judgement.verdict = Verdict::sequences;
  judgement.held = pool.exists ? min(judgement.held, most) : min(judgement.asked, most);
  return judgement;
}

} // namespace plimsoll
