// Losses over logits that exist: `tokens` rows of `vocabulary` numbers.
//
// Kept: PyTorch, tools/autograd/derivatives.yaml (_log_softmax keeps its output, nll_loss what it reads). Fused cross-entropy writes
// the gradient over the logits: Liger-Kernel, src/liger_kernel/ops/cross_entropy.py. Megatron-LM: core/tensor_parallel/
// cross_entropy.py makes the softmax in fp32 in place and turns it into the gradient; core/fusions/fused_cross_entropy.py does the
// same in TorchScript, out of place. Divergences: Liger-Kernel, ops/kl_div.py, jsd.py, tvd.py, whose inputs are the log-probabilities
// of a leaf.
#include "evidence/operators/timeline.hpp"

namespace plimsoll {

namespace {

constexpr std::int64_t kFp32 = 4, kInt64 = 8;
constexpr int kLoss = kBackward, kLogSoftmax = kBackward + 1;

Count logits_of(const OperatorShape& shape) { return shape.tokens * shape.vocabulary; }

void logits_and_targets(const OperatorShape& shape, Timeline& into) {
  into.leaf("logits", logits_of(shape), shape.element_bytes);
  into.resident("targets", shape.tokens, kInt64);
}

void cross_entropy(const OperatorShape& shape, Timeline& into) {
  logits_and_targets(shape, into);
  into.resident("log-probabilities", logits_of(shape), shape.element_bytes);
  into.hold("their gradient", logits_of(shape), shape.element_bytes, kLoss, kLogSoftmax);
  into.at(kLogSoftmax, "logits' gradient", logits_of(shape), shape.element_bytes);
}

void cross_entropy_in_place(const OperatorShape& shape, Timeline& into) {
  logits_and_targets(shape, into);
  into.resident("loss of each token", shape.tokens, kFp32);
}

void cross_entropy_out_of_place(const OperatorShape& shape, Timeline& into) {
  cross_entropy_in_place(shape, into);
  into.resident("logits' gradient", logits_of(shape), shape.element_bytes);
}

/// With one loss for each token the gradient over the logits is multiplied by the losses' fp32 gradients, in fp32, and cast back.
void cross_entropy_unreduced(const OperatorShape& shape, Timeline& into) {
  cross_entropy_in_place(shape, into);
  into.hold("losses' gradient", shape.tokens, kFp32, kBackward, kEnd);
  into.at(kBackward, "gradient in fp32", logits_of(shape), kFp32);
  if (shape.element_bytes != kFp32) into.at(kBackward, "logits' gradient", logits_of(shape), shape.element_bytes);
}

/// 16-bit logits cast to fp32 first; nothing keeps the cast.
void cross_entropy_upcast(const OperatorShape& shape, Timeline& into) {
  logits_and_targets(shape, into);
  into.at(kForward, "logits in fp32", logits_of(shape), kFp32);
  into.resident("log-probabilities", logits_of(shape), kFp32);
  into.hold("their gradient", logits_of(shape), kFp32, kLoss, kLogSoftmax);
  into.at(kLogSoftmax, "gradient of the fp32 logits", logits_of(shape), kFp32);
}

/// What vocabulary parallelism keeps to find the target's column, beside softmax and loss.
void vocabulary_parallel(const OperatorShape& shape, Timeline& into) {
  logits_and_targets(shape, into);
  into.resident("softmax, then gradient, in fp32", logits_of(shape), kFp32);
  into.resident("targets in the shard", shape.tokens, kInt64);
  into.resident("which targets are elsewhere", shape.tokens, 1);
  into.resident("loss of each token", shape.tokens, kFp32);
  into.at(kLogSoftmax, "logits' gradient", logits_of(shape), shape.element_bytes);
}

void vocabulary_parallel_jit(const OperatorShape& shape, Timeline& into) {
  vocabulary_parallel(shape, into);
  into.at(kLogSoftmax, "gradient in fp32", logits_of(shape), kFp32);
}

/// A leaf's log-probabilities and the target's, and so many more of the same size at the worst step.
void divergence(const OperatorShape& shape, Timeline& into, std::int64_t kept, std::int64_t transient) {
  into.leaf("logits", logits_of(shape), shape.element_bytes);
  into.resident("log-probabilities", logits_of(shape), shape.element_bytes);
  into.resident("target's probabilities", logits_of(shape), shape.element_bytes);
  for (std::int64_t i = 0; i < kept; ++i) into.resident("kept by the divergence", logits_of(shape), shape.element_bytes);
  for (std::int64_t i = 0; i < transient; ++i) into.at(kLogSoftmax, "gradients", logits_of(shape), shape.element_bytes);
}

/// The gradient of the log-probabilities, made in the backward pass (kl_div) or kept by the forward pass (jsd, tvd), and the leaf's.
void divergence_recomputed(const OperatorShape& shape, Timeline& into) { divergence(shape, into, 0, 2); }
void divergence_kept(const OperatorShape& shape, Timeline& into) { divergence(shape, into, 1, 2); }
void kl_div_eager(const OperatorShape& shape, Timeline& into) { divergence(shape, into, 0, 3); }
/// The mixture, its logarithm, both divergences and their gradients: nine beside the inputs, measured as a whole.
void jsd_eager(const OperatorShape& shape, Timeline& into) { divergence(shape, into, 0, 9); }

constexpr std::array kOperators{
    Operator{.id = "cross_entropy", .implementation = "eager", .citation = "pytorch_derivatives", .basis = Basis::counted, .live = cross_entropy},
    Operator{.id = "cross_entropy", .implementation = "fused", .citation = "liger_ops", .basis = Basis::counted, .live = cross_entropy_in_place},
    Operator{.id = "cross_entropy", .implementation = "fused_out_of_place", .citation = "liger_ops", .basis = Basis::counted, .live = cross_entropy_out_of_place},
    Operator{.id = "cross_entropy", .implementation = "fused_unreduced", .citation = "liger_ops", .basis = Basis::counted, .live = cross_entropy_unreduced},
    Operator{.id = "cross_entropy", .implementation = "eager_upcast", .citation = "pytorch_derivatives", .basis = Basis::counted, .live = cross_entropy_upcast},
    Operator{.id = "cross_entropy", .implementation = "vocabulary_parallel", .citation = "megatron_cross_entropy", .basis = Basis::counted, .live = vocabulary_parallel},
    Operator{.id = "cross_entropy", .implementation = "vocabulary_parallel_jit", .citation = "megatron_cross_entropy", .basis = Basis::counted, .live = vocabulary_parallel_jit},
    Operator{.id = "kl_div", .implementation = "eager", .citation = "liger_benchmarks", .basis = Basis::measured, .live = kl_div_eager},
    Operator{.id = "kl_div", .implementation = "fused", .citation = "liger_ops", .basis = Basis::counted, .live = divergence_recomputed},
    Operator{.id = "kl_div", .implementation = "fused_out_of_place", .citation = "liger_ops", .basis = Basis::counted, .live = divergence_kept},
    Operator{.id = "jsd", .implementation = "eager", .citation = "liger_benchmarks", .basis = Basis::measured, .live = jsd_eager},
    Operator{.id = "jsd", .implementation = "fused", .citation = "liger_ops", .basis = Basis::counted, .live = divergence_kept},
    Operator{.id = "tvd", .implementation = "fused", .citation = "liger_ops", .basis = Basis::counted, .live = divergence_kept},
};

} // namespace

std::span<const Operator> loss_operators() noexcept { return kOperators; }

} // namespace plimsoll
