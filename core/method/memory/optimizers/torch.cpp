// Number by number: Adam, SGD with momentum, Lion. States are zeros_like(parameter) (torch/optim/adam.py, sgd.py;
// lucidrains/lion-pytorch, lion_pytorch/lion_pytorch.py).
#include "method/memory/optimizers/common.hpp"

namespace plimsoll::memory {

namespace {

constexpr Formula kAdam{[] { return elementwise_formula({.citation = "pytorch_adam"}); }};
constexpr Formula kSgd{[] { return elementwise_formula({.citation = "pytorch_sgd"}); }};
constexpr Formula kLion{[] { return elementwise_formula({.citation = "lion_pytorch"}); }};

constexpr Formula kAdamLists{[] { return list_copies_formula({.citation = "pytorch_adam"}); }};
constexpr Formula kSgdLists{[] { return list_copies_formula({.citation = "pytorch_sgd"}); }};
constexpr Formula kAdamCopies{[] { return one_tensor_copies_formula({.citation = "pytorch_adam"}); }};
constexpr Formula kSgdCopies{[] { return one_tensor_copies_formula({.citation = "pytorch_sgd"}); }};
constexpr Formula kLionCopies{[] { return one_tensor_copies_formula({.citation = "lion_pytorch"}); }};

/// What the foreach step makes for all tensors, it makes for one where each is stepped alone.
Term foreach_copies(const Formula& lists, const Formula& alone, const SteppedTensor& tensor, Copies copies,
                    bool in_backward) noexcept {
  return in_backward ? one_tensor_copies(alone, tensor, copies, tensor.element)
                     : list_copies(lists, tensor, copies, tensor.element);
}

} // namespace

Term adam_states(const SteppedTensor& tensor) noexcept { return elementwise(kAdam, tensor, Count{2}, tensor.element); }

Term torch_states(const SteppedTensor& tensor, const OptimizerSettings& settings) noexcept {
  switch (settings.optimizer) {
    case Optimizer::sgd:
      return elementwise(kSgd, tensor, Count{0}, tensor.element);
    case Optimizer::sgd_momentum:
      return elementwise(kSgd, tensor, Count{1}, tensor.element);
    case Optimizer::lion:
      return elementwise(kLion, tensor, Count{1}, tensor.element);
    default:
      break;
  }
  return settings.moment > Bytes{0} ? elementwise(kAdam, tensor, Count{2}, settings.moment) : adam_states(tensor);
}

Term torch_step_copies(const SteppedTensor& tensor, const OptimizerSettings& settings) noexcept {
  switch (settings.optimizer) {
    case Optimizer::sgd: // with weight decay, foreach adds it into a new list of gradients
    case Optimizer::sgd_momentum:
      return foreach_copies(kSgdLists, kSgdCopies, tensor, {Count{0}, Count{0}, Count{1}}, settings.in_backward);
    case Optimizer::adamw_foreach: // exp_avg_sq_sqrt; before PyTorch 2.1 denom besides
      return foreach_copies(kAdamLists, kAdamCopies, tensor, exactly(settings.foreach_lists), settings.in_backward);
    case Optimizer::adamw_forloop: // exp_avg_sq.sqrt() and its quotient by the bias correction
      return one_tensor_copies(kAdamCopies, tensor, and_perhaps_one_more(Count{2}), tensor.element);
    case Optimizer::lion: // exp_avg.clone() and its sum with the gradient; google/automl adds up three
      return one_tensor_copies(kLionCopies, tensor, and_perhaps_one_more(Count{2}), tensor.element);
    default:
      break;
  }
  return one_tensor_copies(kAdamCopies, tensor, exactly(Count{0}), tensor.element); // fused: one kernel
}

} // namespace plimsoll::memory
