// Attention as a module: three input projections, scores of every query and key, an output projection.
//
// Neighborhood attention of Liger-Kernel, src/liger_kernel/ops/fused_neighborhood_attention.py, keeps whole matrices of scores, in which
// only a band is not masked; its benchmark's eager form masks them with a matrix of booleans. Moment of the softmax's backward
// step; with few tokens a weight gradient comes out higher, which is not listed.
#include "evidence/operators/timeline.hpp"

namespace plimsoll {

namespace {

constexpr std::int64_t kBool = 1;
constexpr Count kProjections{4};

Count scores_of(const OperatorShape& shape) { return shape.tokens * (shape.sequence * shape.heads); }

/// The module and the tensors of one number per token and channel that both forms have.
void around(const OperatorShape& shape, Timeline& into) {
  const std::int64_t bytes = shape.element_bytes;
  const Count rows = shape.tokens * shape.hidden;
  into.workspaces(2); // the forward thread's and autograd's
  into.leaf("projections", kProjections * (shape.hidden * shape.hidden + shape.hidden), bytes);
  into.idle(bytes);
  into.leaf("input", rows, bytes);
  into.resident("output", rows, bytes);
  for (const std::string_view name : {"queries", "keys", "values", "attention's output"}) into.resident(name, rows, bytes);
  into.hold("output's gradient", rows, bytes, kBackward, kEnd);
  into.hold("attention output's gradient", rows, bytes, kBackward, kEnd);
}

void eager(const OperatorShape& shape, Timeline& into) {
  around(shape, into);
  into.resident("mask", shape.sequence * shape.sequence, kBool);
  into.resident("probabilities", scores_of(shape), shape.element_bytes);
  into.at(kBackward, "gradients of probabilities and scores, and the masked", Count{3} * scores_of(shape), shape.element_bytes);
}

/// The kernel takes contiguous tensors: beside the gradients of queries, keys and values there is one copy.
void fused(const OperatorShape& shape, Timeline& into) {
  around(shape, into);
  into.resident("probabilities", scores_of(shape), shape.element_bytes);
  into.at(kBackward, "gradients of probabilities and scores", Count{2} * scores_of(shape), shape.element_bytes);
  into.at(kBackward, "gradients of queries, keys, values, and a copy", Count{4} * (shape.tokens * shape.hidden), shape.element_bytes);
}

constexpr std::array kOperators{
    Operator{.id = "neighborhood_attention", .implementation = "eager", .citation = "liger_benchmarks", .basis = Basis::measured, .live = eager},
    Operator{.id = "neighborhood_attention", .implementation = "fused", .citation = "liger_benchmarks", .basis = Basis::measured, .live = fused},
};

} // namespace

std::span<const Operator> attention_operators() noexcept { return kOperators; }

} // namespace plimsoll
