// Adam-mini (arXiv 2406.16793; zyushun/Adam-mini, adam_mini/adam_mini.py since 1.1.0): an fp32 first moment, and one second moment
// for each block of parameters: a token's row of a table, a neuron's row of a matrix, a whole vector.
#include "method/memory/optimizers/common.hpp"

namespace plimsoll::memory {

namespace {

// Queries and keys share one per head, and values one in all: fewer, by less than a thousandth of the whole.
constexpr Formula kAdamMini{[] { return FormulaText{.id = "memory.optimizer.states",
                            .label = "States kept between steps",
                            .unit = "bytes",
                            .text = "(elements + tensors * blocks) * 4",
                            .citation = "adam_mini",
                            .basis = Basis::published,
                            .symbols = {{kElements, kTensors, {"blocks", "", "of one tensor that share a second moment", ""}}}}; }};

constexpr Formula kCopies{[] { return one_tensor_copies_formula({.citation = "adam_mini"}); }};

} // namespace

Term adam_mini_states(const SteppedTensor& tensor) noexcept {
  const Count tensors = tensors_of(tensor);
  const Count blocks = has_two_dimensions(tensor) ? tensor.rows : Count{1};
  const Term term =
      make_term(kAdamMini, (tensor.elements + tensors * blocks) * kFp32, {tensor.elements.value, tensors.value, blocks.value});
  return between(term, (tensor.elements + tensors) * kFp32, term.bytes());
}

Term adam_mini_step_copies(const SteppedTensor& tensor) noexcept { // update and -update; of 16-bit gradients an fp32 copy
  return one_tensor_copies(kCopies, tensor, and_perhaps_one_more(Count{in_16_bits(tensor) ? 3 : 2}), kFp32);
}

} // namespace plimsoll::memory
