#pragma once
// From what a layer is made of to its parameter tensors: one function per part, one file per design.

#include "plimsoll/method/model.hpp"

#include <string_view>
#include <utility>
#include <vector>

namespace plimsoll::layers {

/// Collects the tensors of one kind.
class TensorList {
public:
  explicit TensorList(TensorKind kind) : kind_(kind) {}

  /// A linear map from `columns` to `rows` numbers, divided along `split` in `units` whole parts.
  Tensor& map(std::string_view name, Count rows, Count columns, Split split = Split::none, Count units = Count{1}) {
    return add({.name = name, .kind = kind_, .rows = rows, .columns = columns, .split = split, .units = units});
  }
  /// A norm, a bias, a state: never quantised.
  Tensor& vector(std::string_view name, Count size, Split split = Split::none, Count units = Count{1}) {
    return add({.name = name, .kind = kind_, .rows = size, .split = split, .units = units, .matrix = false});
  }
  /// A small table that is no linear map: convolution taps, state matrices.
  Tensor& table(std::string_view name, Count rows, Count columns, Split split = Split::none, Count units = Count{1}) {
    return add({.name = name, .kind = kind_, .rows = rows, .columns = columns, .split = split, .units = units, .matrix = false});
  }

  std::vector<Tensor> take() && { return std::move(tensors_); }

private:
  Tensor& add(Tensor tensor) { return tensors_.emplace_back(tensor); }

  TensorKind kind_;
  std::vector<Tensor> tensors_;
};

using Tensors = std::vector<Tensor>;

Tensors of(const Attention& attention, Count hidden_size);
Tensors of(const LatentAttention& attention, Count hidden_size);
Tensors of(const Mlp& mlp, Count hidden_size);
Tensors of(const Moe& moe, Count hidden_size);
Tensors of(const Recurrence& recurrence, Count hidden_size);
/// `norms` norms of the full width.
Tensors norms(Count norms, NormKind kind, Count hidden_size, TensorKind tensor_kind);

/// What formulas use of a layer's attention, whichever kind it is: no layer has two.
AttentionShape attention_shape_of(const Layer& layer) noexcept;
/// The dimensions that memory formulas use; zeros for std::monostate.
RecurrenceShape shape_of(const Recurrence& recurrence, Count hidden_size) noexcept;

/// Vectors of hidden_size in one norm: 0 without parameters, 2 with a bias, else 1.
Count norm_vectors(NormKind kind) noexcept;

} // namespace plimsoll::layers
