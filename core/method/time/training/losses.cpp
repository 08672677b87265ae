// Losses by expectation: of so many GPUs one fails every so often; what was trained since the last checkpoint, half an interval on average, is
// done again, after a restart. The interval that loses the least is the square root of twice a checkpoint's time times the time between
// failures. Young, CACM 17 (1974); Daly, FGCS 22 (2006).
#include "method/time/training/losses.hpp"

#include "method/memory/states.hpp"
#include "method/moments/states_fact.hpp"
#include "method/term.hpp"
#include "method/time/training/forward.hpp"
#include "method/time/training/visit.hpp"
#include "plimsoll/method/parameters.hpp"
#include "plimsoll/method/sharding.hpp"
#include "plimsoll/method/tuning_parameters.hpp"

#include <algorithm>
#include <utility>

namespace plimsoll::timing {

namespace {

constexpr std::int64_t kMinute = 60'000'000'000, kOne = 1000;

constexpr Formula kSize{[] { return FormulaText{.id = "fact.checkpoint", .label = "A checkpoint", .unit = "bytes", .text = "parameters * bytes", .citation = "job_reliability", .basis = Basis::counted,
                        .symbols = {{{"parameters", "parameters", "that train", ""}, {"bytes", "bytes", "of weights, main weights and optimizer states of each", "precision"}}}}; }};
constexpr Formula kWrite{[] { return FormulaText{.id = "job.checkpoint_time", .label = "Waiting for a checkpoint", .unit = "ns", .text = "ceil_div(bytes * 1000000000, writers * rate)", .citation = "job_reliability",
                         .basis = Basis::assumed,
                         .symbols = {{{"bytes", "bytes", "of a checkpoint", ""}, {"writers", "", "nodes; GPUs, where the host's memory is all that training waits for", "checkpoint_async"},
                                      {"rate", "bytes/s", "of each", "checkpoint_bytes_per_s"}}}}; }};
constexpr Formula kInterval{[] { return FormulaText{.id = "job.checkpoint_interval", .label = "Training between checkpoints", .unit = "ns", .text = "interval", .citation = "job_reliability", .basis = Basis::published,
                            .symbols = {{{"interval", "ns", "as stated, or the square root of twice a checkpoint's time times the time between failures", "checkpoint_minutes"}}}}; }};
constexpr Formula kStart{[] { return FormulaText{.id = "job.start", .label = "Start-up", .unit = "ns", .text = "restart", .citation = "job_reliability", .basis = Basis::assumed,
                         .symbols = {{{"restart", "ns", "until steps take their usual time", "restart_minutes"}}}}; }};
constexpr Formula kEvaluation{[] { return FormulaText{.id = "job.evaluation", .label = "Evaluation", .unit = "ns", .text = "ceil_div(tokens * forward, step_tokens)", .citation = "kaplan_2020", .basis = Basis::assumed,
                              .symbols = {{{"tokens", "tokens", "that evaluations read", "evaluation_tokens"},
                                           {"forward", "ns", "of a step's forward passes: of multiplications a third, or half where weights are frozen", ""},
                                           {"step_tokens", "tokens", "of a step", "batch"}}}}; }};
constexpr Formula kCheckpoints{[] { return FormulaText{.id = "job.checkpoints", .label = "Checkpoints", .unit = "ns", .text = "ceil_div(busy * write, interval)", .citation = "job_reliability", .basis = Basis::assumed,
                               .symbols = {{{"busy", "ns", "of all steps and evaluations", ""}, {"write", "ns", "that training waits for one", ""}, {"interval", "ns", "between them", "checkpoint_minutes"}}}}; }};
constexpr Formula kFailures{[] { return FormulaText{.id = "job.failures", .label = "Failures, restarts and what is done again", .unit = "ns", .text = "ceil_div(running * lost, max(between - lost, 1))", .citation = "job_reliability",
                            .basis = Basis::assumed,
                            .symbols = {{{"running", "ns", "of all steps, evaluations and checkpoints", ""},
                                         {"lost", "ns", "by a failure: half an interval, the restart, reading the checkpoint", "restart_minutes"},
                                         {"between", "ns", "from one failure to the next", "failures_per_million_gpu_hours"}}}}; }};
constexpr Formula kInterruptions{[] { return FormulaText{.id = "job.interruptions", .label = "Interruptions to expect", .unit = "interruptions", .text = "floor_div(whole, between)", .citation = "job_reliability", .basis = Basis::assumed,
                                 .symbols = {{{"whole", "ns", "of the job", ""}, {"between", "ns", "from one failure to the next", "failures_per_million_gpu_hours"}}}}; }};

/// A stated figure at an end of what published clusters span: thousandths of it.
struct Span {
  std::int64_t fast, slow;
};
constexpr Span kFailureSpan{600, 1700}; // 12 and 34 against 20 per million GPU-hours
constexpr Span kRestartSpan{500, 2000}; // 5 to 20 minutes
constexpr Span kWriteSpan{3500, 650};   // 7 TB/s at best; 2 TB/s among all 3,072 nodes

std::int64_t at(std::int64_t value, Span span, End end) noexcept {
  const std::int64_t share = end == End::expected ? kOne : end == End::fast ? span.fast : span.slow;
  return narrowed((Wide{value} * share + kOne - 1) / kOne);
}

/// The whole part of a square root.
std::int64_t root_of(Wide square) noexcept {
  Wide root = 0;
  for (Wide bit = Wide{1} << 62; bit > 0; bit >>= 1)
    if ((root + bit) * (root + bit) <= square) root += bit;
  return narrowed(root);
}

/// Of one end of the ranges.
struct Lost {
  std::int64_t between = Count::kMax, restart = 0, write = 0, read = 0, interval = 1, evaluation = 0, busy = 0, checkpoints = 0, lost = 0, failures = 0, whole = 0;
};

} // namespace

Losses losses_of(const Scenario& scenario, const StepTime& step) noexcept {
  const Job& job = scenario.job;
  const Hardware& hardware = scenario.hardware;
  const Count tokens = job_tokens(scenario), gpus = step.gpus, nodes = ceil_div(gpus, Count{hardware.gpus_per_node});
  const Count parameters = is_frozen(scenario) ? trainable_parameters(scenario.model, scenario.tuning) : count_parameters(scenario.model);
  const Bytes gradient = memory::gradient_bytes(scenario), states = moments::states_per_parameter(scenario, Stage{scenario.model, scenario.strategy, scenario.workload, 0}).bytes();
  const Bytes each = max(states - gradient, Bytes{1});
  const Bytes size = parameters * each;
  const bool copied = job.asynchronous_checkpoints && hardware.rates.host > 0;
  const Count writers = copied ? gpus : nodes;
  const auto rate = [&](End end) { return copied ? hardware.rates.host / kOne * share_at(scenario.profile.efficiency.link, end) : at(job.checkpoint_bytes_per_s, kWriteSpan, end); };
  const auto written = [&](Count by, std::int64_t each_rate) { return time_of(size, narrowed(Wide{by.value} * std::max<std::int64_t>(each_rate, 1)), kOne).value; };
  const auto find = [&](End end) {
    Lost lost;
    const Nanoseconds one = time_at(step.total, end);
    const Wide per_step = std::max<std::int64_t>(step.tokens.value, 1);
    const std::int64_t steps = narrowed((Wide{tokens.value} * one.value + per_step - 1) / per_step);
    lost.evaluation = narrowed((Wide{job.evaluation_tokens} * forward_time(scenario, step, end).value + per_step - 1) / per_step);
    lost.busy = (Count{steps} + Count{lost.evaluation}).value;
    const std::int64_t failures = at(job.failures_per_million_gpu_hours, kFailureSpan, end);
    if (failures > 0) lost.between = narrowed(Wide{60} * kMinute * 1'000'000 / (Wide{failures} * gpus.value));
    lost.restart = at((Count{job.restart_minutes} * Count{kMinute}).value, kRestartSpan, end);
    lost.write = std::max<std::int64_t>(written(writers, rate(end)), 1);
    lost.read = written(nodes, at(job.checkpoint_bytes_per_s, kWriteSpan, end));
    const std::int64_t best = failures > 0 ? root_of(Wide{2} * lost.write * lost.between) : lost.busy; // nothing fails: one at the end
    lost.interval = std::max<std::int64_t>(job.checkpoint_minutes > 0 ? (Count{job.checkpoint_minutes} * Count{kMinute}).value : best, 1);
    lost.checkpoints = narrowed((Wide{lost.busy} * lost.write + lost.interval - 1) / lost.interval);
    lost.lost = (Count{(std::min(lost.interval, std::max<std::int64_t>(lost.busy, 1)) + 1) / 2} + Count{lost.restart} + Count{lost.read}).value;
    const std::int64_t running = (Count{lost.busy} + Count{lost.checkpoints}).value;
    const Wide left = std::max<std::int64_t>(lost.between - lost.lost, 1);
    lost.failures = failures > 0 ? narrowed((Wide{running} * lost.lost + left - 1) / left) : 0;
    lost.whole = (Count{running} + Count{lost.failures} + Count{lost.restart}).value;
    return lost;
  };
  const Lost expected = find(End::expected), fast = find(End::fast), slow = find(End::slow);
  const auto of = [&](End end) -> const Lost& { return end == End::expected ? expected : end == End::fast ? fast : slow; };
  const auto term = [&]<std::size_t N>(const Formula& formula, std::int64_t Lost::*part, SymbolValues<N> values) {
    Term made = timed(formula, [&](End end) { return Count{of(end).*part}; }, values);
    if (made.low > made.high) std::swap(made.low, made.high);
    return made;
  };
  Losses losses;
  losses.checkpoint = make_term(kSize, size, {parameters.value, each.value});
  losses.write = term(kWrite, &Lost::write, {size.value, writers.value, rate(End::expected)});
  losses.interval = term(kInterval, &Lost::interval, {expected.interval});
  losses.start = term(kStart, &Lost::restart, {expected.restart});
  losses.evaluation = term(kEvaluation, &Lost::evaluation, {job.evaluation_tokens, forward_time(scenario, step, End::expected).value, step.tokens.value});
  losses.checkpoints = term(kCheckpoints, &Lost::checkpoints, {expected.busy, expected.write, expected.interval});
  losses.failures = term(kFailures, &Lost::failures, {expected.busy + expected.checkpoints, job.failures_per_million_gpu_hours > 0 ? expected.lost : 0, expected.between});
  const auto interruptions = [&](End end) { return Count{of(end).between == Count::kMax ? 0 : of(end).whole / std::max<std::int64_t>(of(end).between, 1)}; };
  losses.interruptions = timed(kInterruptions, interruptions, {job.failures_per_million_gpu_hours > 0 ? expected.whole : 0, expected.between});
  const auto share = [](const Lost& lost) {
    const std::int64_t steps = lost.busy - lost.evaluation;
    return lost.whole <= 0 ? kOne : std::clamp<std::int64_t>(narrowed(Wide{kOne} * steps / lost.whole), 1, kOne);
  };
  losses.share.value = share(expected);
  losses.share.low = std::min(share(slow), losses.share.value);
  losses.share.high = std::max(share(fast), losses.share.value);
  losses.share.basis = Basis::assumed;
  return losses;
}

} // namespace plimsoll::timing
