#pragma once
// Weights, gradients and optimizer states: bytes per parameter times parameters.

#include "plimsoll/method/formula.hpp"
#include "plimsoll/method/pipeline.hpp"
#include "plimsoll/method/scenario.hpp"
#include "plimsoll/method/sharding.hpp"

namespace plimsoll::memory {

/// Bytes per parameter of a training precision, and of the activations it computes with.
struct RegimeBytes {
  Bytes weight;
  Bytes master;   ///< the copy that the optimizer steps beside 16-bit weights; 0 = it steps the weights themselves
  Bytes gradient; ///< where nothing else is asked for, see gradient_bytes()
  Bytes state;    ///< one optimizer state: states take the dtype of the parameter handed to the optimizer
  Bytes compute;  ///< activations inside a layer
  Bytes residual; ///< the residual stream between layers
};
constexpr RegimeBytes precision_bytes(Precision precision) noexcept {
  switch (precision) {
    case Precision::bf16: return {Bytes{2}, Bytes{0}, Bytes{2}, Bytes{2}, Bytes{2}, Bytes{2}};
    case Precision::mixed_bf16:
    case Precision::mixed_fp16: return {Bytes{4}, Bytes{0}, Bytes{4}, Bytes{4}, Bytes{2}, Bytes{4}};
    case Precision::master_bf16:
    case Precision::master_fp16: return {Bytes{2}, Bytes{4}, Bytes{2}, Bytes{4}, Bytes{2}, Bytes{2}};
    case Precision::sharded_bf16: return {Bytes{4}, Bytes{0}, Bytes{4}, Bytes{4}, Bytes{2}, Bytes{2}};
    case Precision::fp32: break;
  }
  return {Bytes{4}, Bytes{0}, Bytes{4}, Bytes{4}, Bytes{4}, Bytes{4}};
}

/// precision_bytes() with what else decides the size of master weights (NVIDIA/TransformerEngine, transformer_engine/pytorch/optimizers/
/// fused_adam.py: store_param_remainders keeps in int16 what fp32 has and bf16 lacks).
RegimeBytes state_bytes(const Strategy& strategy) noexcept;
/// One accumulated gradient: as asked for, as the framework keeps it beside a master copy, or as the weight.
Bytes gradient_bytes(const Scenario& scenario) noexcept;

/// One weight of a unit that was gathered: autocast casts after gathering, other precisions before.
Bytes gathered_bytes(Precision precision) noexcept;

/// Where training states are, and when. What follows from strategy and profile together.
struct StatePlan {
  bool by_unit = false;        ///< layers are gathered whole, one after the other (FSDP)
  bool by_matrix = false;      ///< matrices are (DeepSpeed, stage 3)
  bool buckets = false;        ///< gradients pass through a bucket of fixed size (DeepSpeed, stages 1 to 3)
  bool preallocated = false;   ///< gradients live in buffers from the first step to the last
  bool whole_gradients = false; ///< of sharded weights, until the last micro-batch of a step reduces them
  bool divides_gradients = false;
  bool host_weights = false;   ///< what the host keeps
  bool host_master = false;
  bool host_states = false;
  bool host_gradients = false;
  bool nvme_weights = false;   ///< of that, what its drives have instead
  bool nvme_states = false;    ///< master weights, optimizer states and the gradients they are stepped with
};
StatePlan state_plan(const Scenario& scenario) noexcept;
/// Its by_unit alone.
bool goes_by_unit(const Scenario& scenario) noexcept;

/// What of one kind of tensor a GPU keeps: after tensor, expert and pipeline parallelism, and of training states its shard.
struct StateShare {
  Count held;      ///< parameters of its tensors, whole
  Count weights;   ///< those whose weights it keeps between passes
  Count gradients; ///< likewise of gradients
  Count states;    ///< likewise of master weights and optimizer states
};

/// How many GPUs divide them: of one strategy, for kind after kind.
class StateShares {
public:
  StateShares(const Scenario& scenario, const StatePlan& plan) noexcept;
  StateShare of(TensorKind kind, Count held) const noexcept {
    if (!divides_) return {held, held, held, held};
    const Count shard = replica_part(held, is_routed(kind) ? expert_shards_ : dense_shards_);
    return {held, divides_weights_ ? shard : held, divides_gradients_ ? shard : held, shard};
  }

private:
  bool divides_, divides_weights_, divides_gradients_;
  Count dense_shards_, expert_shards_;
};
StateShare state_share(const Scenario& scenario, TensorKind kind, Count held) noexcept;

/// `count` parameters of the kind and group that `parameters` is of.
Term weights(const Term& parameters, Count count, Bytes per_parameter) noexcept;
Term master_weights(const Term& parameters, Count count, Bytes per_parameter) noexcept;
Term gradients(const Term& parameters, Count count, Bytes per_parameter) noexcept;
/// One tensor in its layout, as one GPU holds it.
Term stored_weights(const Model& model, const StoredWeights& weights, const StoredTensor& stored, const Strategy& strategy) noexcept;
/// What one GPU keeps of it between passes where data-parallel GPUs divide weights.
Term stored_shard(const Term& whole, TensorKind kind, const Strategy& strategy) noexcept;
/// What a file holds beside its parameters.
/// Cosines and sines of all positions, where the engine counts them among the weights.
Term rotary_table(const Scenario& scenario) noexcept;
Term weight_tables(Bytes bytes) noexcept;
/// The low-precision copy that autocast holds of every matrix from its first use to its backward.
Term autocast_copies(const Term& parameters, Count count, Bytes each) noexcept;
inline constexpr Bytes kAutocastCopy{2};
/// The gradient of the MLP's down matrix while its layer goes backward: the first that a layer makes.
Term working_gradient(const Scenario& scenario, const LayerGroup& group) noexcept;
/// A table that is both embedding and head gets two gradients and their sum before one is left: those besides the first. `each` is
/// the size of one gradient.
Term tied_gradient_copies(const Term& embedding, const Scenario& scenario, Bytes each) noexcept;
/// fp32 copies of 16-bit gradients that the optimizer steps with, kept until gradients are cleared before the next step.
Term cast_gradients(Count parameters) noexcept;
/// fp8 copies of a matrix and of its transpose, kept beside the 16-bit weights.
Term fp8_copies(const Term& parameters, const Fp8Profile& profile, Fp8Recipe recipe) noexcept;
/// Scales and histories of the largest values, of all maps that the stage multiplies in fp8 with delayed scaling.
Term fp8_scales(const Scenario& scenario, const Stage& stage) noexcept;

} // namespace plimsoll::memory
