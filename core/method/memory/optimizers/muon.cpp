// Muon (KellerJordan/Muon, muon.py): hidden matrices keep one momentum, and their update is made orthogonal by a Newton-Schulz
// iteration in bf16. Embeddings, head and vectors are Adam's.
#include "method/memory/optimizers/common.hpp"

namespace plimsoll::memory {

namespace {

constexpr Formula kMuonStates{[] { return elementwise_formula({.citation = "muon"}); }};
constexpr Formula kMuonAdamCopies{[] { return one_tensor_copies_formula({.citation = "muon"}); }};

// In X = a X + B X, the old X, both summands and their sum exist at once, beside A = X Xᵀ and B.
constexpr Formula kNewtonSchulz{[] { return FormulaText{.id = "memory.optimizer.step_copies",
                                .label = "Copies made during the step",
                                .unit = "bytes",
                                .text = "2 * (4 * long_side * short_side + 2 * short_side * short_side)",
                                .citation = "muon",
                                .basis = Basis::published,
                                .symbols = {{{"long_side", "", "the larger of rows and columns of one matrix", ""},
                                             {"short_side", "", "the smaller of rows and columns of one matrix", ""}}}}; }};

} // namespace

Term muon_states(const SteppedTensor& tensor) noexcept {
  return elementwise(kMuonStates, tensor, Count{is_hidden_matrix(tensor) ? 1 : 2}, tensor.element);
}

Term muon_step_copies(const SteppedTensor& tensor) noexcept {
  // Adam there is written out, with four temporaries at its quotient; the fused Adam that many use instead has none.
  if (!is_hidden_matrix(tensor)) return one_tensor_copies(kMuonAdamCopies, tensor, {Count{0}, Count{4}, Count{5}}, tensor.element);
  const Count n = max(tensor.rows, tensor.columns), m = min(tensor.rows, tensor.columns);
  constexpr Bytes kBf16{2};
  const auto buffers = [&](Count x, Count gram) { return n * (m * (x * kBf16)) + m * (m * (gram * kBf16)); };
  const Term term = make_term(kNewtonSchulz, buffers(Count{4}, Count{2}), {n.value, m.value});
  // Low: torch.optim.Muon with addmm, where X and its successor exist. High: the former matrix's update besides.
  return between(term, buffers(Count{2}, Count{2}), buffers(Count{5}, Count{2}));
}

} // namespace plimsoll::memory
