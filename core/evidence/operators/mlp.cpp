// Gated MLPs: y = down(act(gate(x)) · up(x)), whole or in shards of the tokens.
//
// What the multiplication and the activation keep: PyTorch, tools/autograd/derivatives.yaml (mul, silu, gelu, mm). Fused SiLU-mul
// and GELU-mul keep gate and up and write their gradients into them: Liger-Kernel, src/liger_kernel/ops/swiglu.py and geglu.py.
// In shards: DeepSpeed, deepspeed/runtime/sequence_parallel/ulysses_sp.py, TiledMLP, and Liger-Kernel, ops/tiled_mlp.py: the
// backward pass runs each shard forward again. Moments of the backward pass: 2 the multiplication of gate and up, 3 the down
// projection, 4 the up projection, 5 the gate projection, where the input's second gradient arrives: both and their sum exist.
#include "evidence/operators/timeline.hpp"

namespace plimsoll {

namespace {

constexpr int kMultiply = kBackward, kDown = kBackward + 1, kUp = kBackward + 2, kGate = kBackward + 3;
constexpr Count kInputGradients{3}; // from the up projection, from the gate projection, and their sum

struct Sizes {
  Count weight, inner, outer;
  explicit Sizes(const OperatorShape& shape)
      : weight(shape.hidden * shape.intermediate), inner(shape.tokens * shape.intermediate), outer(shape.tokens * shape.hidden) {}
};

void parameters_and_input(const OperatorShape& shape, Timeline& into) {
  const Sizes sizes{shape};
  into.workspaces(2); // the forward thread's and autograd's
  for (const std::string_view name : {"gate_proj", "up_proj", "down_proj"}) into.leaf(name, sizes.weight, shape.element_bytes);
  into.leaf("input", sizes.outer, shape.element_bytes);
  into.hold("output's gradient", sizes.outer, shape.element_bytes, kBackward, kEnd);
}

void eager(const OperatorShape& shape, Timeline& into) {
  const Sizes sizes{shape};
  const std::int64_t bytes = shape.element_bytes;
  parameters_and_input(shape, into);
  into.resident("output", sizes.outer, bytes);
  into.resident("gate, activation, up, product", Count{4} * sizes.inner, bytes);
  into.at(kMultiply, "gradients of product, activation, up", Count{3} * sizes.inner, bytes);
  into.at(kDown, "gradient of product", sizes.inner, bytes);
  into.hold("weight gradient", sizes.weight, bytes, kDown, kGate);
  into.at(kUp, "gradients of activation, up", Count{2} * sizes.inner, bytes);
  into.at(kUp, "input's gradient", sizes.outer, bytes);
  into.at(kGate, "gradient of gate", sizes.inner, bytes);
  into.at(kGate, "input's gradients and their sum", kInputGradients * sizes.outer, bytes);
}

void fused(const OperatorShape& shape, Timeline& into) {
  const Sizes sizes{shape};
  const std::int64_t bytes = shape.element_bytes;
  parameters_and_input(shape, into);
  into.resident("output", sizes.outer, bytes);
  into.resident("gate, up, product", Count{3} * sizes.inner, bytes);
  into.at(kDown, "gradient of product", sizes.inner, bytes);
  into.hold("weight gradient", sizes.weight, bytes, kDown, kGate);
  into.at(kUp, "input's gradient", sizes.outer, bytes);
  into.at(kGate, "input's gradients and their sum", kInputGradients * sizes.outer, bytes);
}

/// Both tiled ones: the shards' outputs are joined at the end, so that they and the output exist together.
void in_shards(const OperatorShape& shape, Timeline& into) {
  const Sizes sizes{shape};
  parameters_and_input(shape, into);
  into.at(kForwardEnd, "outputs of the shards", sizes.outer, shape.element_bytes);
  into.hold("output", sizes.outer, shape.element_bytes, kForwardEnd, kEnd);
  into.hold("input's gradient", sizes.outer, shape.element_bytes, kBackward, kEnd);
  into.hold("output of the shard", ceil_div(sizes.outer, shape.shards), shape.element_bytes, kBackward, kEnd);
  into.hold("weight gradient", sizes.weight, shape.element_bytes, kDown, kGate);
}

void tiled_eager(const OperatorShape& shape, Timeline& into) {
  const Sizes sizes{shape};
  const std::int64_t bytes = shape.element_bytes;
  const Count inner = ceil_div(sizes.inner, shape.shards), outer = ceil_div(sizes.outer, shape.shards);
  in_shards(shape, into);
  into.at(kForward, "outputs of the shards before", (shape.shards - Count{1}) * outer, bytes);
  into.at(kForward, "activation, up, product of the shard", Count{3} * inner, bytes);
  // Nothing is kept beyond its use inside a shard: the product goes with the down projection's backward step.
  into.at(kMultiply, "gate, activation, up and gradients of product, activation, up", Count{6} * inner, bytes);
  into.at(kDown, "gate, activation, up, product and gradient of product", Count{5} * inner, bytes);
  into.at(kUp, "gate and gradients of activation, up", Count{3} * inner, bytes);
  into.at(kUp, "gradient of the shard's input", outer, bytes);
  into.at(kGate, "gradient of gate", inner, bytes);
  into.at(kGate, "gradients of the shard's input and their sum", kInputGradients * outer, bytes);
}

void tiled_fused(const OperatorShape& shape, Timeline& into) {
  const Sizes sizes{shape};
  const std::int64_t bytes = shape.element_bytes;
  const Count inner = ceil_div(sizes.inner, shape.shards), outer = ceil_div(sizes.outer, shape.shards);
  in_shards(shape, into);
  into.at(kForward, "outputs of the shards", sizes.outer, bytes);
  into.at(kForward, "gate, up, product of the shard", Count{3} * inner, bytes);
  into.at(kDown, "gate, up, product and gradient of product", Count{4} * inner, bytes);
  into.hold("gate, up", Count{2} * inner, bytes, kUp, kGate);
  into.at(kGate, "gradients of the shard's input and their sum", kInputGradients * outer, bytes);
}

/// The activation and product alone, on one tensor that holds gate and up side by side. The gradient that a sum sends back is a
/// view of one number, which a TorchScript kernel reads as it is and a fused kernel in CUDA makes contiguous.
void activation_eager(const OperatorShape& shape, Timeline& into) {
  const Count inner = Sizes{shape}.inner;
  const std::int64_t bytes = shape.element_bytes;
  into.leaf("gate and up", Count{2} * inner, bytes);
  into.resident("activation, product", Count{2} * inner, bytes);
  into.at(kBackward, "gradients of activation, up", Count{2} * inner, bytes);
  into.at(kBackward + 1, "gradients of gate, up, and both joined", Count{4} * inner, bytes);
}

void activation_jit(const OperatorShape& shape, Timeline& into) {
  const Count inner = Sizes{shape}.inner;
  into.leaf("gate and up", Count{2} * inner, shape.element_bytes);
  into.resident("product", inner, shape.element_bytes);
  into.at(kBackward, "gradient of gate and up", Count{2} * inner, shape.element_bytes);
}

void activation_in_place(const OperatorShape& shape, Timeline& into) {
  const Count inner = Sizes{shape}.inner;
  into.leaf("gate and up", Count{2} * inner, shape.element_bytes);
  into.resident("product", inner, shape.element_bytes);
  into.hold("product's gradient", inner, shape.element_bytes, kBackward, kEnd);
}

void activation_fused(const OperatorShape& shape, Timeline& into) {
  activation_in_place(shape, into);
  into.at(kBackward, "gradient of gate and up", Count{2} * Sizes{shape}.inner, shape.element_bytes);
}

constexpr std::array kOperators{
    Operator{.id = "gated_mlp", .implementation = "eager", .citation = "pytorch_derivatives", .basis = Basis::counted, .live = eager},
    Operator{.id = "gated_mlp", .implementation = "fused", .citation = "liger_ops", .basis = Basis::counted, .live = fused},
    Operator{.id = "gated_mlp", .implementation = "tiled_eager", .citation = "deepspeed_tiled_mlp", .basis = Basis::counted, .live = tiled_eager},
    Operator{.id = "gated_mlp", .implementation = "tiled_fused", .citation = "liger_ops", .basis = Basis::counted, .live = tiled_fused},
    Operator{.id = "gated_activation", .implementation = "eager", .citation = "pytorch_derivatives", .basis = Basis::counted, .live = activation_eager},
    Operator{.id = "gated_activation", .implementation = "jit", .citation = "megatron_bias_swiglu", .basis = Basis::counted, .live = activation_jit},
    Operator{.id = "gated_activation", .implementation = "fused", .citation = "liger_ops", .basis = Basis::counted, .live = activation_fused},
    Operator{.id = "gated_activation", .implementation = "fused_in_place", .citation = "liger_ops", .basis = Basis::counted, .live = activation_in_place},
};

} // namespace

std::span<const Operator> mlp_operators() noexcept { return kOperators; }

} // namespace plimsoll
