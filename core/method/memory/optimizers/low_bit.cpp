// States of bitsandbytes: 8 bits in blocks with one fp32 scale each, or fp32 whatever the weight's dtype; paged or not
// (bitsandbytes/optim/optimizer.py, init_state and get_state_buffer).
#include "method/memory/optimizers/common.hpp"

namespace plimsoll::memory {

namespace {

constexpr Count kSmallestQuantised{4096}; // min_8bit_size: numbers of one tensor
constexpr Count kSmallestPaged{100'000}; // get_state_buffer: numbers of one tensor

constexpr std::string_view kPagedId = "memory.optimizer.paged_states";
constexpr std::string_view kPagedLabel = "States in managed memory";

constexpr SymbolText kStates{"states", "", "states per parameter: Adam two, Lion one", "optimizer"};
constexpr SymbolText kPerByte{"per_byte", "numbers", "in one byte: one of 8 bits, two of 4", "optimizer"};
constexpr SymbolText kBlock{"block", "numbers", "that share a scale", "optimizer"};

constexpr Formula kLowBit{[] { return FormulaText{
    .id = "memory.optimizer.states",
    .label = "States kept between steps",
    .unit = "bytes",
    .text = "states * (ceil_div(elements, per_byte) + tensors * ceil_div(ceil_div(elements, tensors), block) * 4)",
    .citation = "bitsandbytes_optimizer",
    .basis = Basis::published,
    .symbols = {{kStates, kElements, kPerByte, kTensors, kBlock}}}; }};

// What stays in the allocator when the numbers are paged.
constexpr Formula kScales{[] { return FormulaText{.id = "memory.optimizer.states",
                          .label = "States kept between steps",
                          .unit = "bytes",
                          .text = "states * tensors * ceil_div(ceil_div(elements, tensors), block) * 4",
                          .citation = "bitsandbytes_optimizer",
                          .basis = Basis::published,
                          .symbols = {{kStates, kTensors, kElements, kBlock}}}; }};

constexpr FormulaText of_torchao(FormulaText formula) noexcept {
  formula.citation = "torchao_optimizer";
  return formula;
}
constexpr Formula kTorchaoLowBit{[] { return of_torchao(kLowBit.written()); }};
constexpr Formula kTorchaoFull{[] { return elementwise_formula({.citation = "torchao_optimizer"}); }};
constexpr Formula kTorchaoNoCopies{[] { return one_tensor_copies_formula({.citation = "torchao_optimizer"}); }};

constexpr Formula kFull{[] { return elementwise_formula({.citation = "bitsandbytes_optimizer"}); }};
constexpr Formula kTrainerEmbedding{[] { return elementwise_formula({.citation = "trainer_optimizer"}); }};
constexpr Formula kNoCopies{[] { return one_tensor_copies_formula({.citation = "bitsandbytes_optimizer"}); }};

constexpr FormulaText paged(FormulaText formula) noexcept {
  formula.id = kPagedId;
  formula.label = kPagedLabel;
  return formula;
}
constexpr Formula kPagedStates{[] { return paged(kFull.written()); }};

Bytes scales_of(const SteppedTensor& tensor, Count block) noexcept {
  return tensors_of(tensor) * (ceil_div(elements_of_one(tensor), block) * kFp32);
}

Count states_of(Optimizer optimizer) noexcept { return Count{optimizer == Optimizer::lion_8bit ? 1 : 2}; }

/// The Trainer registers every nn.Embedding for 32-bit states.
bool overridden(const SteppedTensor& tensor, const OptimizerSettings& settings) noexcept {
  const bool table = tensor.kind == TensorKind::embedding || tensor.kind == TensorKind::positions;
  return settings.embeddings_in_32_bits && table && tensor.matrix;
}

bool in_32_bits(const SteppedTensor& tensor, const OptimizerSettings& settings) noexcept {
  return settings.optimizer == Optimizer::paged_adamw || overridden(tensor, settings) ||
         elements_of_one(tensor) < kSmallestQuantised;
}

bool is_paged(const SteppedTensor& tensor, Optimizer optimizer) noexcept {
  return pages(optimizer) && elements_of_one(tensor) >= kSmallestPaged;
}

} // namespace

Term low_bit_states(const SteppedTensor& tensor, Count states, Count per_byte, Count block) noexcept {
  if (elements_of_one(tensor) < kSmallestQuantised) return elementwise(kFull, tensor, states, kFp32);
  const Bytes numbers{ceil_div(tensor.elements, per_byte).value};
  return make_term(kLowBit, states * (numbers + scales_of(tensor, block)),
                   {states.value, tensor.elements.value, per_byte.value, tensors_of(tensor).value, block.value});
}

Term four_bit_states(const SteppedTensor& tensor) noexcept {
  constexpr Count kStates{2}, kPerByte{2}, kBlock{128}; // AdamW4bit
  if (elements_of_one(tensor) < kSmallestQuantised || elements_of_one(tensor).value % kBlock.value != 0)
    return elementwise(kTorchaoFull, tensor, kStates, tensor.element);
  Term term = low_bit_states(tensor, kStates, kPerByte, kBlock);
  term.formula = &kTorchaoLowBit;
  return term;
}

Term block_states(const SteppedTensor& tensor, const OptimizerSettings& settings) noexcept {
  const Count states = states_of(settings.optimizer);
  const bool elsewhere = is_paged(tensor, settings.optimizer);
  if (in_32_bits(tensor, settings)) {
    const Formula& formula = overridden(tensor, settings) ? kTrainerEmbedding : kFull;
    return elementwise(formula, tensor, elsewhere ? Count{0} : states, kFp32);
  }
  if (!elsewhere) {
    const Term term = low_bit_states(tensor, states);
    const Bytes most = tensor.may_be_several ? tensor.elements * (states * kFp32) : term.bytes(); // should all of them be small
    return between(term, term.bytes(), max(term.bytes(), most));
  }
  constexpr Count kBlockSize{256};
  return make_term(kScales, states * scales_of(tensor, kBlockSize),
                   {states.value, tensors_of(tensor).value, tensor.elements.value, kBlockSize.value});
}

Term block_paged_states(const SteppedTensor& tensor, const OptimizerSettings& settings) noexcept {
  const Count states = is_paged(tensor, settings.optimizer) ? states_of(settings.optimizer) : Count{0};
  Term term = elementwise(kPagedStates, tensor, states, in_32_bits(tensor, settings) ? kFp32 : Bytes{1});
  term.low = 0;
  return term;
}

Term four_bit_step_copies(const SteppedTensor& tensor) noexcept {
  return one_tensor_copies(kTorchaoNoCopies, tensor, exactly(Count{0}), tensor.element); // one compiled kernel per tensor
}

Term block_step_copies(const SteppedTensor& tensor) noexcept {
  return one_tensor_copies(kNoCopies, tensor, exactly(Count{0}), tensor.element); // one kernel per tensor
}

} // namespace plimsoll::memory
