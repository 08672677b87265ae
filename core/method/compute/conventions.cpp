// Each as its authors write it, so that their figures can be compared with ours.
#include "plimsoll/method/compute.hpp"

#include "method/compute/visit.hpp"
#include "method/term.hpp"
#include "plimsoll/method/parameters.hpp"

#include <array>

namespace plimsoll {

namespace {

constexpr std::array<WorkConventionText, kWorkConventions> kTexts{{
    {WorkConvention::six_n, "6n", "6 N"},
    {WorkConvention::six_n_attention, "palm", "6 N and full attention (PaLM, llm-foundry)"},
    {WorkConvention::torchtitan, "torchtitan", "Full attention, without the embedding (torchtitan, MaxText)"},
    {WorkConvention::megatron, "megatron", "Causal attention, without the embedding (Megatron-Bridge)"},
    {WorkConvention::frozen, "frozen", "4 for each frozen parameter (Megatron-Bridge, LoRA)"},
    {WorkConvention::korthikanti, "korthikanti", "Korthikanti et al., 2022"},
}};

constexpr SymbolText kN{"n", "parameters", "of the model, of mixtures of experts those that one token meets", ""};
constexpr SymbolText kL{"layers", "layers", "of the model", "layers"};
constexpr SymbolText kD{"hidden", "channels", "width of the model", "hidden_size"};
constexpr SymbolText kS{"context", "tokens", "of a sequence", "context_tokens"};
constexpr SymbolText kV{"vocabulary", "tokens", "rows of the embedding table", "vocab_size"};

constexpr Formula kSixN{[] { return FormulaText{.id = "flops.convention.6n", .label = kTexts[0].label, .unit = "FLOP", .text = "6 * n", .citation = "kaplan_2020", .basis = Basis::published,
                        .symbols = {{kN}}}; }};
constexpr Formula kSixNAttention{[] { return FormulaText{.id = "flops.convention.palm", .label = kTexts[1].label, .unit = "FLOP", .text = "6 * n + 12 * layers * hidden * context",
                                 .citation = "palm", .basis = Basis::published, .symbols = {{kN, kL, kD, kS}}}; }};
constexpr Formula kTorchtitan{[] { return FormulaText{.id = "flops.convention.torchtitan", .label = kTexts[2].label, .unit = "FLOP",
                              .text = "6 * (n - vocabulary * hidden) + 12 * layers * hidden * context", .citation = "torchtitan_flops", .basis = Basis::published,
                              .symbols = {{kN, kV, kD, kL, kS}}}; }};
constexpr Formula kMegatron{[] { return FormulaText{.id = "flops.convention.megatron", .label = kTexts[3].label, .unit = "FLOP",
                            .text = "6 * (n - vocabulary * hidden) + 6 * layers * hidden * context", .citation = "megatron_flops", .basis = Basis::published,
                            .symbols = {{kN, kV, kD, kL, kS}}}; }};
constexpr Formula kFrozen{[] { return FormulaText{.id = "flops.convention.frozen", .label = kTexts[4].label, .unit = "FLOP", .text = "4 * (n - vocabulary * hidden)",
                          .citation = "megatron_flops", .basis = Basis::published, .symbols = {{kN, kV, kD}}}; }};
constexpr Formula kKorthikanti{[] { return FormulaText{.id = "flops.convention.korthikanti", .label = kTexts[5].label, .unit = "FLOP",
                               .text = "72 * layers * hidden * hidden + 12 * layers * hidden * context + 6 * vocabulary * hidden",
                               .citation = "korthikanti_flops", .basis = Basis::published, .symbols = {{kL, kD, kS, kV}}}; }};

} // namespace

std::span<const WorkConventionText, kWorkConventions> work_conventions() noexcept { return kTexts; }

WorkFigures work_figures(const Scenario& scenario) noexcept {
  return {.parameters = count_active_parameters(scenario.model),
          .vocabulary = scenario.model.vocab_size,
          .hidden = scenario.model.hidden_size,
          .layers = compute::stack_of(scenario.model),
          .context = Count{scenario.workload.context_tokens}};
}

Term convention_work(WorkConvention convention, const WorkFigures& f) noexcept {
  const Count table = f.vocabulary * f.hidden, attention = f.layers * (f.hidden * f.context), without = f.parameters - table;
  const std::int64_t n = f.parameters.value, v = f.vocabulary.value, d = f.hidden.value, l = f.layers.value, s = f.context.value;
  switch (convention) {
    case WorkConvention::six_n: break;
    case WorkConvention::six_n_attention: return make_term(kSixNAttention, Count{6} * f.parameters + Count{12} * attention, {n, l, d, s});
    case WorkConvention::torchtitan: return make_term(kTorchtitan, Count{6} * without + Count{12} * attention, {n, v, d, l, s});
    case WorkConvention::megatron: return make_term(kMegatron, Count{6} * without + Count{6} * attention, {n, v, d, l, s});
    case WorkConvention::frozen: return make_term(kFrozen, Count{4} * without, {n, v, d});
    case WorkConvention::korthikanti:
      return make_term(kKorthikanti, Count{72} * (f.layers * (f.hidden * f.hidden)) + Count{12} * attention + Count{6} * table, {l, d, s, v});
  }
  return make_term(kSixN, Count{6} * f.parameters, {n});
}

} // namespace plimsoll
