// Head and cross-entropy together: logits = x · Wᵀ, whole or chunk by chunk.
//
// Chunks: Liger-Kernel, src/liger_kernel/ops/fused_linear_cross_entropy.py: as many as the vocabulary is wider than the input, their
// rows rounded up to a power of two; gradients of input and weight are made in the forward pass.
#include "evidence/operators/timeline.hpp"

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

Count rows_of_chunk(const OperatorShape& shape) noexcept {
  const Count one{1};
  const Count chunks = max(one, ceil_div(shape.vocabulary, max(one, shape.hidden)));
  return min(shape.tokens, power_of_two_from(ceil_div(shape.tokens, chunks)));
}

/// All but the logits; returns the rows of a chunk.
Count around_chunks(const OperatorShape& shape, Timeline& into) {
  const Count rows = rows_of_chunk(shape);
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

/// Student and teacher: two heads, each with a gradient, and a divergence of their logits. Liger-Kernel, ops/fused_linear_jsd.py.
void two_heads(const OperatorShape& shape, Timeline& into) {
  const Count head = shape.vocabulary * shape.hidden, input = shape.tokens * shape.hidden;
  into.workspaces(2);
  into.leaf("student's head", head, shape.element_bytes);
  into.leaf("teacher's head", head, shape.element_bytes);
  into.leaf("student's input", input, shape.element_bytes);
  into.resident("teacher's input", input, shape.element_bytes);
}

/// Bytes per logit with 16-bit heads, measured: of all that eager code has alive at once, and of a chunk in the fused kernel.
constexpr std::int64_t kEagerDivergence = 52, kChunkOfDivergence = 14, kEagerGroupPolicy = 16;

void divergence_eager(const OperatorShape& shape, Timeline& into) {
  two_heads(shape, into);
  into.at(kLogSoftmax, "logits, log-probabilities, divergences and gradients", shape.tokens * shape.vocabulary, kEagerDivergence);
}

/// The loss of every logit is written down in fp32.
void divergence_chunked(const OperatorShape& shape, Timeline& into) {
  two_heads(shape, into);
  into.resident("head's gradient", shape.vocabulary * shape.hidden, shape.element_bytes);
  into.resident("input's gradient", shape.tokens * shape.hidden, shape.element_bytes);
  into.at(kForward, "losses", shape.tokens * shape.vocabulary, kFp32);
  into.at(kForward, "logits and log-probabilities of a chunk", rows_of_chunk(shape) * shape.vocabulary, kChunkOfDivergence);
}

/// Group-relative policy optimisation against a reference head that gets no gradient.
void group_policy_eager(const OperatorShape& shape, Timeline& into) {
  const Count head = shape.vocabulary * shape.hidden, input = shape.tokens * shape.hidden;
  into.workspaces(2);
  into.leaf("head", head, shape.element_bytes);
  into.resident("reference head", head, shape.element_bytes);
  into.idle(shape.element_bytes);
  into.leaf("input", input, shape.element_bytes);
  into.resident("reference input", input, shape.element_bytes);
  into.resident("chosen tokens and their log-probabilities", Count{2} * shape.tokens, kInt64);
  into.at(kLogSoftmax, "logits, log-probabilities and gradients", shape.tokens * shape.vocabulary, kEagerGroupPolicy);
}

constexpr std::array kOperators{
    Operator{.id = "linear_cross_entropy", .implementation = "eager", .citation = "pytorch_derivatives", .basis = Basis::counted, .live = eager},
    Operator{.id = "linear_cross_entropy", .implementation = "fused", .citation = "liger_ops", .basis = Basis::counted, .live = chunked},
    Operator{.id = "linear_cross_entropy", .implementation = "fused_fp32_chunks", .citation = "liger_ops", .basis = Basis::counted, .live = chunked_fp32},
    Operator{.id = "linear_jsd", .implementation = "eager", .citation = "liger_benchmarks", .basis = Basis::measured, .live = divergence_eager},
    Operator{.id = "linear_jsd", .implementation = "fused", .citation = "liger_benchmarks", .basis = Basis::measured, .live = divergence_chunked},
    Operator{.id = "linear_grpo", .implementation = "eager", .citation = "liger_benchmarks", .basis = Basis::measured, .live = group_policy_eager},
};

} // namespace

std::span<const Operator> linear_loss_operators() noexcept { return kOperators; }

} // namespace plimsoll
