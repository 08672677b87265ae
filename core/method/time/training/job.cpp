// A whole job: its tokens at the rate of a step, and what jobs lose beside their steps.
#include "method/term.hpp"
#include "method/time/training/losses.hpp"
#include "method/time/training/visit.hpp"
#include "plimsoll/method/learning.hpp"
#include "plimsoll/method/parameters.hpp"
#include "plimsoll/method/sharding.hpp"
#include "plimsoll/method/time.hpp"

#include <algorithm>
#include <bit>

namespace plimsoll {

namespace timing {

namespace {

constexpr SymbolText kTokens{"tokens", "tokens", "of the job", "train_tokens"};
constexpr SymbolText kTime{"time", "ns", "of one GPU in a step; of arithmetic and memory traffic alone where the layout is not known", "typical_job"};
constexpr SymbolText kGpus{"gpus", "GPUs", "in all", ""};
constexpr SymbolText kStepTokens{"step_tokens", "tokens", "of a step", "batch"};
constexpr SymbolText kShare{"share", "thousandths", "of the job's time that this takes", "job_losses"};

constexpr Formula kGpuHours{[] { return FormulaText{.id = "fact.gpu_hours", .label = "GPU-hours of the job", .unit = "thousandths of GPU-hours",
                            .text = "ceil_div(tokens * time * gpus, step_tokens * share * 3600000)", // 3.6e12 ns an hour, over 10^3 for thousandths twice
                            .citation = "whole_job_goodput", .basis = Basis::measured, .symbols = {{kTokens, kTime, kGpus, kStepTokens, kShare}}}; }};
constexpr Formula kWall{[] { return FormulaText{.id = "fact.job_time", .label = "Time of the job", .unit = "ns", .text = "ceil_div(tokens * time * 1000, step_tokens * share)",
                        .citation = "whole_job_goodput", .basis = Basis::measured, .symbols = {{kTokens, kTime, kStepTokens, kShare}}}; }};

constexpr Formula kAdvised{[] { return FormulaText{.id = "fact.chinchilla_tokens", .label = "Tokens that make the best use of arithmetic (Chinchilla)", .unit = "tokens", .text = "20 * parameters",
                           .citation = "chinchilla", .basis = Basis::published,
                           .symbols = {{{"parameters", "parameters", "of the model, of mixtures of experts those that one token meets", ""}}}}; }};

constexpr std::int64_t kOne = 1000;
constexpr std::int64_t kOneNode = 8, kManyDevices = 256; // between which published jobs lose with size, device by device: core/catalog/data/README.md

constexpr TimePart kAlone[] = {TimePart::matrices, TimePart::attention, TimePart::elementwise, TimePart::recompute};

/// Time of one GPU in a step and the share of the job that it is.
struct Pace {
  Nanoseconds expected, low, high;
  Constant share;
};

/// The numbers of a constant: copying the name of its source may take the heap, which a search for a plan must not.
Constant numbers_of(const Constant& share) noexcept {
  Constant numbers;
  numbers.value = share.value;
  numbers.low = share.low;
  numbers.high = share.high;
  numbers.basis = share.basis;
  return numbers;
}

/// Doublings of kOneNode, in thousandths: linear between powers of two; 0 up to it.
std::int64_t doublings(std::int64_t devices) noexcept {
  const std::int64_t times = std::max(devices / kOneNode, std::int64_t{1});
  const int whole = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(times))) - 1;
  const std::int64_t start = kOneNode << whole;
  return kOne * whole + std::max<std::int64_t>(narrowed(Wide{kOne} * (devices - start) / start), 0);
}

/// Of published jobs' time, what arithmetic and memory traffic take: less with every doubling of the devices, to kManyDevices.
Constant typical_share(const Scenario& scenario) noexcept {
  const TrainingEfficiency& efficiency = scenario.profile.efficiency;
  const Constant &node = efficiency.typical_node, &many = efficiency.typical;
  const std::int64_t all = doublings(kManyDevices), far = doublings(std::min(gpu_count(scenario.strategy).value, kManyDevices));
  const auto between = [&](std::int64_t near, std::int64_t end) { return near + (end - near) * far / all; };
  Constant share = numbers_of(far > 0 ? many : node);
  share.value = between(node.value, many.value);
  share.low = between(node.low, many.low);
  share.high = between(node.high, many.high);
  return share;
}

Pace pace_of(const Scenario& scenario, const StepTime& step) noexcept {
  const TrainingEfficiency& efficiency = scenario.profile.efficiency;
  if (scenario.job.basis == JobBasis::configured && scenario.job.counts_losses) return {step.total.expected, step.total.low, step.total.high, losses_of(scenario, step).share};
  if (scenario.job.basis == JobBasis::configured) return {step.total.expected, step.total.low, step.total.high, numbers_of(efficiency.goodput)};
  Nanoseconds alone;
  for (TimePart part : kAlone) alone += step.parts[static_cast<std::size_t>(part)].expected;
  // The share's range is that of whole jobs, and has the uncertainty of the parts in it.
  return {alone, alone, alone, typical_share(scenario)};
}

template <class Time, std::size_t N> Term of_job(const Formula& formula, const Pace& pace, Time&& time, SymbolValues<N> values) noexcept {
  return timed(formula, [&](End end) {
    const Nanoseconds step = end == End::expected ? pace.expected : end == End::fast ? pace.low : pace.high;
    return Count{time(step, share_at(pace.share, end))};
  }, values);
}

/// tokens * time * gpus; far beyond any rate of hours where 128 bits do not hold it.
constexpr Wide gpu_time(Count tokens, Nanoseconds time, Count gpus) noexcept {
  constexpr double kFarFromLimit = 1e37;
  const double roughly = static_cast<double>(tokens.value) * static_cast<double>(time.value) * static_cast<double>(gpus.value);
  return roughly < kFarFromLimit ? Wide{tokens.value} * time.value * gpus.value : static_cast<Wide>(kFarFromLimit);
}

constexpr std::int64_t rounded_up(Wide amount, Wide step) noexcept { return step <= 0 ? Count::kMax : narrowed((amount + step - 1) / step); }

} // namespace

