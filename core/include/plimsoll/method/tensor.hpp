#pragma once
// One parameter tensor of a model: its shape, what it belongs to, and along which dimension GPUs may divide it.

#include "plimsoll/method/quantity.hpp"

#include <string_view>

namespace plimsoll {

/// What a tensor belongs to: the branches of the parameters tree, in the order in which a forward pass meets them.
enum class TensorKind : unsigned char {
  embedding,
  positions,      ///< learned position tables, relative-position biases, token types
  attention,
  indexer,        ///< selects what sparse attention looks at (DeepSeek sparse attention)
  recurrence,     ///< state space, linear attention, short convolution
  mlp,
  router,
  experts,
  shared_experts,
  adapters,       ///< residual maps beside the usual blocks (LAuReL, AltUp, hyper-connections, shared-block adapters)
  norms,
  final_norm,
  head,
  pooler,
  vision,         ///< the vision tower and its projector: a component of its own, not part of the language model's count
  audio,          ///< likewise
  prediction,     ///< multi-token-prediction layers: likewise
  prediction_experts, ///< experts in them, where GPUs divide these as those of the stack
};
inline constexpr std::size_t kTensorKinds = 18;

/// Whether tensors of this kind are counted among the language model's parameters, as published counts do.
constexpr bool in_language_model(TensorKind kind) noexcept { return kind < TensorKind::vision; }

/// Whether a tensor's copies are experts, which expert parallelism divides.
constexpr bool is_routed(TensorKind kind) noexcept { return kind == TensorKind::experts || kind == TensorKind::prediction_experts; }

/// The dimension that tensor parallelism divides.
enum class Split : unsigned char {
  none,    ///< whole on every GPU
  rows,
  columns,
};

/// `copies` tensors of `rows` × `columns`. A linear map from n to m numbers has m rows and n columns, as checkpoints store it;
/// a vector has one column.
struct Tensor {
  std::string_view name; ///< as in checkpoints, e.g. "q_proj"; static storage
  TensorKind kind = TensorKind::mlp;
  Count rows{1};
  Count columns{1};
  Count copies{1}; ///< alike ones in one layer, e.g. one per expert
  Count active{1}; ///< of the copies, those that one token meets
  Count active_rows{0}; ///< of each active copy, where one token meets some rows only (a table of vectors by token); 0 = all
  Split split = Split::none;
  Count units{1};  ///< whole parts along the split dimension (heads, channels) of which every GPU gets as many as another, rounded up
  bool matrix = true; ///< a linear map or a lookup table, which quantisation may take; false for norms, biases, states, filters

  friend bool operator==(const Tensor&, const Tensor&) = default;
};

/// Experts of the stack, and of prediction layers: of those a token meets some copies only.
constexpr bool is_expert(const Tensor& tensor) noexcept {
  return is_routed(tensor.kind) || (tensor.kind == TensorKind::prediction && tensor.active < tensor.copies);
}

/// Numbers in all copies.
constexpr Count elements(const Tensor& tensor) noexcept { return tensor.copies * (tensor.rows * tensor.columns); }

/// Numbers that one token meets.
constexpr Count active_elements(const Tensor& tensor) noexcept {
  return tensor.active * ((tensor.active_rows > Count{0} ? tensor.active_rows : tensor.rows) * tensor.columns);
}

} // namespace plimsoll
