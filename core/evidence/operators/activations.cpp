// Elementwise operators and softmax over rows of `hidden` numbers.
//
// Kept: PyTorch, tools/autograd/derivatives.yaml (relu and softmax keep their output, pow its input). The derivative of a square,
// grad · (2 · x^1), makes three tensors before any of them goes: torch/csrc/autograd/FunctionsManual.cpp, pow_backward.
// Fused: Liger-Kernel, src/liger_kernel/ops/relu_squared.py and softmax.py.
#include "evidence/operators/timeline.hpp"

namespace plimsoll {

namespace {

Count elements_of(const OperatorShape& shape) { return shape.tokens * shape.hidden; }

void outside(const OperatorShape& shape, Timeline& into) {
  into.leaf("input", elements_of(shape), shape.element_bytes);
  into.resident("output", elements_of(shape), shape.element_bytes);
  into.hold("output's gradient", elements_of(shape), shape.element_bytes, kBackward, kEnd);
}

void relu_squared_eager(const OperatorShape& shape, Timeline& into) {
  outside(shape, into);
  into.resident("rectified", elements_of(shape), shape.element_bytes);
  for (const std::string_view name : {"x^1", "2 x^1", "gradient of rectified"})
    into.at(kBackward, name, elements_of(shape), shape.element_bytes);
}

void one_gradient(const OperatorShape& shape, Timeline& into) {
  outside(shape, into);
  into.at(kBackward, "input's gradient", elements_of(shape), shape.element_bytes);
}

/// Its benchmark keeps a second gradient of the output from the set-up.
void softmax_eager(const OperatorShape& shape, Timeline& into) {
  one_gradient(shape, into);
  into.idle(shape.element_bytes);
}

/// The input's gradient takes the place of the output's.
void softmax_in_place(const OperatorShape& shape, Timeline& into) {
  outside(shape, into);
  into.idle(shape.element_bytes);
}

constexpr std::array kOperators{
    Operator{.id = "relu_squared", .implementation = "eager", .citation = "pytorch_derivatives", .basis = Basis::counted, .live = relu_squared_eager},
    Operator{.id = "relu_squared", .implementation = "fused", .citation = "liger_ops", .basis = Basis::counted, .live = one_gradient},
    Operator{.id = "softmax", .implementation = "eager", .citation = "pytorch_derivatives", .basis = Basis::counted, .live = softmax_eager},
    Operator{.id = "softmax", .implementation = "fused", .citation = "liger_ops", .basis = Basis::counted, .live = softmax_in_place},
};

} // namespace

std::span<const Operator> activation_operators() noexcept { return kOperators; }

} // namespace plimsoll
