// Attention's core runs at a rate of its own. Its backward pass multiplies five times where the forward pass does twice: it makes the
// scores again. Dao, FlashAttention-2, 2023 (arXiv 2307.08691), section 3.1. The model's count has four.
#include "method/time/training/parts.hpp"

#include "method/time/training/rates.hpp"

namespace plimsoll::timing {

namespace {

constexpr SymbolText kMicroBatches{"micro_batches", "", "of a step", "micro_batches"};
constexpr SymbolText kRate{"rate", "FLOP/s", "of the device's data sheet in 16 bits", "device"};
constexpr SymbolText kShare{"share", "thousandths", "of that rate that the attention kernel reaches", "attention"};

constexpr SymbolText kPairs{"pairs", "", "of a query and a key, whose exponential either pass takes once", "query_heads"};
constexpr SymbolText kExponential{"exponential", "FLOP", "that the matrix units would do meanwhile", "device"};

constexpr Formula kCore{[] { return FormulaText{
    .id = "time.attention",
    .label = "Attention",
    .unit = "ns",
    .text = "micro_batches * ceil_div((7 * work + 12 * pairs * exponential) * 1000000000000, 6 * rate * share)",
    .citation = "flash_attention_2",
    .basis = Basis::published,
    .symbols = {{kMicroBatches, {"work", "FLOP", "of one GPU in one micro-batch, six multiplications counted of the seven that run", ""}, kPairs, kExponential, kRate, kShare}}}; }};

constexpr Formula kAgain{[] { return FormulaText{
    .id = "time.recompute.attention",
    .label = "Attention that runs again",
    .unit = "ns",
    .text = "micro_batches * ceil_div((work + pairs * exponential) * 1000000000000, rate * share)",
    .citation = "checkpointing",
    .basis = Basis::published,
    .symbols = {{kMicroBatches, {"work", "FLOP", "of one GPU in one micro-batch", ""}, kPairs, kExponential, kRate, kShare}}}; }};

// Scans multiply small matrices, and states in 32 bits go through memory between their kernels: they are as fast as memory, not as matrix units, is.
// state-spaces/mamba, mamba_ssm/ops/triton/ssd_combined.py. Linear attention's kernels move as many bytes for a token on Hopper as on Blackwell
// (core/catalog/data/kernels.json, gdn). With 128 states a scan takes three quarters as long for each as with the 64 that were published.
constexpr Formula kScan{[] { return FormulaText{
    .id = "time.recurrence",
    .label = "Scans and convolutions",
    .unit = "ns",
    .text = "micro_batches * ceil_div(work * 1000000000000, rate * share)",
    .citation = "ssd_speed",
    .basis = Basis::assumed,
    .symbols = {{kMicroBatches, {"work", "FLOP", "of one GPU in one micro-batch", ""}, {"rate", "bytes/s", "of the device's memory", "device"}, {"share", "FLOP", "of a scan while memory moves a thousand bytes", ""}}}}; }};

constexpr Formula kScanAgain{[] { return FormulaText{
    .id = "time.recompute.recurrence",
    .label = "Scans and convolutions that run again",
    .unit = "ns",
    .text = kScan.written().text,
    .citation = kScan.written().citation,
    .basis = Basis::assumed,
    .symbols = kScan.written().symbols}; }};

Term scan(const Formula& formula, const Scenario& scenario, Count work) noexcept {
  const Count micro_batches{scenario.workload.micro_batches};
  const Constant& share = scenario.profile.efficiency.recurrence;
  const std::int64_t rate = scenario.hardware.rates.memory;
  Term term = timed(formula, [&](End end) { return micro_batches * time_of(work, rate, share_at(share, end)); }, {micro_batches.value, work.value, rate, share.value});
  term.provenance = &share;
  return term;
}

} // namespace

Term recurrences(const Scenario& scenario, Count work) noexcept { return scan(kScan, scenario, work); }
Term recurrences_again(const Scenario& scenario, Count work) noexcept { return scan(kScanAgain, scenario, work); }

Term attention_core(const Scenario& scenario, Count work, Count pairs) noexcept {
  const Count micro_batches{scenario.workload.micro_batches}, exponential{scenario.profile.efficiency.exponential.value};
  const Speed speed = attention_speed(scenario);
  const auto time = [&](End end) {
    const std::int64_t share = share_at(*speed.share, end);
    return micro_batches * time_of(Count{7} * work + Count{12} * (pairs * exponential), (Count{6} * Count{speed.rate}).value, share);
  };
  Term term = timed(kCore, time, {micro_batches.value, work.value, pairs.value, exponential.value, speed.rate, speed.share->value});
  term.provenance = speed.share;
  return term;
}

Term attention_again(const Scenario& scenario, Count work, Count pairs) noexcept {
  const Count micro_batches{scenario.workload.micro_batches}, exponential{scenario.profile.efficiency.exponential.value};
  const Speed speed = attention_speed(scenario);
  return timed(kAgain, [&](End end) { return micro_batches * time_of(work + pairs * exponential, speed.rate, share_at(*speed.share, end)); },
               {micro_batches.value, work.value, pairs.value, exponential.value, speed.rate, speed.share->value});
}

} // namespace plimsoll::timing
