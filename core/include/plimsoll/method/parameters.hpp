#pragma once
// Exact parameter counts from tensor shapes.

#include "plimsoll/method/model.hpp"

#include <string_view>

namespace plimsoll {

struct Strategy;
class Stage;

/// The language model's parameters, tied matrices counted once; towers and prediction layers are not among them. Llama-3-8B:
/// 8,030,261,248.
Count count_parameters(const Model& model) noexcept;

/// Those of them that one token meets: all but the experts it is not routed to, embedding and head included.
Count count_active_parameters(const Model& model) noexcept;

/// Parameters of one kind, towers and prediction layers too.
Count count_parameters(const Model& model, TensorKind kind) noexcept;

/// Parameters of the language model on one GPU of a stage; and those of them that are routed experts.
Count parameters_per_gpu(const Model& model, const Strategy& strategy, const Stage& stage) noexcept;
Count expert_parameters_per_gpu(const Model& model, const Strategy& strategy, const Stage& stage) noexcept;

/// The name of a kind in component ids, e.g. "shared_experts", and as people read it.
struct TensorKindText {
  std::string_view id;
  std::string_view label;
};
TensorKindText text_of(TensorKind kind) noexcept;

/// Multi-token-prediction layers that the checkpoint holds beside its stack: each joins hidden states and tokens by a map of its own.
Count prediction_layers(const Model& model) noexcept;

} // namespace plimsoll
