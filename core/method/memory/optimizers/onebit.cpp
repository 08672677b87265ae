// Adam whose GPUs send each other the signs of what they learned, and keep what that leaves out: 1-bit Adam (arXiv 2102.02888) and 0/1 Adam
// (arXiv 2202.06009). deepspeedai/DeepSpeed 0.19.6, deepspeed/runtime/fp16/onebit/adam.py and zoadam.py; runtime/comm/nccl.py,
// compressed_allreduce. Beside 16-bit weights the optimizer is handed one flat fp32 copy of all of them (runtime/fp16/fused_optimizer.py).
#include "method/memory/optimizers/common.hpp"
#include "plimsoll/method/sharding.hpp"

namespace plimsoll::memory {

namespace {

constexpr Formula kOneBit{[] { return FormulaText{
    .id = "memory.optimizer.states",
    .label = "States kept between steps",
    .unit = "bytes",
    .text = "elements * states * bytes_per_state + (elements + ceil_div(elements, replicas)) * 4",
    .citation = "deepspeed_onebit",
    .basis = Basis::published,
    .symbols = {{kElements,
                 {"states", "", "states per parameter: two moments, and with 0/1 Adam the sum of updates that were not sent", "optimizer"},
                 kStateBytes,
                 {"replicas", "GPUs", "of which each keeps the error of its own part of the sum, besides the error of all that it sends", "data_parallel"}}}}; }};

constexpr Formula kOneBitLists{[] { return list_copies_formula({.citation = "deepspeed_onebit"}); }};
constexpr Formula kOneBitCopies{[] { return one_tensor_copies_formula({.citation = "deepspeed_onebit"}); }};

constexpr bool sums_updates(Optimizer optimizer) noexcept { return optimizer == Optimizer::zero_one_adam; }

} // namespace

Term onebit_states(const SteppedTensor& tensor, const OptimizerSettings& settings) noexcept {
  const Count states{sums_updates(settings.optimizer) ? 3 : 2}, replicas = max(settings.replicas, Count{1});
  const Bytes moments = tensor.elements * (states * tensor.element);
  const Term term = make_term(kOneBit, moments + (tensor.elements + replica_part(tensor.elements, replicas)) * kFp32,
                              {tensor.elements.value, states.value, tensor.element.value, replicas.value});
  // Low: until freeze_step 1-bit Adam exchanges whole gradients, and there are no errors. 0/1 Adam has them from the first step on.
  return between(term, sums_updates(settings.optimizer) ? term.bytes() : moments, term.bytes());
}

// The quotient and its root, or the update and its product with the rate, or what was sent and the difference from it; with 0/1 Adam
// beside an update that is still there. High: the former tensor's update besides, and signs as bytes in CuPy's pool.
Term onebit_step_copies(const SteppedTensor& tensor, const OptimizerSettings& settings) noexcept {
  const Copies copies{Count{2}, Count{sums_updates(settings.optimizer) ? 3 : 2}, Count{sums_updates(settings.optimizer) ? 4 : 3}};
  return settings.flat ? list_copies(kOneBitLists, tensor, copies, kFp32) : one_tensor_copies(kOneBitCopies, tensor, copies, kFp32);
}

} // namespace plimsoll::memory
