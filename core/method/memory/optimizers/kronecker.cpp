// One square matrix for each side of a parameter matrix. Shampoo (arXiv 1802.09568) as facebookresearch/optimizers,
// distributed_shampoo, runs it: in blocks, for the square of a vocabulary fits nowhere. SOAP (arXiv 2409.11321; nikhilvyas/SOAP,
// soap.py): Adam in the eigenbases of such matrices.
#include "method/memory/optimizers/common.hpp"

namespace plimsoll::memory {

namespace {

constexpr Count kWidestBlock{1024}; // max_preconditioner_dim of DistributedShampoo: rows or columns
constexpr Count kWidestSide{10'000}; // max_precond_dim of SOAP: a longer side has no matrix

// Factor matrices and their inverse roots in fp32, and the averaged gradient in the weight's dtype.
constexpr Formula kShampoo{[] { return FormulaText{
    .id = "memory.optimizer.states",
    .label = "States kept between steps",
    .unit = "bytes",
    .text = "tensors * 2 * (row_squares * column_blocks + column_squares * row_blocks) * 4 + elements * bytes_per_state",
    .citation = "shampoo",
    .basis = Basis::published,
    .symbols = {{kTensors,
                 {"row_squares", "", "squared rows of all blocks along the rows", ""},
                 {"column_blocks", "", "blocks along the columns", ""},
                 {"column_squares", "", "squared columns of all blocks along the columns; none for a vector", ""},
                 {"row_blocks", "", "blocks along the rows", ""},
                 kElements,
                 kStateBytes}}}; }};

constexpr Formula kSoap{[] { return FormulaText{.id = "memory.optimizer.states",
                        .label = "States kept between steps",
                        .unit = "bytes",
                        .text = "(2 * elements + tensors * 2 * (row_side * row_side + column_side * column_side)) * 4",
                        .citation = "soap",
                        .basis = Basis::published,
                        .symbols = {{kElements,
                                     kTensors,
                                     {"row_side", "", "rows of one matrix; none where they are too many, or for a vector", ""},
                                     {"column_side", "", "columns of one matrix; likewise", ""}}}}; }};

constexpr Formula kShampooLists{[] { return list_copies_formula({.citation = "shampoo", .basis = Basis::assumed}); }};
constexpr Formula kShampooCopies{[] { return one_tensor_copies_formula({.citation = "shampoo", .basis = Basis::assumed}); }};

constexpr Formula kSoapCopies{[] { return FormulaText{
    .id = "memory.optimizer.step_copies",
    .label = "Copies made during the step",
    .unit = "bytes",
    .text = "(ceil_div(elements, tensors) * copies + bases * side * side) * 4",
    .citation = "soap",
    .basis = Basis::assumed,
    .symbols = {{kElements,
                 kTensors,
                 {"copies", "", "projections of one matrix that exist at once", "optimizer"},
                 {"bases", "", "matrices of the larger side while its eigenbasis is renewed", "optimizer"},
                 {"side", "", "the larger side that has an eigenbasis", ""}}}}; }};

/// The squares of the blocks that cover `side`, summed.
Count squares_of_blocks(Count side) noexcept {
  const Count whole{side.value / kWidestBlock.value}, rest{side.value % kWidestBlock.value};
  return whole * (kWidestBlock * kWidestBlock) + rest * rest;
}

Count basis_of(const SteppedTensor& tensor, Count side) noexcept {
  return has_two_dimensions(tensor) && side <= kWidestSide ? side : Count{0};
}

} // namespace

Term shampoo_states(const SteppedTensor& tensor) noexcept {
  const Count tensors = tensors_of(tensor);
  const Count row_blocks = ceil_div(tensor.rows, kWidestBlock), column_blocks = ceil_div(tensor.columns, kWidestBlock);
  const Count row_squares = squares_of_blocks(tensor.rows);
  const Count column_squares = has_two_dimensions(tensor) ? squares_of_blocks(tensor.columns) : Count{0};
  const Bytes factors = tensors * ((row_squares * column_blocks + column_squares * row_blocks) * kFp32);
  const Bytes averaged = tensor.elements * tensor.element;
  const Term term = make_term(kShampoo, factors + factors + averaged,
                              {tensors.value, row_squares.value, column_blocks.value, column_squares.value, row_blocks.value,
                               tensor.elements.value, tensor.element.value});
  // Low: the paper's two matrices alone. High: grafting keeps a second moment besides.
  return between(term, factors, term.bytes() + tensor.elements * kFp32);
}

Term shampoo_step_copies(const SteppedTensor& tensor, bool in_backward) noexcept {
  constexpr Copies kLists{Count{1}, Count{2}, Count{3}}; // averaged and preconditioned gradients
  return in_backward ? one_tensor_copies(kShampooCopies, tensor, kLists, kFp32)
                     : list_copies(kShampooLists, tensor, kLists, kFp32);
}

Term soap_states(const SteppedTensor& tensor) noexcept {
  const Count tensors = tensors_of(tensor);
  const Count m = basis_of(tensor, tensor.rows), n = basis_of(tensor, tensor.columns);
  const Bytes bases = tensors * (Count{2} * ((m * m + n * n) * kFp32));
  const Term term =
      make_term(kSoap, tensor.elements * (Count{2} * kFp32) + bases, {tensor.elements.value, tensors.value, m.value, n.value});
  // Low: versions that keep both moments in the gradient's dtype.
  return between(term, tensor.elements * (Count{2} * tensor.element) + bases, term.bytes());
}

Term soap_step_copies(const SteppedTensor& tensor) noexcept {
  const Count side = max(basis_of(tensor, tensor.rows), basis_of(tensor, tensor.columns));
  const Count one = elements_of_one(tensor);
  constexpr Count kCopies{3}, kBases{4}; // bases: the product to decompose, its sorted copy, and both factors of QR
  const Term term = make_term(kSoapCopies, (one * kCopies + kBases * (side * side)) * kFp32,
                              {tensor.elements.value, tensors_of(tensor).value, kCopies.value, kBases.value, side.value});
  return between(term, one * (Count{2} * kFp32), term.bytes() + one * (Count{2} * kFp32));
}

} // namespace plimsoll::memory
