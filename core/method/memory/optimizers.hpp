#pragma once
// What an optimizer keeps between steps and makes during one, tensor by tensor.
//
// The rule that decides most of it: states take the dtype of the parameter handed to the optimizer. Beside a 16-bit weight with a
// master copy the optimizer is handed the copy, and its states are fp32. What deviates says so where its formula stands.

#include "plimsoll/method/formula.hpp"
#include "plimsoll/method/strategy.hpp"
#include "plimsoll/method/tensor.hpp"

namespace plimsoll::memory {

/// Alike parameter tensors as one GPU steps them, after every sharding. Optimizers that work number by number look at `elements`;
/// those that work on whole matrices look at the shape. A flat shard divides `elements`, a shard by rows divides `rows` too, and
/// handing out whole tensors divides `tensors`.
struct SteppedTensor {
  TensorKind kind = TensorKind::mlp;
  bool matrix = true; ///< a linear map or a lookup table (Tensor::matrix)
  Count tensors{1}; ///< layers × copies; >= 0, counts as 1 where it is 0
  Count rows{1}; ///< of one tensor; >= 0
  Count columns{1}; ///< of one tensor; 1 for vectors; >= 0
  Count elements{0}; ///< in all of them together; >= 0
  Bytes element{4}; ///< of one parameter as the optimizer sees it: 2 or 4; 4 with a master copy
  bool may_be_several = false; ///< each may stand for several smaller tensors, of which nobody counted how many
};

struct OptimizerSettings {
  Optimizer optimizer = Optimizer::adamw_fused;
  Count rank{128}; ///< of GaLore's and APOLLO's projections; >= 1, larger than a matrix counts as its shorter side
  Bytes moment{0}; ///< of one moment of Adam; 0 where it has the parameter's size
  bool in_backward = false; ///< each tensor is stepped as soon as its gradient exists
  bool embeddings_in_32_bits = false; ///< the 8-bit optimizers keep embedding tables in fp32 (Hugging Face Trainer)
  bool adafactor_of_pytorch = false; ///< torch.optim.Adafactor, in the parameter's dtype; otherwise that of transformers, in fp32
  bool flat = false; ///< the optimizer is handed all weights as one tensor: DeepSpeed's fp32 copy beside 16-bit ones, without ZeRO
  Count replicas{1}; ///< data-parallel; of those that exchange signs; >= 1
  Count foreach_lists{1}; ///< lists of all states' square roots that foreach AdamW makes: 2 up to PyTorch 2.0, 1 since
};

/// States between steps that live in the framework's allocator.
Term kept_states(const SteppedTensor& tensor, const OptimizerSettings& settings) noexcept;
/// States in managed memory outside that allocator, which the driver moves to the host under pressure: therefore low = 0.
Term paged_states(const SteppedTensor& tensor, const OptimizerSettings& settings) noexcept;
/// Scalars on the GPU, each of which takes a whole block of the allocator.
Term step_scalars(Count tensors, const OptimizerSettings& settings) noexcept;
/// An fp32 moving average of the weights.
Term moving_average(Count elements) noexcept;

/// Temporaries of the step at their largest. Over tensors they add up where steps_together(), else the largest one counts.
Term step_copies(const SteppedTensor& tensor, const OptimizerSettings& settings) noexcept;
/// Whether the step handles all tensors as lists; otherwise one tensor after the other.
bool steps_together(const OptimizerSettings& settings) noexcept;

/// Whether all numbers are treated alike and at once, so that only their sum counts.
bool steps_numbers(const OptimizerSettings& settings) noexcept;
/// Whether the optimizer works on whole matrices, which shards of numbers would cut: then whole tensors are handed out.
bool steps_matrices(Optimizer optimizer) noexcept;
/// Whether it keeps a scalar on the GPU for each tensor: step_scalars().
bool counts_steps(Optimizer optimizer) noexcept;
/// Whether each tensor is stepped as soon as its gradient exists: asked for, or the optimizer knows no other way.
bool steps_each(const Strategy& strategy) noexcept;

/// Whether states appear in the first step, after its backward pass; otherwise when the optimizer is made.
bool lazy(Optimizer optimizer) noexcept;
/// Whether states of large tensors live in managed memory.
bool pages(Optimizer optimizer) noexcept;
/// Whether the optimizer knows no other way than to step each tensor during the backward pass.
bool steps_in_backward(Optimizer optimizer) noexcept;

} // namespace plimsoll::memory
