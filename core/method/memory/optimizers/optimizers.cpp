// Which family of formulas an optimizer belongs to.
#include "method/memory/optimizers.hpp"

#include "method/memory/optimizers/common.hpp"

namespace plimsoll::memory {

namespace {

constexpr Formula kScalars{[] { return FormulaText{.id = "memory.optimizer.step_scalars",
                           .label = "Scalars of the step",
                           .unit = "bytes",
                           .text = "tensors * scalars * block",
                           .citation = "pytorch_adam",
                           .basis = Basis::published,
                           .symbols = {{{"tensors", "tensors", "that this GPU steps", ""},
                                        {"scalars", "", "on the GPU for each: the step counter of fused Adam", "optimizer"},
                                        {"block", "bytes", "the allocator's smallest block", ""}}}}; }};

constexpr FormulaText adafactor_scalars() noexcept { // its root mean square of each parameter
  FormulaText formula = kScalars.written();
  formula.citation = "adafactor";
  formula.symbols[1].meaning = "on the GPU for each: the root mean square of its parameters";
  return formula;
}
constexpr Formula kAdafactorScalars{[] { return adafactor_scalars(); }};

constexpr Formula kAverage{[] { return FormulaText{.id = "memory.optimizer.average",
                           .label = "Moving average of the weights",
                           .unit = "bytes",
                           .text = "elements * 4",
                           .citation = "pytorch_averaged_model",
                           .basis = Basis::assumed, // a copy of the weights; that it is fp32 is the common choice, not a rule
                           .symbols = {{kElements}}}; }};

} // namespace

Term kept_states(const SteppedTensor& tensor, const OptimizerSettings& settings) noexcept {
  switch (settings.optimizer) {
    case Optimizer::adamw_fused:
    case Optimizer::adamw_foreach:
    case Optimizer::adamw_forloop:
    case Optimizer::sgd:
    case Optimizer::sgd_momentum:
    case Optimizer::lion:
      return torch_states(tensor, settings);
    case Optimizer::adamw_8bit:
    case Optimizer::lion_8bit:
    case Optimizer::paged_adamw:
    case Optimizer::paged_adamw_8bit:
      return block_states(tensor, settings);
    case Optimizer::adamw_4bit:
      return four_bit_states(tensor);
    case Optimizer::adafactor:
    case Optimizer::adalomo:
      return factored_states(tensor, settings);
    case Optimizer::lomo:
      return lomo_states(tensor);
    case Optimizer::adam_mini:
      return adam_mini_states(tensor);
    case Optimizer::muon:
      return muon_states(tensor);
    case Optimizer::shampoo:
      return shampoo_states(tensor);
    case Optimizer::soap:
      return soap_states(tensor);
    case Optimizer::galore:
    case Optimizer::apollo:
      return low_rank_states(tensor, settings.optimizer, settings.rank);
    case Optimizer::onebit_adam:
    case Optimizer::zero_one_adam:
      return onebit_states(tensor, settings);
  }
  return adam_states(tensor);
}

Term paged_states(const SteppedTensor& tensor, const OptimizerSettings& settings) noexcept {
  return block_paged_states(tensor, settings);
}

Term step_copies(const SteppedTensor& tensor, const OptimizerSettings& settings) noexcept {
  switch (settings.optimizer) {
    case Optimizer::adamw_fused:
    case Optimizer::adamw_foreach:
    case Optimizer::adamw_forloop:
    case Optimizer::sgd:
    case Optimizer::sgd_momentum:
    case Optimizer::lion:
      return torch_step_copies(tensor, settings);
    case Optimizer::adamw_8bit:
    case Optimizer::lion_8bit:
    case Optimizer::paged_adamw:
    case Optimizer::paged_adamw_8bit:
      return block_step_copies(tensor);
    case Optimizer::adamw_4bit:
      return four_bit_step_copies(tensor);
    case Optimizer::adafactor:
    case Optimizer::adalomo:
      return factored_step_copies(tensor, settings);
    case Optimizer::lomo:
      return lomo_step_copies(tensor);
    case Optimizer::adam_mini:
      return adam_mini_step_copies(tensor);
    case Optimizer::muon:
      return muon_step_copies(tensor);
    case Optimizer::shampoo:
      return shampoo_step_copies(tensor, settings.in_backward);
    case Optimizer::soap:
      return soap_step_copies(tensor);
    case Optimizer::galore:
    case Optimizer::apollo:
      return low_rank_step_copies(tensor, settings.optimizer);
    case Optimizer::onebit_adam:
    case Optimizer::zero_one_adam:
      return onebit_step_copies(tensor, settings);
  }
  return torch_step_copies(tensor, settings);
}

Term step_scalars(Count tensors, const OptimizerSettings& settings) noexcept {
  constexpr Bytes kBlock{512}; // c10/cuda/CUDACachingAllocator.cpp, kMinBlockSize
  const bool adafactor = settings.optimizer == Optimizer::adafactor && !settings.adafactor_of_pytorch;
  const Count scalars{adafactor || settings.optimizer == Optimizer::adamw_fused ? 1 : 0};
  return make_term(adafactor ? kAdafactorScalars : kScalars, tensors * (scalars * kBlock),
                   {tensors.value, scalars.value, kBlock.value});
}

Term moving_average(Count elements) noexcept { return make_term(kAverage, elements * kFp32, {elements.value}); }

bool steps_together(const OptimizerSettings& settings) noexcept {
  if (settings.in_backward) return false;
  switch (settings.optimizer) {
    case Optimizer::adamw_foreach:
    case Optimizer::sgd:
    case Optimizer::sgd_momentum:
    case Optimizer::shampoo:
      return true;
    case Optimizer::onebit_adam:
    case Optimizer::zero_one_adam:
      return settings.flat;
    default:
      return false;
  }
}

bool steps_numbers(const OptimizerSettings& settings) noexcept {
  switch (settings.optimizer) {
    case Optimizer::adamw_fused:
      return true;
    case Optimizer::adamw_foreach:
    case Optimizer::sgd:
    case Optimizer::sgd_momentum:
      return !settings.in_backward;
    case Optimizer::onebit_adam:
    case Optimizer::zero_one_adam:
      return settings.flat && !settings.in_backward;
    default:
      return false;
  }
}

bool steps_matrices(Optimizer optimizer) noexcept {
  switch (optimizer) {
    case Optimizer::muon:
    case Optimizer::shampoo:
    case Optimizer::soap:
    case Optimizer::galore:
    case Optimizer::apollo:
      return true;
    default:
      return false;
  }
}

bool counts_steps(Optimizer optimizer) noexcept { return optimizer == Optimizer::adamw_fused || optimizer == Optimizer::adafactor; }

bool steps_each(const Strategy& strategy) noexcept { return strategy.optimizer_in_backward || steps_in_backward(strategy.optimizer); }

bool lazy(Optimizer optimizer) noexcept {
  switch (optimizer) {
    case Optimizer::sgd:
    case Optimizer::lomo: // nothing to make
    case Optimizer::adalomo: // makes its sums in its constructor
    case Optimizer::shampoo: // DistributedShampoo likewise
      return false;
    default:
      return true;
  }
}

bool pages(Optimizer optimizer) noexcept {
  return optimizer == Optimizer::paged_adamw || optimizer == Optimizer::paged_adamw_8bit;
}

bool steps_in_backward(Optimizer optimizer) noexcept { return optimizer == Optimizer::lomo || optimizer == Optimizer::adalomo; }

} // namespace plimsoll::memory
