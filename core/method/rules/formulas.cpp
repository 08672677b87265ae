#include "method/rules/formulas.hpp"

#include "method/term.hpp"
#include "plimsoll/method/parameters.hpp"

namespace plimsoll::rules {

namespace {

constexpr SymbolText kParameters{"parameters", "parameters", "of the model", ""};
constexpr SymbolText kBits{"bits", "bits", "of one weight in the format that most have, without scales", "weight_dtype"};
constexpr SymbolText kGpus{"gpus", "GPUs", "that hold copies", "data_parallel"};

// "Loading the weights of a model having X billion parameters requires roughly 2*X GB in bfloat16": transformers' documentation.
constexpr Formula kWeights{[] { return FormulaText{.id = "rule.weights",
                           .label = "Parameters times bytes",
                           .unit = "bytes",
                           .text = "ceil_div(parameters * bits, 8)",
                           .citation = "hf_llm_optimization",
                           .basis = Basis::published,
                           .symbols = {{kParameters, kBits}}}; }};

constexpr Formula kServing{[] { return FormulaText{.id = "rule.serving",
                           .label = "Weights and a fifth",
                           .unit = "bytes",
                           .text = "ceil_div(12 * parameters * bits, 80)",
                           .citation = "transformer_math",
                           .basis = Basis::published,
                           .symbols = {{kParameters, kBits}}}; }};

constexpr Formula kKvCache{[] { return FormulaText{.id = "rule.kv_cache",
                           .label = "KV cache of full heads",
                           .unit = "bytes",
                           .text = "2 * 2 * layers * hidden * tokens",
                           .citation = "inference_arithmetic",
                           .basis = Basis::published,
                           .symbols = {{{"layers", "layers", "of the model", "layers"},
                                        {"hidden", "channels", "width of the model", "hidden_size"},
                                        {"tokens", "tokens", "of all sequences", "context_tokens"}}}}; }};

constexpr Formula kEight{[] { return FormulaText{.id = "rule.training_8",
                         .label = "8 bytes per parameter",
                         .unit = "bytes",
                         .text = "8 * parameters",
                         .citation = "hf_forum_llama",
                         .basis = Basis::published,
                         .symbols = {{kParameters}}}; }};
constexpr Formula kSixteen{[] { return FormulaText{.id = "rule.training_16",
                           .label = "16 bytes per parameter",
                           .unit = "bytes",
                           .text = "16 * parameters",
                           .citation = "zero_figure",
                           .basis = Basis::published,
                           .symbols = {{kParameters}}}; }};
constexpr Formula kEighteen{[] { return FormulaText{.id = "rule.training_18",
                            .label = "18 bytes per parameter",
                            .unit = "bytes",
                            .text = "18 * parameters",
                            .citation = "hf_memory_anatomy",
                            .basis = Basis::published,
                            .symbols = {{kParameters}}}; }};
constexpr Formula kTwentyFour{[] { return FormulaText{.id = "rule.training_24",
                              .label = "24 bytes per parameter",
                              .unit = "bytes",
                              .text = "24 * parameters",
                              .citation = "generative_ai_course",
                              .basis = Basis::published,
                              .symbols = {{kParameters}}}; }};

// Rajbhandari et al., figure 1, with K = 12 for Adam in mixed precision. The divisions are the rule's own: the estimate's shares come
// from sharding/ alone.
constexpr FormulaText zero_stage(std::string_view id, std::string_view label, std::string_view text) {
  return {.id = id, .label = label, .unit = "bytes", .text = text, .citation = "zero_figure", .basis = Basis::published, .symbols = {{kParameters, kGpus}}};
}
constexpr Formula kStage1{[] { return zero_stage("rule.zero_1", "ZeRO stage 1", "4 * parameters + ceil_div(12 * parameters, gpus)"); }};
constexpr Formula kStage2{[] { return zero_stage("rule.zero_2", "ZeRO stage 2", "2 * parameters + ceil_div(14 * parameters, gpus)"); }};
constexpr Formula kStage3{[] { return zero_stage("rule.zero_3", "ZeRO stage 3", "ceil_div(16 * parameters, gpus)"); }};

// Korthikanti et al., equation 2: s b h (34 + 5 a s / h) for each layer.
constexpr Formula kActivations{[] { return FormulaText{.id = "rule.activations",
                               .label = "34 bytes per channel, and softmax",
                               .unit = "bytes",
                               .text = "layers * batch * context * (34 * hidden + 5 * heads * context)",
                               .citation = "korthikanti_activations",
                               .basis = Basis::published,
                               .symbols = {{{"layers", "layers", "of the model", "layers"},
                                            {"batch", "sequences", "of a micro-batch", "batch"},
                                            {"context", "tokens", "of a sequence", "context_tokens"},
                                            {"hidden", "channels", "width of the model", "hidden_size"},
                                            {"heads", "heads", "of queries", "query_heads"}}}}; }};

Count parameters_of(const Scenario& scenario) noexcept { return count_parameters(scenario.model); }

Count layers_of(const Scenario& scenario) noexcept { return Count{static_cast<std::int64_t>(scenario.model.pattern.size())}; }

Count elements_in(const StoredWeights& weights, std::size_t format) noexcept {
  Count elements;
  for (const StoredTensor& stored : weights.tensors)
    if (stored.format == format) elements += stored.layers * stored.copies * (stored.rows * stored.columns);
  return elements;
}

/// What people call the bits of the weights: those of the format that most of them have, scales and what else makes a fraction left out.
Count bits_of(const Scenario& scenario) noexcept {
  constexpr Count kHalf{16}, kRows{256}, kColumns{1 << 14}; // the bits of a large matrix
  const StoredWeights& weights = scenario.weights;
  if (weights.tensors.empty()) return kHalf; // training: the rule speaks of 16 bits
  std::size_t most = 0;
  for (std::size_t i = 1; i < weights.formats.size(); ++i)
    if (elements_in(weights, i) > elements_in(weights, most)) most = i;
  const Count bits = Count{8} * Count{stored_bytes(weights.formats[most], kRows, kColumns).value};
  return max(Count{1}, Count{bits.value / (kRows * kColumns).value});
}

Term of_parameters(const Formula& formula, const Scenario& scenario, std::int64_t bytes) noexcept {
  const Count parameters = parameters_of(scenario);
  return make_term(formula, Count{bytes} * parameters, {parameters.value});
}

} // namespace

Term weights(const Scenario& scenario) noexcept {
  const Count parameters = parameters_of(scenario), bits = bits_of(scenario);
  return make_term(kWeights, ceil_div(parameters * bits, Count{8}), {parameters.value, bits.value});
}

Term serving(const Scenario& scenario) noexcept {
  const Count parameters = parameters_of(scenario), bits = bits_of(scenario);
  return make_term(kServing, ceil_div(Count{12} * (parameters * bits), Count{80}), {parameters.value, bits.value});
}

Term kv_cache(const Scenario& scenario) noexcept {
  const Count layers = layers_of(scenario), hidden = scenario.model.hidden_size;
  const Count tokens = Count{scenario.workload.batch} * Count{scenario.workload.context_tokens};
  return make_term(kKvCache, Count{4} * (layers * (hidden * tokens)), {layers.value, hidden.value, tokens.value});
}

Term eight_bytes(const Scenario& scenario) noexcept { return of_parameters(kEight, scenario, 8); }
Term sixteen_bytes(const Scenario& scenario) noexcept { return of_parameters(kSixteen, scenario, 16); }
Term eighteen_bytes(const Scenario& scenario) noexcept { return of_parameters(kEighteen, scenario, 18); }
Term twenty_four_bytes(const Scenario& scenario) noexcept { return of_parameters(kTwentyFour, scenario, 24); }

Term zero(const Scenario& scenario) noexcept {
  const Count parameters = parameters_of(scenario), gpus{scenario.strategy.data_parallel};
  const auto term = [&](const Formula& formula, std::int64_t whole, std::int64_t divided) {
    return make_term(formula, Count{whole} * parameters + ceil_div(Count{divided} * parameters, gpus), {parameters.value, gpus.value});
  };
  switch (scenario.strategy.sharding) {
    case Sharding::none: break;
    case Sharding::optimizer: return term(kStage1, 4, 12);
    case Sharding::gradients: return term(kStage2, 2, 14);
    case Sharding::parameters: return term(kStage3, 0, 16);
  }
  return sixteen_bytes(scenario);
}

Term activations(const Scenario& scenario) noexcept {
  const Count layers = layers_of(scenario), hidden = scenario.model.hidden_size, heads = scenario.model.groups.front().attention.query_heads;
  const Count batch{scenario.workload.batch}, context{scenario.workload.context_tokens};
  const Count channels = Count{34} * hidden + Count{5} * (heads * context);
  return make_term(kActivations, layers * (batch * (context * channels)), {layers.value, batch.value, context.value, hidden.value, heads.value});
}

} // namespace plimsoll::rules
