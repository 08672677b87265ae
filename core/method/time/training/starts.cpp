// A multiplication of m × k with k × n is cut into tiles of m × n, each of which begins and ends once: that takes as long as some numbers of k more.
// method/kernels/matrices.hpp has it for serving. A linear map multiplies forward (k = channels in), for its input's gradient (k = channels out) and
// for its own (k = tokens). Maps side by side that read the same are one.
#include "method/compute/visit.hpp"
#include "method/time/training/parts.hpp"
#include "plimsoll/method/sharding.hpp"

namespace plimsoll::timing {

namespace {

/// Whether the second reads what the first does, as queries, keys and values, or gates and what they gate.
bool reads_same(const ModelTensor& one, const ModelTensor& other) noexcept {
  return one.group == other.group && one.tensor.kind == other.tensor.kind && one.tensor.columns == other.tensor.columns && one.tensor.copies == other.tensor.copies &&
         one.tensor.split == Split::rows && other.tensor.split == Split::rows;
}

} // namespace

Starts starts_of(const Scenario& scenario) noexcept {
  const Strategy& strategy = scenario.strategy;
  const Model& model = scenario.model;
  const TrainingEfficiency& efficiency = scenario.profile.efficiency;
  const Count numbers{(strategy.fp8 == Fp8::none ? efficiency.tile_start : efficiency.tile_start_fp8).value};
  const bool own = compute::passes_over_weights(scenario) == compute::kPasses;
  const TokenShare tokens = token_share(scenario.workload, strategy);
  Starts starts;
  const ModelTensor* before = nullptr;
  for (const ModelTensor& part : model.tensors) {
    const LayerGroup* const group = model.group_of(part);
    const Tensor& tensor = part.tensor;
    if (group == nullptr || group->encoder || !in_language_model(tensor.kind) || compute::multiplied(part) == Count{0}) continue;
    const TensorShare share = tensor_share(tensor, strategy);
    const Count in = before != nullptr && reads_same(*before, part) ? Count{0} : share.columns;
    before = &part;
    const bool routed = is_routed(tensor.kind);
    const Count rows = routed ? routed_rows(scenario.workload, strategy, tensor.active) : tensor.split == Split::none ? tokens.between : tokens.inside;
    const Count copies = routed ? copies_per_gpu(tensor, strategy) : Count{1};
    const Count channels = rows * (share.rows + in) + (own ? copies * (share.rows * share.columns) : Count{0});
    (routed ? starts.experts : starts.dense) += Count{2} * (numbers * (stage_layers(part.layers, strategy) * channels));
  }
  return starts;
}

} // namespace plimsoll::timing
