#pragma once
// What the formulas of optimizers share: the shapes of formulas that several of them fill with their own source, and the questions
// they ask of a tensor.

#include "method/memory/optimizers.hpp"
#include "method/term.hpp"

namespace plimsoll::memory {

inline constexpr SymbolText kElements{"elements", "parameters", "that this GPU steps", ""};
inline constexpr SymbolText kTensors{"tensors", "tensors", "of this shape: layers × copies", ""};
inline constexpr SymbolText kRows{"rows", "rows", "of one tensor on this GPU", ""};
inline constexpr SymbolText kColumns{"columns", "columns", "of one tensor on this GPU", ""};
inline constexpr SymbolText kStateBytes{"bytes_per_state", "bytes", "size of one state", "precision"};
inline constexpr Bytes kFp32{4};

/// Where a formula was read.
struct Source {
  std::string_view citation;
  Basis basis = Basis::published;
};

/// A number of states for every parameter.
constexpr FormulaText elementwise_formula(Source source) noexcept {
  return {.id = "memory.optimizer.states",
          .label = "States kept between steps",
          .unit = "bytes",
          .text = "elements * states * bytes_per_state",
          .citation = source.citation,
          .basis = source.basis,
          .symbols = {{kElements, {"states", "", "states per parameter", "optimizer"}, kStateBytes}}};
}

/// Temporaries the size of one tensor, which the next tensor's replace.
constexpr FormulaText one_tensor_copies_formula(Source source) noexcept {
  return {.id = "memory.optimizer.step_copies",
          .label = "Copies made during the step",
          .unit = "bytes",
          .text = "ceil_div(elements, tensors) * copies * bytes_per_copy",
          .citation = source.citation,
          .basis = source.basis,
          .symbols = {{kElements,
                       kTensors,
                       {"copies", "", "of one tensor that exist at once", "optimizer"},
                       {"bytes_per_copy", "bytes", "size of one number", "precision"}}}};
}

/// Temporaries the size of all tensors, made as lists.
constexpr FormulaText list_copies_formula(Source source) noexcept {
  return {.id = "memory.optimizer.step_copies",
          .label = "Copies made during the step",
          .unit = "bytes",
          .text = "elements * lists * bytes_per_copy",
          .citation = source.citation,
          .basis = source.basis,
          .symbols = {{kElements,
                       {"lists", "", "lists the size of all parameters that the step makes", "optimizer"},
                       {"bytes_per_copy", "bytes", "size of one number", "precision"}}}};
}

/// A number of copies that a source leaves open.
struct Copies {
  Count low;
  Count amount;
  Count high;
};
constexpr Copies exactly(Count copies) noexcept { return {copies, copies, copies}; }
/// Python frees a local when it is assigned anew: the former tensor's result still exists, and may be as large.
constexpr Copies and_perhaps_one_more(Count copies) noexcept { return {copies, copies, copies + Count{1}}; }

constexpr Count tensors_of(const SteppedTensor& tensor) noexcept { return max(tensor.tensors, Count{1}); }
constexpr Count elements_of_one(const SteppedTensor& tensor) noexcept { return ceil_div(tensor.elements, tensors_of(tensor)); }
constexpr bool in_16_bits(const SteppedTensor& tensor) noexcept { return tensor.element < kFp32; }
constexpr bool has_two_dimensions(const SteppedTensor& tensor) noexcept {
  return tensor.rows > Count{1} && tensor.columns > Count{1};
}
/// What optimizers for hidden matrices take; they leave tables, head and vectors to Adam.
constexpr bool is_hidden_matrix(const SteppedTensor& tensor) noexcept {
  const bool outside =
      tensor.kind == TensorKind::embedding || tensor.kind == TensorKind::positions || tensor.kind == TensorKind::head;
  return tensor.matrix && !outside && has_two_dimensions(tensor);
}

inline Term between(Term term, Bytes low, Bytes high) noexcept {
  term.low = low.value;
  term.high = high.value;
  return term;
}

inline Term elementwise(const Formula& formula, const SteppedTensor& tensor, Count states, Bytes each) noexcept {
  return make_term(formula, tensor.elements * (states * each), {tensor.elements.value, states.value, each.value});
}

inline Term one_tensor_copies(const Formula& formula, const SteppedTensor& tensor, Copies copies, Bytes each) noexcept {
  const Count one = elements_of_one(tensor);
  Term term = make_term(formula, one * (copies.amount * each), {tensor.elements.value, tensors_of(tensor).value, copies.amount.value, each.value});
  term.low = (one * (copies.low * each)).value;
  term.high = (one * (copies.high * each)).value;
  return term;
}

inline Term list_copies(const Formula& formula, const SteppedTensor& tensor, Copies lists, Bytes each) noexcept {
  Term term = elementwise(formula, tensor, lists.amount, each);
  term.low = (tensor.elements * (lists.low * each)).value;
  term.high = (tensor.elements * (lists.high * each)).value;
  return term;
}

// One pair per family of optimizers, each in the file of its name.

Term adam_states(const SteppedTensor& tensor) noexcept;
Term torch_states(const SteppedTensor& tensor, const OptimizerSettings& settings) noexcept;
Term torch_step_copies(const SteppedTensor& tensor, const OptimizerSettings& settings) noexcept;

/// `states` states, `per_byte` of them in a byte and `block` sharing an fp32 scale; in fp32 where a tensor is too small for that.
Term low_bit_states(const SteppedTensor& tensor, Count states, Count per_byte = Count{1}, Count block = Count{256}) noexcept;
Term four_bit_states(const SteppedTensor& tensor) noexcept;
Term four_bit_step_copies(const SteppedTensor& tensor) noexcept;
Term block_states(const SteppedTensor& tensor, const OptimizerSettings& settings) noexcept;
Term block_paged_states(const SteppedTensor& tensor, const OptimizerSettings& settings) noexcept;
Term block_step_copies(const SteppedTensor& tensor) noexcept;

Term factored_states(const SteppedTensor& tensor, const OptimizerSettings& settings) noexcept;
Term factored_step_copies(const SteppedTensor& tensor, const OptimizerSettings& settings) noexcept;
Term lomo_states(const SteppedTensor& tensor) noexcept;
Term lomo_step_copies(const SteppedTensor& tensor) noexcept;
Term adam_mini_states(const SteppedTensor& tensor) noexcept;
Term adam_mini_step_copies(const SteppedTensor& tensor) noexcept;
Term muon_states(const SteppedTensor& tensor) noexcept;
Term muon_step_copies(const SteppedTensor& tensor) noexcept;
Term shampoo_states(const SteppedTensor& tensor) noexcept;
Term shampoo_step_copies(const SteppedTensor& tensor, bool in_backward) noexcept;
Term soap_states(const SteppedTensor& tensor) noexcept;
Term soap_step_copies(const SteppedTensor& tensor) noexcept;
Term low_rank_states(const SteppedTensor& tensor, Optimizer optimizer, Count rank) noexcept;
Term onebit_states(const SteppedTensor& tensor, const OptimizerSettings& settings) noexcept;
Term onebit_step_copies(const SteppedTensor& tensor, const OptimizerSettings& settings) noexcept;
Term low_rank_step_copies(const SteppedTensor& tensor, Optimizer optimizer) noexcept;

} // namespace plimsoll::memory
