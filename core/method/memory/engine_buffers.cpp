// Buffers that an engine takes before it measures what is left for the cache.
#include "method/memory/serving.hpp"
#include "method/term.hpp"
#include "plimsoll/method/sharding.hpp"

#include <algorithm>

namespace plimsoll::memory {

namespace {

constexpr SymbolText kTokens{"tokens", "tokens", "of the largest pass", "prefill_tokens"};
constexpr SymbolText kHidden{"hidden", "channels", "width of the model", "hidden_size"};
constexpr SymbolText kElement{"element", "bytes", "size of one activation", "weight_dtype"};

constexpr Formula kStageInputs{[] { return FormulaText{.id = "memory.buffers.stage_inputs",
                               .label = "Inputs from the stage before",
                               .unit = "bytes",
                               .text = "states * tokens * hidden * element",
                               .citation = "vllm_stage_inputs",
                               .basis = Basis::published,
                               .symbols = {{{"states", "", "hidden states that a stage hands on: the layers' output and the residual stream", "profile"}, kTokens, kHidden, kElement}}}; }};

constexpr Formula kEncoderOutputs{[] { return FormulaText{.id = "memory.buffers.encoder_outputs",
                                  .label = "Outputs of vision and audio towers",
                                  .unit = "bytes",
                                  .text = "states * tokens * hidden * element",
                                  .citation = "vllm_encoder_cache",
                                  .basis = Basis::published,
                                  .symbols = {{{"states", "", "vectors for each token of an image or a sound that wait until their text is read", "profile"}, kTokens, kHidden, kElement}}}; }};

Term states(const Formula& formula, const Scenario& scenario, const Constant& count) noexcept {
  const Count tokens{scenario.workload.prefill_tokens}, h = scenario.model.hidden_size;
  const Bytes element = scenario.weights.compute_bytes;
  return make_term(formula, Count{count.value} * (tokens * (h * element)), {count.value, tokens.value, h.value, element.value});
}

} // namespace

std::optional<Term> stage_inputs(const Scenario& scenario, const Stage& stage) noexcept {
  const Constant& count = scenario.profile.inference.stage_inputs;
  if (count.value <= 0 || scenario.strategy.pipeline_parallel <= 1 || stage.embeds()) return std::nullopt;
  return states(kStageInputs, scenario, count);
}

// The first stage runs the towers: vllm-project/vllm, vllm/v1/worker/gpu_model_runner.py, execute_mm_encoder.
std::optional<Term> encoder_outputs(const Scenario& scenario, const Stage& stage) noexcept {
  const Constant& count = scenario.profile.inference.encoder_outputs;
  if (count.value <= 0) return std::nullopt;
  const bool has_towers = std::ranges::any_of(scenario.model.tensors, [](const ModelTensor& part) {
    return part.tensor.kind == TensorKind::vision || part.tensor.kind == TensorKind::audio;
  });
  if (!has_towers || !stage.embeds()) return std::nullopt;
  return states(kEncoderOutputs, scenario, count);
}

} // namespace plimsoll::memory
