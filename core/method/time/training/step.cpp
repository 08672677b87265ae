// A step: the sum of its exposed parts, and what follows from it.
#include "plimsoll/method/time.hpp"

#include "method/time/training/rates.hpp"
#include "method/time/training/visit.hpp"

namespace plimsoll {

namespace {

constexpr std::array<TimePartText, kTimeParts> kTexts{{
    {"time.matrices", "GEMMs with weights"},
    {"time.attention", "Attention"},
    {"time.elementwise", "Elementwise and norm kernels"},
    {"time.recompute", "Activation recomputation"},
    {"time.tensor_parallel", "Tensor parallelism"},
    {"time.context_parallel", "Context parallelism"},
    {"time.experts", "Expert-parallel all-to-all"},
    {"time.pipeline", "Pipeline"},
    {"time.data_parallel", "Data parallelism"},
    {"time.optimizer", "Optimizer"},
    {"time.offload", "Host memory"},
    {"time.launches", "Kernel launches"},
}};

} // namespace

const TimePartText& text_of(TimePart part) noexcept { return kTexts[static_cast<std::size_t>(part)]; }

StepTime step_time(const Scenario& scenario) noexcept {
  StepTime step;
  if (!trains(scenario.workload.task) || !timing::rates_known(scenario)) return step;
  timing::visit(scenario, [&](TimePart part, const Term& term) {
    const TimeRange range{Nanoseconds{term.amount}, Nanoseconds{term.low}, Nanoseconds{term.high}};
    step.parts[static_cast<std::size_t>(part)] += range;
    step.total += range;
  });
  step.tokens = step_tokens(scenario.workload, scenario.strategy);
  step.gpus = gpu_count(scenario.strategy);
  if (step.total.expected <= Nanoseconds{0} || step.total.high.saturated() || step.tokens.saturated()) return {};
  step.known = true;
  step.tokens_per_gpu = tokens_per_gpu(step);
  step.mfu = timing::utilisation(scenario, step).amount;
  step.hfu = timing::hardware_utilisation(scenario, step).amount;
  return step;
}

Count tokens_per_gpu(const StepTime& step) noexcept { return timing::throughput(step).count(); }

namespace timing {

namespace {

constexpr Formula kThroughput{[] { return FormulaText{
    .id = "fact.tokens_per_second",
    .label = "Tokens per second and GPU",
    .unit = "thousandths of tokens/s",
    .text = "floor_div(tokens * 1000000000000, time * gpus)",
    .citation = "mfu",
    .basis = Basis::counted,
    .symbols = {{{"tokens", "tokens", "of a step, of all replicas", "batch"}, {"time", "ns", "of a step", ""}, {"gpus", "GPUs", "in all", ""}}}}; }};

constexpr std::string_view kUtilisationText = "floor_div(micro_batches * work * 1000000000000, rate * time)";
constexpr SymbolText kMicroBatches{"micro_batches", "", "of a step", "micro_batches"};
constexpr SymbolText kRate{"rate", "FLOP/s", "of the device's data sheet, dense, in the format of the multiplications", "device"};
constexpr SymbolText kTime{"time", "ns", "of a step", ""};
constexpr Formula kMfu{[] { return FormulaText{.id = "fact.mfu", .label = "Model FLOPs utilisation", .unit = "thousandths", .text = kUtilisationText, .citation = "mfu", .basis = Basis::published,
                       .symbols = {{kMicroBatches, {"work", "FLOP", "of the model, of one GPU in one micro-batch", ""}, kRate, kTime}}}; }};
constexpr Formula kHfu{[] { return FormulaText{.id = "fact.hfu", .label = "Hardware FLOPs utilisation", .unit = "thousandths", .text = kUtilisationText, .citation = "mfu", .basis = Basis::published,
                       .symbols = {{kMicroBatches, {"work", "FLOP", "of one GPU in one micro-batch, with what runs again", ""}, kRate, kTime}}}; }};

/// floor_div(amount * 10^12, per): least where `per` is at its slow end.
std::int64_t per_second(Wide amount, Wide per) noexcept {
  constexpr Wide kScale = 1'000'000'000'000;
  return per <= 0 ? 0 : narrowed(amount * kScale / per);
}

template <class Amount, std::size_t N> Term against_time(const Formula& formula, const StepTime& step, Amount&& amount, SymbolValues<N> values) noexcept {
  Term term = timed(formula, [&](End end) {
    const Nanoseconds time = end == End::expected ? step.total.expected : end == End::fast ? step.total.high : step.total.low; // slow steps make small figures
    return Count{amount(time)};
  }, values);
  return term;
}

Term share_of_peak(const Formula& formula, const Scenario& scenario, const StepTime& step, Count work) noexcept {
  const std::int64_t rate = published_rate(scenario.hardware, format_of_layers(scenario)), micro_batches = scenario.workload.micro_batches;
  return against_time(formula, step, [&](Nanoseconds time) { return per_second(Wide{micro_batches} * work.value, Wide{rate} * time.value); },
                      {micro_batches, work.value, rate, step.total.expected.value});
}

} // namespace

Term throughput(const StepTime& step) noexcept {
  return against_time(kThroughput, step, [&](Nanoseconds time) { return per_second(step.tokens.value, Wide{time.value} * step.gpus.value); },
                      {step.tokens.value, step.total.expected.value, step.gpus.value});
}

Term utilisation(const Scenario& scenario, const StepTime& step) noexcept { return share_of_peak(kMfu, scenario, step, gpu_work(scenario).model()); }
Term hardware_utilisation(const Scenario& scenario, const StepTime& step) noexcept { return share_of_peak(kHfu, scenario, step, gpu_work(scenario).hardware()); }

} // namespace timing

} // namespace plimsoll
