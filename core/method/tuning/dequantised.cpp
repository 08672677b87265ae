// bitsandbytes, autograd/_functions.py, MatMul4Bit: both passes dequantise the whole weight, into the format that it was quantised from, and
// cast it to that of the input.
#include "method/term.hpp"
#include "method/tuning/memory.hpp"

namespace plimsoll::tuning {

namespace {

constexpr SymbolText kTokens{"tokens", "tokens", "of all sequences of a micro-batch, padding included", "batch"};
constexpr SymbolText kInput{"input", "channels", "that it reads on this GPU", ""};
constexpr SymbolText kOutput{"output", "channels", "that it writes on this GPU", ""};

constexpr Formula kDequantised{[] { return FormulaText{.id = "memory.activations.dequantised",
                               .label = "Largest matrix, dequantised",
                               .unit = "bytes",
                               .text = "copies * input * output * compute",
                               .citation = "bitsandbytes_matmul",
                               .basis = Basis::published,
                               .symbols = {{{"copies", "", "alive at once: two where it is dequantised into one 16-bit format and cast to another", "profile"},
                                            kInput, kOutput, {"compute", "bytes", "size of one number that it computes with", ""}}}}; }};

constexpr Formula kDequantisedHead{[] { return FormulaText{.id = "memory.loss.dequantised_head",
                                   .label = "Output head, dequantised",
                                   .unit = "bytes",
                                   .text = kDequantised.written().text,
                                   .citation = "bitsandbytes_matmul",
                                   .basis = Basis::published,
                                   .symbols = kDequantised.written().symbols}; }};

constexpr Formula kDequantisedForward{[] { return FormulaText{
    .id = "memory.loss.dequantised_head",
    .label = "Output head, dequantised in the forward pass",
    .unit = "bytes",
    .text = "max(dequantised - vocab * tokens * converted, 0)",
    .citation = "bitsandbytes_matmul",
    .basis = Basis::published,
    .symbols = {{{"dequantised", "bytes", "copies of the head in 16 bits, gone when logits are cast", "weight_dtype"},
                 {"vocab", "logits", "of one token", "vocab_size"},
                 kTokens,
                 {"converted", "bytes", "per logit that exist only after the head", "profile"}}}}; }};

/// The quantised matrix with the most numbers among those that `wanted` names.
template <class Wanted> TensorShare largest_quantised(const Model& model, const StoredWeights& weights, const Strategy& strategy, Wanted&& wanted) noexcept {
  TensorShare largest;
  for (const StoredTensor& stored : weights.tensors) {
    const ModelTensor& part = model.tensors[stored.tensor];
    if (!wanted(part) || !part.tensor.matrix || is_plain(weights.formats[stored.format])) continue;
    const TensorShare share = tensor_share(part.tensor, stored.rows, stored.columns, strategy);
    if (share.rows * share.columns > largest.rows * largest.columns) largest = share;
  }
  return largest;
}

Term dequantised(const Formula& formula, const TensorShare& share, const Constant& copies, Bytes compute) noexcept {
  const Term term = make_term(formula, Count{copies.value} * ((share.rows * share.columns) * compute),
                              {copies.value, share.columns.value, share.rows.value, compute.value});
  return copies.citation.empty() ? term : with_provenance(term, copies);
}

} // namespace

Term dequantised_workspace(const Model& model, const StoredWeights& weights, const Strategy& strategy, const Constant& copies, Bytes compute) noexcept {
  const auto in_layers = [&](const ModelTensor& part) { return model.group_of(part) != nullptr; };
  return dequantised(kDequantised, largest_quantised(model, weights, strategy, in_layers), copies, compute);
}

Term dequantised_head(const Model& model, const StoredWeights& weights, const Strategy& strategy, const Constant& copies, Bytes compute) noexcept {
  const TensorKind kind = model.tied_embeddings ? TensorKind::embedding : TensorKind::head;
  const auto is_head = [&](const ModelTensor& part) { return part.tensor.kind == kind; };
  return dequantised(kDequantisedHead, largest_quantised(model, weights, strategy, is_head), copies, compute);
}

Term dequantised_head_forward(const Term& head, Count vocab, Count tokens, const Constant& bytes_per_logit) noexcept {
  const Bytes later = vocab * (tokens * Bytes{bytes_per_logit.value});
  return make_term(kDequantisedForward, max(head.bytes() - later, Bytes{0}), {head.amount, vocab.value, tokens.value, bytes_per_logit.value});
}

} // namespace plimsoll::tuning