Term advised_tokens(const Model& model) noexcept {
  const Count parameters = count_active_parameters(model);
  return make_term(kAdvised, Count{20} * parameters, {parameters.value});
}

Count job_tokens(const Scenario& scenario) noexcept {
  switch (scenario.workload.task) {
    case Task::pretrain: return Count{scenario.job.train_tokens};
    case Task::finetune: return Count{scenario.job.dataset_tokens} * Count{scenario.job.epochs};
    case Task::inference: break;
  }
  return Count{0};
}

StepTime with_other_passes(const Scenario& scenario, StepTime step) {
  const LearningStep learning = learning_step(scenario);
  if (!step.known || !learning.known) return step;
  const auto each = [&](Nanoseconds time) { return scaled(time, 1, learning.updates.value); };
  step.total = {each(learning.total.expected), each(learning.total.low), each(learning.total.high)};
  step.gpus = learning.gpus;
  return step;
}

Term gpu_hours(const Scenario& scenario, const StepTime& step) noexcept {
  constexpr Wide kHour = 3'600'000;
  const Pace pace = pace_of(scenario, step);
  const Count tokens = job_tokens(scenario);
  return of_job(kGpuHours, pace,
                [&](Nanoseconds time, std::int64_t share) { return rounded_up(gpu_time(tokens, time, step.gpus), Wide{step.tokens.value} * share * kHour); },
                {tokens.value, pace.expected.value, step.gpus.value, step.tokens.value, pace.share.value});
}

Term wall_time(const Scenario& scenario, const StepTime& step) noexcept {
  const Pace pace = pace_of(scenario, step);
  const Count tokens = job_tokens(scenario);
  return of_job(kWall, pace, [&](Nanoseconds time, std::int64_t share) { return rounded_up(Wide{tokens.value} * time.value * 1000, Wide{step.tokens.value} * share); },
                {tokens.value, pace.expected.value, step.tokens.value, pace.share.value});
}

} // namespace timing

JobTime job_time(const Scenario& scenario) noexcept {
  JobTime job;
  job.tokens = timing::job_tokens(scenario);
  if (job.tokens <= Count{0} || job.tokens.saturated()) return {};
  const StepTime step = timing::with_other_passes(scenario, step_time(scenario));
  if (!step.known) return {};
  const Term hours = timing::gpu_hours(scenario, step), wall = timing::wall_time(scenario, step);
  job.known = true;
  job.steps = ceil_div(job.tokens, step.tokens);
  job.gpu_hours = {Count{hours.amount}, Count{hours.low}, Count{hours.high}};
  job.wall = {Nanoseconds{wall.amount}, Nanoseconds{wall.low}, Nanoseconds{wall.high}};
  job.goodput = hours.values[4];
  if (scenario.job.basis == JobBasis::typical || !scenario.job.counts_losses) return job;
  const timing::Losses losses = timing::losses_of(scenario, step);
  const auto range = [](const Term& term) { return TimeRange{Nanoseconds{term.amount}, Nanoseconds{term.low}, Nanoseconds{term.high}}; };
  job.losses = {true, losses.checkpoint.bytes(), range(losses.write), range(losses.interval), range(losses.start), range(losses.evaluation), range(losses.checkpoints), range(losses.failures),
                {Count{losses.interruptions.amount}, Count{losses.interruptions.low}, Count{losses.interruptions.high}}};
  return job;
}

Count chinchilla_tokens(const Model& model) noexcept { return timing::advised_tokens(model).count(); }

} // namespace plimsoll
