// Norms over the last dimension.
//
// What the operators keep: PyTorch, tools/autograd/derivatives.yaml (native_layer_norm, _fused_rms_norm: the input and one or two
// fp32 numbers per row). Fused ones: Liger-Kernel, src/liger_kernel/ops/layer_norm.py, rms_norm.py, fused_add_rms_norm.py: weight
// gradients are summed from one fp32 row for each multiprocessor. Eager RMSNorm: transformers,
// models/llama/modeling_llama.py, LlamaRMSNorm: the input in fp32 and the normalised numbers in 16 bits stay.
#include "evidence/operators/timeline.hpp"

namespace plimsoll {

namespace {

constexpr std::int64_t kFp32 = 4;

Count elements_of(const OperatorShape& shape) { return shape.tokens * shape.hidden; }

/// Input, output, output's gradient, and so many parameter vectors.
void outside(const OperatorShape& shape, Timeline& into, std::int64_t vectors) {
  const std::int64_t bytes = shape.element_bytes;
  into.leaf("input", elements_of(shape), bytes);
  for (std::int64_t i = 0; i < vectors; ++i) into.leaf(i == 0 ? "weight" : "bias", shape.hidden, bytes);
  into.idle(bytes);
  into.resident("output", elements_of(shape), bytes);
  into.hold("output's gradient", elements_of(shape), bytes, kBackward, kEnd);
}

void vector_gradients_of(Count width, const OperatorShape& shape, Timeline& into, std::int64_t vectors) {
  for (std::int64_t i = 0; i < vectors; ++i) into.at(kBackward, "gradient of a parameter", width, shape.element_bytes);
}

void vector_gradients(const OperatorShape& shape, Timeline& into, std::int64_t vectors) {
  vector_gradients_of(shape.hidden, shape, into, vectors);
}

/// Weight gradients from one fp32 row per multiprocessor; where parameters are narrower, the fp32 sum exists too.
void partial_sums(const OperatorShape& shape, Timeline& into, std::int64_t vectors) {
  for (std::int64_t i = 0; i < vectors; ++i)
    into.at(kBackward, "partial weight gradients", shape.multiprocessors * shape.hidden, kFp32);
  if (shape.element_bytes != kFp32) into.at(kBackward, "summed weight gradient", shape.hidden, kFp32);
  vector_gradients(shape, into, vectors);
}

void layer_norm(const OperatorShape& shape, Timeline& into) {
  outside(shape, into, 2);
  into.resident("means", shape.tokens, kFp32);
  into.resident("reciprocal deviations", shape.tokens, kFp32);
  into.at(kBackward, "input's gradient", elements_of(shape), shape.element_bytes);
  vector_gradients(shape, into, 2);
}

void layer_norm_partial(const OperatorShape& shape, Timeline& into) {
  outside(shape, into, 2);
  into.resident("means", shape.tokens, shape.element_bytes);
  into.resident("reciprocal deviations", shape.tokens, shape.element_bytes);
  into.at(kBackward, "input's gradient", elements_of(shape), shape.element_bytes);
  partial_sums(shape, into, 2);
}

/// Transient bytes per element of the eager backward pass with 16-bit inputs: measured as a whole (Liger-Kernel,
/// benchmark/data/all_benchmark_data.csv, rms_norm "huggingface": 40 bytes per element, of which 8 input and output with their
/// gradients and 6 kept).
constexpr std::int64_t kEagerTransient = 26;

void rms_norm_eager(const OperatorShape& shape, Timeline& into) {
  outside(shape, into, 1);
  into.resident("input in fp32", elements_of(shape), kFp32);
  into.resident("normalised", elements_of(shape), shape.element_bytes);
  into.resident("reciprocal root mean squares", shape.tokens, kFp32);
  into.at(kBackward, "gradients in fp32 and the square's chain", elements_of(shape), kEagerTransient);
  vector_gradients(shape, into, 1);
}

void rms_norm(const OperatorShape& shape, Timeline& into) {
  outside(shape, into, 1);
  into.resident("reciprocal root mean squares", shape.tokens, kFp32);
  into.at(kBackward, "input's gradient", elements_of(shape), shape.element_bytes);
  vector_gradients(shape, into, 1);
}

void rms_norm_partial(const OperatorShape& shape, Timeline& into) {
  outside(shape, into, 1);
  into.resident("reciprocal root mean squares", shape.tokens, kFp32);
  into.at(kBackward, "input's gradient", elements_of(shape), shape.element_bytes);
  partial_sums(shape, into, 1);
}

/// The input's gradient takes the place of the output's.
void rms_norm_in_place(const OperatorShape& shape, Timeline& into) {
  outside(shape, into, 1);
  into.resident("reciprocal root mean squares", shape.tokens, kFp32);
  partial_sums(shape, into, 1);
}

/// As above, with the weight's gradient first made for every row.
void rms_norm_weight_gradient_of_rows(const OperatorShape& shape, Timeline& into) {
  outside(shape, into, 1);
  into.resident("reciprocal root mean squares", shape.tokens, kFp32);
  into.at(kBackward, "weight gradient of each row", elements_of(shape), shape.element_bytes);
  vector_gradients(shape, into, 1);
}

/// s = x + r, y = norm(s): one gradient serves both inputs.
void add_rms_norm(const OperatorShape& shape, Timeline& into) {
  outside(shape, into, 1);
  into.leaf("residual", elements_of(shape), shape.element_bytes);
  into.resident("sum", elements_of(shape), shape.element_bytes);
  into.resident("reciprocal root mean squares", shape.tokens, kFp32);
  into.at(kBackward, "sum's gradient", elements_of(shape), shape.element_bytes);
  into.at(kBackward, "gradient of both inputs", elements_of(shape), shape.element_bytes);
  partial_sums(shape, into, 1);
}

void around_groups_but_statistics(const OperatorShape& shape, Timeline& into) {
  into.leaf("input", elements_of(shape), shape.element_bytes);
  into.resident("output", elements_of(shape), shape.element_bytes);
  into.hold("output's gradient", elements_of(shape), shape.element_bytes, kBackward, kEnd);
  into.at(kBackward, "input's gradient", elements_of(shape), shape.element_bytes);
  into.leaf("weight, bias", Count{2} * shape.channels, shape.element_bytes);
  into.idle(shape.element_bytes);
  vector_gradients_of(shape.channels, shape, into, 2);
}

void around_groups(const OperatorShape& shape, Timeline& into) {
  around_groups_but_statistics(shape, into);
  into.resident("means, reciprocal deviations", Count{2} * (shape.tokens * shape.groups), shape.element_bytes);
}

/// Statistics in fp32, weight gradients of each sample first.
void group_norm_by_sample(const OperatorShape& shape, Timeline& into) {
  around_groups_but_statistics(shape, into);
  into.resident("means, reciprocal deviations", Count{2} * (shape.tokens * shape.groups), kFp32);
  into.at(kBackward, "gradients of weight and bias of each sample", Count{2} * (shape.tokens * shape.channels), shape.element_bytes);
}

/// Samples of `channels` in `groups`. PyTorch, aten/src/ATen/native/cuda/group_norm_kernel.cu: two sums and one factor for each
/// channel of each sample, two factors for each group.
void group_norm(const OperatorShape& shape, Timeline& into) {
  around_groups(shape, into);
  into.at(kBackward, "sums and factors of channels", Count{3} * (shape.tokens * shape.channels), kFp32);
  into.at(kBackward, "factors of groups", Count{2} * (shape.tokens * shape.groups), kFp32);
}

/// The same through an fp32 sum and a norm kernel that leaves its input alone: sum and normalised numbers stay; the gradients of
/// the norm's output and input, of the sum, and of both together meet in fp32.
void add_then_rms_norm(const OperatorShape& shape, Timeline& into) {
  outside(shape, into, 1);
  into.leaf("residual", elements_of(shape), shape.element_bytes);
  into.resident("sum", elements_of(shape), shape.element_bytes);
  into.resident("sum in fp32", elements_of(shape), kFp32);
  into.resident("normalised", elements_of(shape), shape.element_bytes);
  into.resident("reciprocal root mean squares", shape.tokens, kFp32);
  into.hold("sum's gradient", elements_of(shape), shape.element_bytes, kBackward, kEnd);
  into.at(kBackward, "gradients in fp32", Count{4} * elements_of(shape), kFp32);
}

/// The sum in fp32, then eager RMSNorm: what that has alive at once, beside a second input and output with their gradients. The
/// sum's own gradient in fp32 waits where the norm's would come first, so that it adds nothing.
void add_rms_norm_eager(const OperatorShape& shape, Timeline& into) {
  rms_norm_eager(shape, into);
  into.leaf("residual", elements_of(shape), shape.element_bytes);
  into.resident("sum", elements_of(shape), shape.element_bytes);
  into.hold("sum's gradient", elements_of(shape), shape.element_bytes, kBackward, kEnd);
}

/// Three powers of the normalised row with three weights and a bias: Liger-Kernel, ops/poly_norm.py, three fp32 numbers per row.
constexpr Count kPowers{3};

void poly_norm_in_place(const OperatorShape& shape, Timeline& into) {
  outside(shape, into, 0);
  into.resident("reciprocal root mean squares", kPowers * shape.tokens, kFp32);
}

void poly_norm(const OperatorShape& shape, Timeline& into) {
  poly_norm_in_place(shape, into);
  into.at(kBackward, "input's gradient", elements_of(shape), shape.element_bytes);
}

/// Bytes per number of all that eager code has alive at once beside input and output with their gradients, 16-bit inputs: measured.
constexpr std::int64_t kEagerPolyNorm = 56, kEagerDynamicTanh = 24, kCompiledDynamicTanh = 6;

void poly_norm_eager(const OperatorShape& shape, Timeline& into) {
  outside(shape, into, 0);
  into.at(kBackward, "powers, norms and their gradients", elements_of(shape), kEagerPolyNorm);
}

void dynamic_tanh_eager(const OperatorShape& shape, Timeline& into) {
  outside(shape, into, 1);
  into.at(kBackward, "tanh's chain and its gradients", elements_of(shape), kEagerDynamicTanh);
}

void dynamic_tanh_compiled(const OperatorShape& shape, Timeline& into) {
  outside(shape, into, 1);
  into.at(kBackward, "tanh's chain and its gradients", elements_of(shape), kCompiledDynamicTanh);
}

/// tanh(a · x): the kernels of Liger-Kernel, ops/dyt.py, keep the input alone; weight gradients as above.
void dynamic_tanh_partial(const OperatorShape& shape, Timeline& into) {
  outside(shape, into, 1);
  into.at(kBackward, "input's gradient", elements_of(shape), shape.element_bytes);
  partial_sums(shape, into, 1);
}

constexpr std::array kOperators{
    Operator{.id = "layer_norm", .implementation = "eager", .citation = "pytorch_derivatives", .basis = Basis::counted, .live = layer_norm},
    Operator{.id = "layer_norm", .implementation = "fused_atomic", .citation = "liger_ops", .basis = Basis::counted, .live = layer_norm},
    Operator{.id = "layer_norm", .implementation = "fused", .citation = "liger_ops", .basis = Basis::counted, .live = layer_norm_partial},
    Operator{.id = "rms_norm", .implementation = "eager", .citation = "liger_benchmarks", .basis = Basis::measured, .live = rms_norm_eager},
    Operator{.id = "rms_norm", .implementation = "fused_framework", .citation = "pytorch_derivatives", .basis = Basis::counted, .live = rms_norm},
    Operator{.id = "rms_norm", .implementation = "fused", .citation = "liger_ops", .basis = Basis::counted, .live = rms_norm_in_place},
    Operator{.id = "rms_norm", .implementation = "fused_out_of_place", .citation = "liger_ops", .basis = Basis::counted, .live = rms_norm_partial},
    Operator{.id = "fused_add_rms_norm", .implementation = "fused", .citation = "liger_ops", .basis = Basis::counted, .live = add_rms_norm},
    Operator{.id = "rms_norm", .implementation = "fused_weight_gradient_of_rows", .citation = "liger_ops", .basis = Basis::counted, .live = rms_norm_weight_gradient_of_rows},
    Operator{.id = "fused_add_rms_norm", .implementation = "eager", .citation = "liger_benchmarks", .basis = Basis::assumed, .live = add_rms_norm_eager},
    Operator{.id = "fused_add_rms_norm", .implementation = "fused_norm", .citation = "liger_benchmarks", .basis = Basis::measured, .live = add_then_rms_norm},
    Operator{.id = "poly_norm", .implementation = "eager", .citation = "liger_benchmarks", .basis = Basis::measured, .live = poly_norm_eager},
    Operator{.id = "poly_norm", .implementation = "fused", .citation = "liger_ops", .basis = Basis::counted, .live = poly_norm},
    Operator{.id = "poly_norm", .implementation = "fused_in_place", .citation = "liger_ops", .basis = Basis::counted, .live = poly_norm_in_place},
    Operator{.id = "dyt", .implementation = "eager", .citation = "liger_benchmarks", .basis = Basis::measured, .live = dynamic_tanh_eager},
    Operator{.id = "dyt", .implementation = "compiled", .citation = "liger_benchmarks", .basis = Basis::measured, .live = dynamic_tanh_compiled},
    Operator{.id = "group_norm", .implementation = "eager", .citation = "pytorch_derivatives", .basis = Basis::counted, .live = group_norm},
    Operator{.id = "group_norm", .implementation = "fused", .citation = "liger_ops", .basis = Basis::counted, .live = around_groups},
    Operator{.id = "group_norm", .implementation = "fused_by_sample", .citation = "liger_benchmarks", .basis = Basis::measured, .live = group_norm_by_sample},
    Operator{.id = "dyt", .implementation = "fused", .citation = "liger_ops", .basis = Basis::counted, .live = dynamic_tanh_partial},
};

} // namespace

std::span<const Operator> norm_operators() noexcept { return kOperators; }

} // namespace plimsoll
