// A second moment kept as the sums of its rows and of its columns: Adafactor without a first moment (transformers,
// optimization.py) and AdaLomo (OpenLMLab/LOMO, lomo_optim/adalomo.py). Both compute in fp32 whatever the weight's dtype. LOMO,
// AdaLomo's plain sister, keeps nothing.
#include "memory/optimizers/common.hpp"

namespace plimsoll::memory {

namespace {

constexpr Formula factored_formula(Source source) noexcept {
  return {.id = "memory.optimizer.states",
          .label = "States kept between steps",
          .unit = "bytes",
          .text = "tensors * (rows + columns) * 4",
          .citation = source.citation,
          .basis = source.basis,
          .symbols = {{kTensors, kRows, kColumns}}};
}

constexpr Formula kAdafactor = factored_formula({.citation = "adafactor"});
constexpr Formula kAdalomo = factored_formula({.citation = "lomo"});
constexpr Formula kAdafactorVector = elementwise_formula({.citation = "adafactor"});
constexpr Formula kLomo = elementwise_formula({.citation = "lomo"});
constexpr Formula kAdafactorCopies = one_tensor_copies_formula({.citation = "adafactor"});
constexpr Formula kLomoCopies = one_tensor_copies_formula({.citation = "lomo"});

} // namespace

Term factored_states(const SteppedTensor& tensor, Optimizer optimizer) noexcept {
  const bool adalomo = optimizer == Optimizer::adalomo;
  if (!has_two_dimensions(tensor)) return elementwise(adalomo ? kLomo : kAdafactorVector, tensor, Count{1}, kFp32);
  const Count tensors = tensors_of(tensor);
  return make_term(adalomo ? kAdalomo : kAdafactor, tensors * ((tensor.rows + tensor.columns) * kFp32),
                   {tensors.value, tensor.rows.value, tensor.columns.value});
}

Term factored_step_copies(const SteppedTensor& tensor, Optimizer optimizer) noexcept {
  // Adafactor ends with update and -update, beside fp32 copies of a 16-bit gradient and weight. AdaLomo casts the weight last: two
  // stand beside the cast gradient from its square onwards.
  if (optimizer == Optimizer::adalomo)
    return one_tensor_copies(kLomoCopies, tensor, exactly(Count{in_16_bits(tensor) ? 3 : 2}), kFp32);
  return one_tensor_copies(kAdafactorCopies, tensor, and_perhaps_one_more(Count{in_16_bits(tensor) ? 4 : 2}), kFp32);
}

Term lomo_states(const SteppedTensor& tensor) noexcept { return elementwise(kLomo, tensor, Count{0}, tensor.element); }

Term lomo_step_copies(const SteppedTensor& tensor) noexcept { // fp32 copies of gradient and weight
  return one_tensor_copies(kLomoCopies, tensor, exactly(Count{in_16_bits(tensor) ? 2 : 0}), kFp32);
}

} // namespace plimsoll::memory
