// A second moment kept as the sums of its rows and of its columns: Adafactor without a first moment and AdaLomo (OpenLMLab/LOMO,
// lomo_optim/adalomo.py). AdaLomo and the Adafactor of transformers (optimization.py) compute in fp32 whatever the weight's dtype,
// that of PyTorch (torch/optim/_adafactor.py) in the weight's. LOMO, AdaLomo's plain sister, keeps nothing.
#include "method/memory/optimizers/common.hpp"

namespace plimsoll::memory {

namespace {

constexpr FormulaText factored_formula(Source source) noexcept {
  return {.id = "memory.optimizer.states",
          .label = "States kept between steps",
          .unit = "bytes",
          .text = "tensors * (rows + columns) * bytes_per_state",
          .citation = source.citation,
          .basis = source.basis,
          .symbols = {{kTensors, kRows, kColumns, kStateBytes}}};
}

constexpr Formula kAdafactor{[] { return factored_formula({.citation = "adafactor"}); }};
constexpr Formula kAdalomo{[] { return factored_formula({.citation = "lomo"}); }};
constexpr Formula kAdafactorVector{[] { return elementwise_formula({.citation = "adafactor"}); }};
constexpr Formula kTorch{[] { return factored_formula({.citation = "pytorch_adafactor"}); }};
constexpr Formula kTorchVector{[] { return elementwise_formula({.citation = "pytorch_adafactor"}); }};
constexpr Formula kTorchCopies{[] { return one_tensor_copies_formula({.citation = "pytorch_adafactor"}); }};
constexpr Formula kLomo{[] { return elementwise_formula({.citation = "lomo"}); }};
constexpr Formula kAdafactorCopies{[] { return one_tensor_copies_formula({.citation = "adafactor"}); }};
constexpr Formula kLomoCopies{[] { return one_tensor_copies_formula({.citation = "lomo"}); }};

struct Variant {
  const Formula& matrix;
  const Formula& vector;
  Bytes state;
};

Variant variant_of(const SteppedTensor& tensor, const OptimizerSettings& settings) noexcept {
  if (settings.optimizer == Optimizer::adalomo) return {kAdalomo, kLomo, kFp32};
  if (settings.adafactor_of_pytorch) return {kTorch, kTorchVector, tensor.element};
  return {kAdafactor, kAdafactorVector, kFp32};
}

} // namespace

Term factored_states(const SteppedTensor& tensor, const OptimizerSettings& settings) noexcept {
  const Variant variant = variant_of(tensor, settings);
  if (!has_two_dimensions(tensor)) return elementwise(variant.vector, tensor, Count{1}, variant.state);
  const Count tensors = tensors_of(tensor);
  return make_term(variant.matrix, tensors * ((tensor.rows + tensor.columns) * variant.state),
                   {tensors.value, tensor.rows.value, tensor.columns.value, variant.state.value});
}

Term factored_step_copies(const SteppedTensor& tensor, const OptimizerSettings& settings) noexcept {
  // AdaLomo casts the weight last: two stand beside the cast gradient from its square onwards.
  if (settings.optimizer == Optimizer::adalomo)
    return one_tensor_copies(kLomoCopies, tensor, exactly(Count{in_16_bits(tensor) ? 3 : 2}), kFp32);
  // The estimate of the variance becomes the update in place.
  if (settings.adafactor_of_pytorch)
    return one_tensor_copies(kTorchCopies, tensor, and_perhaps_one_more(Count{1}), tensor.element);
  // Ends with update and -update, beside fp32 copies of a 16-bit gradient and weight.
  return one_tensor_copies(kAdafactorCopies, tensor, and_perhaps_one_more(Count{in_16_bits(tensor) ? 4 : 2}), kFp32);
}

Term lomo_states(const SteppedTensor& tensor) noexcept { return elementwise(kLomo, tensor, Count{0}, tensor.element); }

Term lomo_step_copies(const SteppedTensor& tensor) noexcept { // fp32 copies of gradient and weight
  return one_tensor_copies(kLomoCopies, tensor, exactly(Count{in_16_bits(tensor) ? 2 : 0}), kFp32);
}

} // namespace plimsoll::memory
