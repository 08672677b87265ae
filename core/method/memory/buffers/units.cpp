// FSDP: weights are gathered a layer at a time, and what belongs to no layer stays gathered through both passes.
// torch/distributed/fsdp/_fully_shard/_fsdp_param_group.py and _fsdp_collectives.py (FSDP2); arXiv 2304.11277 (FSDP1).
//   forward   the layer's weights + the all-gather output, which lives until the next layer's copy-out
//   backward  the layer's weights + the next layer's all-gather + the layer's gradients + the former layer's gradients in the
//             reduce-scatter: (3 + r) units, with r the size of a reduced gradient over that of a gathered weight
#include "method/memory/buffers/buffers.hpp"
#include "method/term.hpp"
#include "plimsoll/method/sharding.hpp"

namespace plimsoll::memory {

namespace {

constexpr SymbolText kUnit{"unit", "parameters", "of the largest layer on this GPU, whole", ""};
constexpr SymbolText kParameters{"parameters", "parameters", "of this GPU, whole", ""};
constexpr SymbolText kWeight{"bytes_per_weight", "bytes", "size of one gathered weight", "precision"};
constexpr SymbolText kReduced{"bytes_per_gradient", "bytes", "size of one gradient in the reduction", "gradient_dtype"};

constexpr Formula kForward{[] { return FormulaText{.id = "memory.buffers.gathered",
                           .label = "Gathered layers",
                           .unit = "bytes",
                           .text = "unit * units * bytes_per_weight",
                           .citation = "fsdp2_buffers",
                           .basis = Basis::published,
                           .symbols = {{kUnit, {"units", "", "the layer, and what it was gathered into unless that waits for the next gather", "profile"}, kWeight}}}; }};

// What a layer was gathered into lives until the next gather, which after the last layer is the backward pass's first.
constexpr Formula kWaiting{[] { return FormulaText{.id = "memory.buffers.gathered_into",
                           .label = "What the last layer was gathered into",
                           .unit = "bytes",
                           .text = "unit * units * bytes_per_weight",
                           .citation = "fsdp2_buffers",
                           .basis = Basis::published,
                           .symbols = {{kUnit, {"units", "", "still there when the layers are done", "profile"}, kWeight}}}; }};

constexpr Formula kBackward{[] { return FormulaText{
    .id = "memory.buffers.gathered",
    .label = "Gathered layers and their gradients",
    .unit = "bytes",
    .text = "unit * (units * bytes_per_weight + reduced * bytes_per_gradient) + kept_shard * bytes_per_gradient",
    .citation = "fsdp2_buffers",
    .basis = Basis::published,
    .symbols = {{kUnit,
                 {"units", "", "the layer, the next one's gather, and the layer's gradients", "profile"},
                 kWeight,
                 {"reduced", "", "layers whose gradients wait to be reduced", "profile"},
                 kReduced,
                 {"kept_shard", "parameters", "whose reduced gradients wait for the other shard groups", "shard_group"}}}}; }};

// torchao's float8 all-gather: matrices are gathered and used in fp8, their gradients are those of 16-bit weights. pytorch/ao,
// torchao/float8/fsdp_utils.py, WeightWithDynamicFloat8CastTensor.fsdp_pre_all_gather and fsdp_post_all_gather.
constexpr Formula kBackwardFp8{[] { return FormulaText{
    .id = "memory.buffers.gathered",
    .label = "Layers gathered in fp8, and their gradients",
    .unit = "bytes",
    .text = "unit * (units * bytes_per_weight + element + reduced * bytes_per_gradient) + kept_shard * bytes_per_gradient",
    .citation = "torchao_float8",
    .basis = Basis::published,
    .symbols = {{kUnit,
                 {"units", "", "the layer, and the next one's gather", "profile"},
                 {"bytes_per_weight", "bytes", "size of one gathered weight", "fp8"},
                 {"element", "bytes", "size of one gradient before the reduction", "precision"},
                 {"reduced", "", "layers whose gradients wait to be reduced", "profile"},
                 kReduced,
                 {"kept_shard", "parameters", "whose reduced gradients wait for the other shard groups", "shard_group"}}}}; }};

constexpr Formula kKept{[] { return FormulaText{.id = "memory.buffers.kept_units",
                        .label = "Layers that stay gathered",
                        .unit = "bytes",
                        .text = "parameters * bytes_per_weight",
                        .citation = "fsdp2_buffers",
                        .basis = Basis::published,
                        .symbols = {{kParameters, kWeight}}}; }};

constexpr Formula kLast{[] { return FormulaText{.id = "memory.buffers.last_unit",
                        .label = "Last layer, which stays gathered",
                        .unit = "bytes",
                        .text = "unit * bytes_per_weight",
                        .citation = "fsdp2_buffers",
                        .basis = Basis::published,
                        .symbols = {{kUnit, kWeight}}}; }};

// A pipeline's stage synchronises once: torch/distributed/pipelining/stage.py, backward_maybe_with_nosync, turns resharding and
// reduction off for FSDP modules until the last micro-batch. Gradients that wait are added up in the format of the reduction:
// torch/distributed/fsdp/_fully_shard/_fsdp_param.py, to_accumulated_grad_if_needed.
constexpr Formula kWhole{[] { return FormulaText{.id = "memory.buffers.whole_gradients",
                         .label = "Gradients of the stage, not yet reduced",
                         .unit = "bytes",
                         .text = "parameters * bytes_per_gradient",
                         .citation = "torch_pipelining",
                         .basis = Basis::published,
                         .symbols = {{kParameters, kReduced}}}; }};

constexpr Formula kRoot{[] { return FormulaText{.id = "memory.buffers.root",
                        .label = "Gathered embedding, final norm and head",
                        .unit = "bytes",
                        .text = "parameters * bytes_per_weight",
                        .citation = "fsdp2_buffers",
                        .basis = Basis::published,
                        .symbols = {{kParameters, kWeight}}}; }};

constexpr Formula kFlatGradient{[] { return FormulaText{.id = "memory.buffers.flat_gradient",
                                .label = "Gradient of one layer, frozen weights included",
                                .unit = "bytes",
                                .text = "layer",
                                .citation = "fsdp1_flat",
                                .basis = Basis::published,
                                .symbols = {{{"layer", "bytes", "of the largest layer on this GPU, whole", "weight_dtype"}}}}; }};

constexpr Formula kFrozenUnits{[] { return FormulaText{.id = "memory.buffers.gathered",
                               .label = "Gathered layers, as they are stored",
                               .unit = "bytes",
                               .text = "layer * units",
                               .citation = "fsdp2_buffers",
                               .basis = Basis::published,
                               .symbols = {{{"layer", "bytes", "of the largest layer on this GPU, whole, as it is stored", "weight_dtype"},
                                            {"units", "", "the layer and what it was gathered into", "profile"}}}}; }};

constexpr Formula kFrozenRoot{[] { return FormulaText{.id = "memory.buffers.root",
                              .label = "Gathered embedding, final norm and head, as they are stored",
                              .unit = "bytes",
                              .text = "outside",
                              .citation = "fsdp2_buffers",
                              .basis = Basis::published,
                              .symbols = {{{"outside", "bytes", "stored outside layers, of this GPU, whole", "weight_dtype"}}}}; }};

constexpr Formula kRootGradients{[] { return FormulaText{.id = "memory.gradients.root",
                                 .label = "Gradients outside layers, not yet reduced",
                                 .unit = "bytes",
                                 .text = "parameters * bytes_per_weight",
                                 .citation = "fsdp2_buffers",
                                 .basis = Basis::published,
                                 .symbols = {{kParameters, {"bytes_per_weight", "bytes", "size of one gradient: that of the gathered weight", "precision"}}}}; }};

constexpr Formula kReducedRoot{[] { return FormulaText{.id = "memory.buffers.reduced_root",
                               .label = "Gradients outside layers in the reduction",
                               .unit = "bytes",
                               .text = "parameters * (bytes_per_weight + reduced * bytes_per_gradient)",
                               .citation = "fsdp2_buffers",
                               .basis = Basis::published,
                               .symbols = {{kParameters, kWeight, {"reduced", "", "copies in the reduction", "profile"}, kReduced}}}; }};

/// One GPU copies, but has nobody to exchange with.
bool alone(const Scenario& scenario) noexcept {
  return scenario.strategy.sharding != Sharding::parameters || shard_count(TensorKind::mlp, scenario.strategy) == Count{1};
}

/// A gathered weight of a layer.
Bytes layer_bytes(const Scenario& scenario) noexcept {
  return scenario.strategy.fp8 == Fp8::gathered ? Bytes{1} : gathered_bytes(scenario.strategy.precision);
}

Bytes reduced_bytes(const Scenario& scenario) noexcept {
  if (scenario.strategy.gradient_dtype != GradientDtype::profile) return gradient_bytes(scenario);
  if (scenario.strategy.precision == Precision::sharded_bf16) return Bytes{profile_of(scenario).reduce_bytes.value};
  return gathered_bytes(scenario.strategy.precision);
}

/// Sharded in groups that are copies of each other, reduced gradients wait for the other groups (HSDP).
Count waiting_shard(const Scenario& scenario, Count unit) noexcept {
  const Strategy& strategy = scenario.strategy;
  const bool groups = strategy.shard_group > 0 && !alone(scenario) && has_shard_copies(strategy);
  return groups ? shard_of(unit, TensorKind::mlp, strategy) : Count{0};
}

/// Layers that stay gathered need no further gather; what was gathered into goes with the copy.
Count units_that_wait(const Scenario& scenario) noexcept {
  return alone(scenario) || !scenario.strategy.reshard_after_forward ? Count{0} : Count{profile_of(scenario).waiting_units.value};
}

/// Copies of a layer's weights while it runs forward: with what it was gathered into, and without what of that waits for the next gather.
Count gathered_copies(const Scenario& scenario) noexcept { return Count{alone(scenario) ? 1 : profile_of(scenario).forward_units.value}; }
Count forward_copies(const Scenario& scenario) noexcept { return gathered_copies(scenario) - units_that_wait(scenario); }

Term frozen_units(Bytes layer, Count copies, const Constant& units) noexcept {
  return make_term(kFrozenUnits, copies * layer, {layer.value, copies.value}, {.provenance = &units});
}

/// `copies` of a unit's weights, as gathered.
Term unit_copies(const Formula& formula, const Scenario& scenario, Count unit, Count copies, const Constant& units) noexcept {
  const Bytes each = layer_bytes(scenario);
  return make_term(formula, unit * (copies * each), {unit.value, copies.value, each.value}, {.provenance = &units});
}

Term of_count(const Formula& formula, Count parameters, Bytes each) noexcept {
  return make_term(formula, parameters * each, {parameters.value, each.value});
}

} // namespace

Term gathered_forward(const Scenario& scenario, Count unit) noexcept {
  return unit_copies(kForward, scenario, unit, forward_copies(scenario), profile_of(scenario).forward_units);
}

Term gathered_waiting(const Scenario& scenario, Count unit) noexcept {
  return unit_copies(kWaiting, scenario, unit, units_that_wait(scenario), profile_of(scenario).waiting_units);
}

Term gathered_backward(const Scenario& scenario, Count unit) noexcept {
  const ShardingProfile& profile = profile_of(scenario);
  // Where layers stayed, or one GPU is alone, no next layer is gathered meanwhile.
  const Count absent{!scenario.strategy.reshard_after_forward || keeps_stage_whole(scenario) || alone(scenario) ? 1 : 0};
  const auto units = [&](std::int64_t value) { return Count{value} - absent; };
  const Count copies = units(profile.backward_units.value), reduced{profile.reduced_units.value};
  const Bytes each = gathered_bytes(scenario.strategy.precision), gradient = reduced_bytes(scenario);
  const Count shard = waiting_shard(scenario, unit);
  if (scenario.strategy.fp8 == Fp8::gathered) {
    const Count gathered = max(copies - Count{1}, Count{0}); // one of them is gradients
    const Bytes byte = layer_bytes(scenario), all = unit * (gathered * byte + each + reduced * gradient) + shard * gradient;
    return make_term(kBackwardFp8, all, {unit.value, gathered.value, byte.value, each.value, reduced.value, gradient.value, shard.value}, {.provenance = &profile.backward_units});
  }
  const auto bytes = [&](Count n) { return unit * (n * each + reduced * gradient) + shard * gradient; };
  Term term = make_term(kBackward, bytes(copies), {unit.value, copies.value, each.value, reduced.value, gradient.value, shard.value},
                        {.provenance = &profile.backward_units});
  term.low = bytes(units(profile.backward_units.low)).value;
  term.high = bytes(units(profile.backward_units.high)).value;
  return term;
}

Term gathered_frozen(const Scenario& scenario, Bytes layer) noexcept { return frozen_units(layer, forward_copies(scenario), profile_of(scenario).forward_units); }

Term waiting_frozen(const Scenario& scenario, Bytes layer) noexcept { return frozen_units(layer, units_that_wait(scenario), profile_of(scenario).waiting_units); }

Term backward_frozen(const Scenario& scenario, Bytes layer) noexcept { return frozen_units(layer, gathered_copies(scenario), profile_of(scenario).forward_units); }

Term flat_gradient(Bytes layer) noexcept { return make_term(kFlatGradient, layer, {layer.value}); }

Term gathered_frozen_root(Bytes outside) noexcept { return make_term(kFrozenRoot, outside, {outside.value}); }

bool keeps_stage_whole(const Scenario& scenario) noexcept {
  return stages_of_torch(scenario) && scenario.workload.micro_batches > 1 && goes_by_unit(scenario);
}

bool stages_of_torch(const Scenario& scenario) noexcept { return profile_of(scenario).whole_in_pipelines && scenario.strategy.pipeline_parallel > 1; }

Term whole_gradients(const Scenario& scenario, Count parameters) noexcept { return of_count(kWhole, parameters, reduced_bytes(scenario)); }

Term kept_units(const Scenario& scenario, Count parameters) noexcept {
  return of_count(kKept, parameters, layer_bytes(scenario));
}

Term last_unit(const Scenario& scenario, Count unit) noexcept { return of_count(kLast, unit, layer_bytes(scenario)); }

Term gathered_root(const Scenario& scenario, Count parameters) noexcept {
  return of_count(kRoot, parameters, gathered_bytes(scenario.strategy.precision));
}

Term root_gradients(const Scenario& scenario, Count parameters) noexcept {
  return of_count(kRootGradients, parameters, gathered_bytes(scenario.strategy.precision));
}

Term reduced_root(const Scenario& scenario, Count parameters) noexcept {
  const Count reduced{profile_of(scenario).reduced_units.value};
  const Bytes each = gathered_bytes(scenario.strategy.precision), gradient = reduced_bytes(scenario);
  return make_term(kReducedRoot, parameters * (each + reduced * gradient), {parameters.value, each.value, reduced.value, gradient.value});
}

} // namespace plimsoll::memory
