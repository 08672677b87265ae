// What a kernel takes follows from its shape and from numbers that were fitted on measured latencies (core/method/kernels, data/kernels.json;
// `plimsoll accuracy --operators` judges them); how far whole steps were from measured ones is the engine's range (data/serving.json).
#include "method/time/pass_terms.hpp"

#include "method/time/terms.hpp"

#include <algorithm>
#include <array>

namespace plimsoll::timing {

namespace {

/// The parts of a step or of a prompt.
struct Parts {
  Formula matrices, attention, experts, recurrences, collectives, layers, host;
};

struct StepTexts {
  static constexpr std::string_view kMatrices = "time.matrices.step", kAttention = "time.attention.step", kExperts = "time.experts.step", kRecurrences = "time.recurrence.step",
                                    kCollectives = "time.tensor_parallel.step", kLaunches = "time.layers.step", kHost = "time.sequences.step";
  static constexpr SymbolText kPasses{"passes", "passes", "of a decode step: one", ""};
};

struct PromptTexts {
  static constexpr std::string_view kMatrices = "time.matrices.prompt", kAttention = "time.attention.prompt", kExperts = "time.experts.prompt", kRecurrences = "time.recurrence.prompt",
                                    kCollectives = "time.tensor_parallel.prompt", kLaunches = "time.layers.prompt", kHost = "time.sequences.prompt";
  static constexpr SymbolText kPasses{"passes", "passes", "over the prompt", "prefill_tokens"};
};

constexpr FormulaText kernels_of(std::string_view id, std::string_view label, SymbolText passes, std::string_view meaning) {
  return {.id = id, .label = label, .unit = "ns", .text = "passes * each", .citation = "aiconfigurator_data", .basis = Basis::measured, .symbols = {{passes, {"each", "ns", meaning, "device"}}}};
}

template <class Texts> constexpr Parts parts_of() {
  return {
      .matrices = {[] { return kernels_of(Texts::kMatrices, "GEMMs", Texts::kPasses, "of all products of one pass: tiles and waves on the device's multiprocessors, or reading what is multiplied, by kernels measured on its class"); }},
      .attention = {[] { return kernels_of(Texts::kAttention, "Attention kernels", Texts::kPasses, "of attention's core in one pass: pairs of query and key, or reading the cache, by kernels measured on the device's class"); }},
      .experts = {[] { return kernels_of(Texts::kExperts, "Expert kernels", Texts::kPasses, "of the experts that the tokens of one pass go to, some liked more than others, by kernels measured on the device's class"); }},
      .recurrences = {[] { return kernels_of(Texts::kRecurrences, "Recurrent kernels", Texts::kPasses, "of convolutions and states in one pass, by kernels measured on the device's class"); }},
      .collectives = {[] { return kernels_of(Texts::kCollectives, "Collectives", Texts::kPasses, "of all-reduces, of tokens that go to the experts of other replicas, and of what stages hand over in one pass"); }},
      .layers = {[] { return FormulaText{.id = Texts::kLaunches, .label = "Launches and short kernels", .unit = "ns", .text = "passes * layers * each", .citation = "aiconfigurator_runs", .basis = Basis::measured,
                                         .symbols = {{Texts::kPasses, kLayers, {"each", "ns", "of a layer: short kernels, gaps, and launches that nothing hides", "profile"}}}}; }},
      .host = {[] { return FormulaText{.id = Texts::kHost, .label = "Scheduling and sampling", .unit = "ns", .text = "passes * (step + sequences * each)", .citation = "aiconfigurator_runs", .basis = Basis::measured,
                                       .symbols = {{Texts::kPasses, {"step", "ns", "of the host for each pass", "profile"}, kSequences, {"each", "ns", "of a sequence in a pass", "profile"}}}}; }}};
}

constexpr Parts kStep = parts_of<StepTexts>(), kPrompt = parts_of<PromptTexts>();

/// Thousandths of so many nanoseconds.
std::int64_t in_thousandths(std::int64_t ns, std::int64_t thousandths) noexcept { return (Count{ns / 1000} * Count{thousandths}).value; }
std::int64_t whole(double ns) noexcept { return kernels::whole_part(std::max(0.0, ns) + 0.5); }

} // namespace

void visit_pass(const PassModel& model, Phase phase, const PassTimes& sum, Count passes, Count sequences, TermSink sink, void* into) noexcept {
  const ServingTimes& times = model.times();
  const Parts& parts = phase == Phase::step ? kStep : kPrompt;
  const auto tell = [&](Term term, const Constant& reached) {
    if (term.amount == 0) return;
    term.provenance = &reached;
    term.low = in_thousandths(term.amount, reached.low);
    term.high = in_thousandths(term.amount, reached.high);
    sink(into, term);
  };
  const double n = static_cast<double>(std::max<std::int64_t>(passes.value, 1));
  const auto kernels = [&](const Formula& formula, double ns) {
    const std::int64_t each = whole(ns / n);
    tell(make_term(formula, passes * Nanoseconds{each}, {passes.value, each}), model.own_class() ? times.own_kernels : times.other_kernels);
  };
  kernels(parts.matrices, sum.matrices);
  kernels(parts.attention, sum.attention);
  kernels(parts.experts, sum.experts);
  kernels(parts.recurrences, sum.recurrences);
  kernels(parts.collectives, sum.communication);
  const std::int64_t layers = model.layers(), layer = whole(sum.short_kernels / n / static_cast<double>(std::max<std::int64_t>(layers, 1)));
  tell(make_term(parts.layers, (passes * Count{layers}) * Nanoseconds{layer}, {passes.value, layers, layer}), times.engine_part);
  const std::int64_t step = whole(model.host_of_pass()), sequence = whole(model.host_of_sequence());
  tell(make_term(parts.host, passes * Nanoseconds{step + (sequences * Count{sequence}).value}, {passes.value, step, sequences.value, sequence}), times.engine_part);
}

} // namespace plimsoll::timing
