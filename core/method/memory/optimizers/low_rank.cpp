// Adam on a projection of the gradient: GaLore (arXiv 2403.03507; jiaweizzhao/GaLore, galore_torch/galore_projector.py, "std") and
// APOLLO (arXiv 2412.05270; zhuhanqing/APOLLO, apollo_torch/random_projector.py). Both project the shorter side of hidden matrices.
#include "method/memory/optimizers/common.hpp"

namespace plimsoll::memory {

namespace {

constexpr SymbolText kLongSide{"long_side", "", "the larger of rows and columns of one matrix", ""};
constexpr SymbolText kShortSide{"short_side", "", "the smaller of rows and columns of one matrix", ""};

constexpr FormulaText projected_formula(Source source) noexcept {
  return {
      .id = "memory.optimizer.states",
      .label = "States kept between steps",
      .unit = "bytes",
      .text = "tensors * (2 * rank * long_side + basis * short_side) * bytes_per_state",
      .citation = source.citation,
      .basis = source.basis,
      .symbols = {{kTensors,
                   {"rank", "", "of the projection", "optimizer_rank"},
                   kLongSide,
                   {"basis", "", "vectors that the projector keeps: rank, or all that its decomposition gave", "optimizer_rank"},
                   kShortSide,
                   kStateBytes}}};
}

constexpr Formula kGalore{[] { return projected_formula({.citation = "galore"}); }};
constexpr Formula kApollo{[] { return projected_formula({.citation = "apollo"}); }};
constexpr Formula kGaloreAdam{[] { return elementwise_formula({.citation = "galore"}); }};
constexpr Formula kApolloAdam{[] { return elementwise_formula({.citation = "apollo"}); }};
constexpr Formula kGaloreAdamCopies{[] { return one_tensor_copies_formula({.citation = "galore"}); }};
constexpr Formula kApolloCopies{[] { return one_tensor_copies_formula({.citation = "apollo", .basis = Basis::assumed}); }};

// The singular value decomposition that renews the projection: fp32 input, U the size of the matrix, V the square of its short side.
constexpr Formula kDecomposition{[] { return FormulaText{
    .id = "memory.optimizer.step_copies",
    .label = "Copies made during the step",
    .unit = "bytes",
    .text = "(copies * long_side + short_side) * short_side * 4",
    .citation = "galore",
    .basis = Basis::assumed,
    .symbols = {{{"copies", "", "matrices of full size: the working copy, U, and of 16-bit gradients the fp32 cast", "precision"},
                 kLongSide,
                 kShortSide}}}; }};

} // namespace

Term low_rank_states(const SteppedTensor& tensor, Optimizer optimizer, Count rank) noexcept {
  const bool galore = optimizer == Optimizer::galore;
  if (!is_hidden_matrix(tensor)) return elementwise(galore ? kGaloreAdam : kApolloAdam, tensor, Count{2}, tensor.element);
  const Count tensors = tensors_of(tensor);
  const Count n = max(tensor.rows, tensor.columns), m = min(tensor.rows, tensor.columns);
  const Count r = min(rank, m);
  // Of fp32 gradients GaLore's projector is a view, Vh[:rank], which keeps the whole factor alive; a cast to 16 bits copies the rows.
  const Count basis = galore && !in_16_bits(tensor) ? m : r;
  const auto bytes = [&](Count vectors) { return tensors * ((Count{2} * r * n + vectors * m) * tensor.element); };
  const Term term = make_term(galore ? kGalore : kApollo, bytes(basis),
                              {tensors.value, r.value, n.value, basis.value, m.value, tensor.element.value});
  return between(term, bytes(r), term.bytes());
}

Term low_rank_step_copies(const SteppedTensor& tensor, Optimizer optimizer) noexcept {
  if (optimizer == Optimizer::apollo) // the scaled gradient, and what the scale or Adam's quotient is computed from
    return one_tensor_copies(kApolloCopies, tensor, {Count{1}, Count{2}, Count{4}}, tensor.element);
  // Adam there is written out: denom and norm_grad, of the former tensor as well.
  if (!is_hidden_matrix(tensor))
    return one_tensor_copies(kGaloreAdamCopies, tensor, {Count{2}, Count{2}, Count{4}}, tensor.element);
  const Count n = max(tensor.rows, tensor.columns), m = min(tensor.rows, tensor.columns);
  const Count copies{in_16_bits(tensor) ? 3 : 2};
  const Term term = make_term(kDecomposition, (copies * n + m) * (m * kFp32), {copies.value, n.value, m.value});
  return between(term, n * (m * kFp32), term.bytes() + term.bytes()); // the solver's workspace is not documented
}

} // namespace plimsoll::memory
