// Head and cross-entropy together: logits = x · Wᵀ, whole or chunk by chunk.
//
// Chunks: Liger-Kernel, src/liger_kernel/ops/fused_linear_cross_entropy.py: as many as the vocabulary is wider than the input, their
// rows rounded up to a power of two; gradients of input and weight are made in the forward pass.
#include "operators/timeline.hpp"

namespace plimsoll {

namespace {

constexpr std::int64_t kFp32 = 4, kInt64 = 8;
constexpr int kLoss = kBackward, kLogSoftmax = kBackward + 1, kHead = kBackward + 2;

void head_and_input(const OperatorShape& shape, Timeline& into) {
  into.workspaces(2); // the forward thread's and autograd's
  into.leaf("head", shape.vocabulary * shape.hidden, shape.element_bytes);
  into.idle(shape.element_bytes);
  into.leaf("input", shape.tokens * shape.hidden, shape.element_bytes);
  into.resident("targets", shape.tokens, kInt64);
}

void eager(const OperatorShape& shape, Timeline& into) {
  const Count logits = shape.tokens * shape.vocabulary;
  head_and_input(shape, into);
  into.at(kForward, "logits", logits, shape.element_bytes);
  into.hold("log-probabilities", logits, shape.element_bytes, kForward, kLogSoftmax);
  into.hold("their gradient", logits, shape.element_bytes, kLoss, kLogSoftmax);
  into.hold("logits' gradient", logits, shape.element_bytes, kLogSoftmax, kHead);
  into.at(kHead, "head's gradient", shape.vocabulary * shape.hidden, shape.element_bytes);
  into.at(kHead, "input's gradient", shape.tokens * shape.hidden, shape.element_bytes);
}

Count power_of_two_from(Count n) noexcept {
  Count power{1};
  while (power < n && !power.saturated()) power = Count{2} * power;
  return power;
}

/// All but the logits; returns the rows of a chunk.
Count around_chunks(const OperatorShape& shape, Timeline& into) {
  const Count one{1};
  const Count chunks = max(one, ceil_div(shape.vocabulary, max(one, shape.hidden)));
  const Count rows = min(shape.tokens, power_of_two_from(ceil_div(shape.tokens, chunks)));
  head_and_input(shape, into);
  into.resident("head's gradient", shape.vocabulary * shape.hidden, shape.element_bytes);
  into.resident("input's gradient", shape.tokens * shape.hidden, shape.element_bytes);
  into.resident("loss of each token", shape.tokens, kFp32);
  return rows;
}

/// A chunk's logits become their gradient.
void chunked(const OperatorShape& shape, Timeline& into) {
  into.at(kForward, "logits of a chunk", around_chunks(shape, into) * shape.vocabulary, shape.element_bytes);
}

/// Earlier: each chunk exists as logits, as fp32 and once more in 16 bits.
void chunked_fp32(const OperatorShape& shape, Timeline& into) {
  const Count rows = around_chunks(shape, into);
  into.at(kForward, "logits of a chunk and a copy", Count{2} * (rows * shape.vocabulary), shape.element_bytes);
  into.at(kForward, "logits of a chunk in fp32", rows * shape.vocabulary, kFp32);
}

constexpr std::array kOperators{
    Operator{.id = "linear_cross_entropy", .implementation = "eager", .citation = "pytorch_derivatives", .basis = Basis::counted, .live = eager},
    Operator{.id = "linear_cross_entropy", .implementation = "fused", .citation = "liger_ops", .basis = Basis::counted, .live = chunked},
    Operator{.id = "linear_cross_entropy", .implementation = "fused_fp32_chunks", .citation = "liger_ops", .basis = Basis::counted, .live = chunked_fp32},
};

} // namespace

std::span<const Operator> linear_loss_operators() noexcept { return kOperators; }

} // namespace plimsoll
