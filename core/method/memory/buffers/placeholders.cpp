// A linear map whose backward adds into the main gradient has no gradient to return to autograd, which wants one all the same.
// TransformerEngine, transformer_engine/pytorch/module/base.py, get_dummy_wgrad: one uninitialised tensor in the weight's format per
// distinct shape, kept in a table; module/grouped_linear.py: one for each expert, made anew. Megatron-LM,
// megatron/core/tensor_parallel/layers.py, LinearWithGradAccumulationAndAsyncCommunication: likewise for the output head.
#include "method/memory/buffers/placeholders.hpp"

#include "method/memory/layers.hpp"
#include "method/parameters/visit.hpp"
#include "plimsoll/method/sharding.hpp"

#include <array>

namespace plimsoll::memory {

namespace {

constexpr SymbolText kBytes{"bytes_per_number", "bytes", "of a placeholder: size of one weight", "profile"};

constexpr Formula kPlaceholders{[] { return FormulaText{
    .id = "memory.buffers.placeholders",
    .label = "Placeholders for accumulated gradients",
    .unit = "bytes",
    .text = "numbers * bytes_per_number",
    .citation = "te_dummy_gradients",
    .basis = Basis::published,
    .symbols = {{{"numbers", "", "in one linear map of each distinct shape on this GPU", "fused_gradient_accumulation"}, kBytes}}}; }};

constexpr Formula kExperts{[] { return FormulaText{
    .id = "memory.buffers.expert_placeholders",
    .label = "Placeholders for the gradients of one layer's experts",
    .unit = "bytes",
    .text = "numbers * bytes_per_number",
    .citation = "te_dummy_gradients",
    .basis = Basis::published,
    .symbols = {{{"numbers", "", "in the experts of one layer on this GPU", "fused_gradient_accumulation"}, kBytes}}}; }};

struct Shape {
  Count rows, columns;
  bool operator==(const Shape&) const = default;
};

constexpr std::size_t kMaps = 6;

/// The linear maps of a layer as Megatron-LM has them: query, key and value together, gate and up together. Absent ones have no rows.
std::array<Shape, kMaps> maps_of(const Scenario& scenario, const LayerGroup& group) noexcept {
  const LayerShare share = layer_share(group, scenario.strategy);
  const Count h = scenario.model.hidden_size, ins{gated(group) ? 2 : 1};
  const bool expands = group.expands_vectors(); // its maps are counted from their tensors
  return {{{expands ? Count{0} : share.query_width + share.key_width + share.value_width, h},
           {expands ? Count{0} : h, share.output_width},
           {ins * share.intermediate, h},
           {h, share.intermediate},
           {ins * share.shared, h},
           {h, share.shared}}};
}

/// Whether a map of an earlier place on the stage has that shape.
bool seen_before(const Scenario& scenario, const Stage& stage, const LayerGroup* group, std::size_t map, const Shape& shape) noexcept {
  for (const LayerGroup& other : scenario.model.groups) {
    if (stage.held(other) == Count{0}) continue;
    const std::array<Shape, kMaps> maps = maps_of(scenario, other);
    for (std::size_t i = 0; i < kMaps; ++i) {
      if (&other == group && i == map) return false;
      if (maps[i] == shape) return true;
    }
  }
  return false;
}

/// Of attention that expands vectors: its maps all differ in shape; groups that differ elsewhere share them.
Count numbers_of_attention(const Scenario& scenario, const LayerGroup& group) noexcept {
  Count numbers;
  const parameters::Run run = parameters::run_of(scenario.model, static_cast<std::size_t>(&group - scenario.model.groups.data()));
  for (const ModelTensor* at = run.first; at != run.last; ++at)
    if (at->tensor.kind == TensorKind::attention && at->tensor.matrix) numbers += elements_per_gpu(at->tensor, scenario.strategy);
  return numbers;
}

} // namespace

Term gradient_placeholders(const Scenario& scenario, const Stage& stage) noexcept {
  const Constant& bytes = scenario.profile.training.states.placeholder_bytes;
  Count numbers, expanding;
  for (const LayerGroup& group : scenario.model.groups) {
    if (stage.held(group) == Count{0}) continue;
    const std::array<Shape, kMaps> maps = maps_of(scenario, group);
    for (std::size_t i = 0; i < kMaps; ++i)
      if (!seen_before(scenario, stage, &group, i, maps[i])) numbers += maps[i].rows * maps[i].columns;
    if (group.expands_vectors()) expanding = max(expanding, numbers_of_attention(scenario, group));
  }
  numbers += expanding;
  if (stage.has_head()) numbers += vocab_share(scenario.model, scenario.strategy) * scenario.model.hidden_size;
  return make_term(kPlaceholders, numbers * Bytes{bytes.value}, {numbers.value, bytes.value}, {.provenance = &bytes});
}

Term expert_placeholders(const Scenario& scenario, const LayerGroup& group) noexcept {
  const Constant& bytes = scenario.profile.training.states.placeholder_bytes;
  Count numbers;
  const parameters::Run run = parameters::run_of(scenario.model, static_cast<std::size_t>(&group - scenario.model.groups.data()));
  for (const ModelTensor* at = run.first; at != run.last; ++at)
    if (at->tensor.kind == TensorKind::experts && at->tensor.matrix) numbers += elements_per_gpu(at->tensor, scenario.strategy);
  return make_term(kExperts, numbers * Bytes{bytes.value}, {numbers.value, bytes.value}, {.provenance = &bytes});
}

} // namespace plimsoll::memory
