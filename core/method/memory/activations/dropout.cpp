// Dropout keeps one byte for each number that it may set to zero: PyTorch's native dropout keeps a mask of bool.
#include "method/memory/activations/common.hpp"

namespace plimsoll::memory {

namespace {

constexpr Formula kDropout{[] { return FormulaText{
    .id = "memory.activations.dropout",
    .label = "Dropout masks",
    .unit = "bytes",
    .text = "layers * tokens * masks * hidden",
    .citation = "attention_scores",
    .basis = Basis::published,
    .symbols = {{kLayers, kBetween, {"masks", "", "after attention and after the MLP, one byte for each number", ""}, kHidden}}}; }};

constexpr Formula kEmbeddingDropout{[] { return FormulaText{
    .id = "memory.activations.embedding_dropout",
    .label = "Dropout mask of the embedding",
    .unit = "bytes",
    .text = "micro_batches * tokens * hidden",
    .citation = "attention_scores",
    .basis = Basis::published,
    .symbols = {{{"micro_batches", "", "in flight on this GPU", "pipeline_parallel"}, kBetween, kHidden}}}; }};

} // namespace

Term saved_dropout(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept {
  const Count tokens = tokens_between(scenario, group), h = scenario.model.hidden_size;
  const Count masks{(attends(group) || recurs(group) ? 1 : 0) + (has_mlp(group) ? 1 : 0)};
  return make_term(kDropout, layers * (tokens * (masks * h)) * Bytes{1}, {layers.value, tokens.value, masks.value, h.value}, {.group = &group});
}

Term saved_embedding_dropout(const Scenario& scenario, Count micro_batches) noexcept {
  const Count tokens = tokens_between(scenario), h = scenario.model.hidden_size;
  return make_term(kEmbeddingDropout, micro_batches * (tokens * h) * Bytes{1}, {micro_batches.value, tokens.value, h.value});
}

} // namespace plimsoll::memory
