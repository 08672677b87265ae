// Rotary position embedding of queries and keys.
//
// The tables cos and sin need no gradient, so eager code keeps nothing else: transformers, models/llama/modeling_llama.py,
// apply_rotary_pos_emb. Its rotated halves, products and their sums live inside the pass; how many at once is measured.
// Fused kernels write over what they are given: Liger-Kernel, src/liger_kernel/ops/rope.py, qwen2vl_mrope.py, llama4_rope.py.
#include "evidence/operators/timeline.hpp"

namespace plimsoll {

namespace {

constexpr std::int64_t kFp32 = 4, kInt64 = 8;

/// One workspace: the tables are a matrix product of the forward thread. Gradients are asked for by name, so leaves carry none.
void around(const OperatorShape& shape, Timeline& into) {
  const Count both = shape.tokens * (shape.query_width + shape.key_width);
  into.workspaces(1);
  into.resident("queries, keys", both, shape.element_bytes);
  into.resident("rotated queries, keys", both, shape.element_bytes);
}

void given_gradients(const OperatorShape& shape, Timeline& into) {
  into.resident("gradients of rotated queries, keys", shape.tokens * (shape.query_width + shape.key_width), shape.element_bytes);
}

void tables(const OperatorShape& shape, Timeline& into) {
  into.resident("cos, sin", Count{2} * (shape.tokens * shape.head), shape.element_bytes);
}

/// For time, height and width each.
void sectioned_tables(const OperatorShape& shape, Timeline& into) {
  into.resident("cos, sin of three axes", Count{6} * (shape.tokens * shape.head), shape.element_bytes);
}

/// Transient tensors at the worst step: so many queries' worth and keys' worth.
void transient(const OperatorShape& shape, Timeline& into, std::int64_t queries, std::int64_t keys) {
  into.at(kBackward, "transient, of the queries' size", Count{queries} * (shape.tokens * shape.query_width), shape.element_bytes);
  into.at(kBackward, "transient, of the keys' size", Count{keys} * (shape.tokens * shape.key_width), shape.element_bytes);
}

void eager(const OperatorShape& shape, Timeline& into) {
  around(shape, into);
  given_gradients(shape, into);
  tables(shape, into);
  transient(shape, into, 3, 2);
}

void eager_older(const OperatorShape& shape, Timeline& into) {
  around(shape, into);
  given_gradients(shape, into);
  tables(shape, into);
  transient(shape, into, 3, 1);
}

void fused(const OperatorShape& shape, Timeline& into) {
  around(shape, into);
  given_gradients(shape, into);
  tables(shape, into);
  into.resident("positions", shape.tokens, kInt64);
}

void fused_copying_keys(const OperatorShape& shape, Timeline& into) {
  fused(shape, into);
  transient(shape, into, 0, 1);
}

/// The rotated take the place of what they are made from.
void in_place(const OperatorShape& shape, Timeline& into) {
  into.workspaces(1);
  into.resident("queries, keys", shape.tokens * (shape.query_width + shape.key_width), shape.element_bytes);
  given_gradients(shape, into);
  into.resident("positions", shape.tokens, kInt64);
}

void fused_in_place(const OperatorShape& shape, Timeline& into) {
  in_place(shape, into);
  tables(shape, into);
}

void sectioned_in_place(const OperatorShape& shape, Timeline& into) {
  in_place(shape, into);
  sectioned_tables(shape, into);
}

void sectioned_eager(const OperatorShape& shape, Timeline& into) {
  around(shape, into);
  given_gradients(shape, into);
  sectioned_tables(shape, into);
  into.resident("cos, sin of the sections", Count{2} * (shape.tokens * shape.head), shape.element_bytes);
  transient(shape, into, 3, 2);
}

void sectioned_fused(const OperatorShape& shape, Timeline& into) {
  around(shape, into);
  given_gradients(shape, into);
  sectioned_tables(shape, into);
  transient(shape, into, 0, 1);
}

/// One complex fp32 number for each pair of a head: 4 bytes for each of the head's numbers.
void complex_table(const OperatorShape& shape, Timeline& into) { into.resident("rotations", shape.tokens * shape.head, kFp32); }

/// Complex arithmetic in fp32: transient bytes per number of the queries and of the keys, measured.
void complex_eager(const OperatorShape& shape, Timeline& into) {
  around(shape, into);
  given_gradients(shape, into);
  complex_table(shape, into);
  transient(shape, into, 4, 3);
}

/// The table split into real and imaginary parts.
void complex_fused(const OperatorShape& shape, Timeline& into) {
  around(shape, into);
  given_gradients(shape, into);
  complex_table(shape, into);
  into.resident("real and imaginary parts", shape.tokens * shape.head, kFp32);
}

void complex_eager_older(const OperatorShape& shape, Timeline& into) {
  complex_eager(shape, into);
  transient(shape, into, 0, 1);
  into.resident("positions", shape.tokens, kInt64);
}

/// In place; the split table is cast after it is made.
void complex_fused_in_place(const OperatorShape& shape, Timeline& into) {
  in_place(shape, into);
  complex_table(shape, into);
  const Count pairs = ceil_div(shape.tokens * shape.head, Count{2});
  into.resident("one part and its cast", pairs, kFp32 + shape.element_bytes);
}

constexpr std::array kOperators{
    Operator{.id = "rope", .implementation = "eager", .citation = "liger_benchmarks", .basis = Basis::measured, .live = eager},
    Operator{.id = "rope", .implementation = "eager_older", .citation = "liger_benchmarks", .basis = Basis::measured, .live = eager_older},
    Operator{.id = "rope", .implementation = "fused", .citation = "liger_ops", .basis = Basis::counted, .live = fused},
    Operator{.id = "rope", .implementation = "fused_copying_keys", .citation = "liger_benchmarks", .basis = Basis::measured, .live = fused_copying_keys},
    Operator{.id = "rope", .implementation = "fused_in_place", .citation = "liger_ops", .basis = Basis::counted, .live = fused_in_place},
    Operator{.id = "sectioned_rope", .implementation = "fused_in_place", .citation = "liger_ops", .basis = Basis::counted, .live = sectioned_in_place},
    Operator{.id = "sectioned_rope", .implementation = "eager", .citation = "liger_benchmarks", .basis = Basis::measured, .live = sectioned_eager},
    Operator{.id = "sectioned_rope", .implementation = "fused", .citation = "liger_benchmarks", .basis = Basis::measured, .live = sectioned_fused},
    Operator{.id = "complex_rope", .implementation = "eager", .citation = "liger_benchmarks", .basis = Basis::measured, .live = complex_eager},
    Operator{.id = "complex_rope", .implementation = "eager_older", .citation = "liger_benchmarks", .basis = Basis::measured, .live = complex_eager_older},
    Operator{.id = "complex_rope", .implementation = "fused", .citation = "liger_ops", .basis = Basis::counted, .live = complex_fused},
    Operator{.id = "complex_rope", .implementation = "fused_in_place", .citation = "liger_benchmarks", .basis = Basis::measured, .live = complex_fused_in_place},
};

} // namespace

std::span<const Operator> rope_operators() noexcept { return kOperators; }

} // namespace plimsoll
