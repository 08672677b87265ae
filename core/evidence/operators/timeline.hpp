#pragma once
// Collects the lifetimes of one operator.

#include "plimsoll/evidence/operators.hpp"

namespace plimsoll {

/// Moments that lists of lifetimes speak of.
inline constexpr int kForward = 0;
inline constexpr int kForwardEnd = kLastForwardMoment;
inline constexpr int kBackward = kLastForwardMoment + 1;
inline constexpr int kEnd = kOperatorMoments - 1;

class Timeline {
public:
  explicit Timeline(const OperatorShape& shape) : shape_(shape) {}

  /// A tensor that is alive from `first` to `last`.
  void hold(std::string_view name, Count elements, std::int64_t element_bytes, int first, int last);
  /// For one moment.
  void at(int moment, std::string_view name, Count elements, std::int64_t element_bytes) { hold(name, elements, element_bytes, moment, moment); }
  /// Something that exists before and after.
  void resident(std::string_view name, Count elements, std::int64_t element_bytes) { hold(name, elements, element_bytes, kForward, kEnd); }
  /// A parameter or input that has a gradient; with old gradients that exists from the start.
  void leaf(std::string_view name, Count elements, std::int64_t element_bytes);
  /// Parameters that exist but take no part.
  void idle(std::int64_t element_bytes) { resident("parameters of another module", shape_.idle_parameters, element_bytes); }
  /// The workspaces of cuBLAS, one for each thread that multiplies matrices.
  void workspaces(std::int64_t threads);

  OperatorMemory result() &&;

private:
  const OperatorShape& shape_;
  std::vector<Lifetime> tensors_;
};

/// The lists of one family of operators.
std::span<const Operator> attention_operators() noexcept;
std::span<const Operator> norm_operators() noexcept;
std::span<const Operator> mlp_operators() noexcept;
std::span<const Operator> activation_operators() noexcept;
std::span<const Operator> loss_operators() noexcept;
std::span<const Operator> linear_loss_operators() noexcept;
std::span<const Operator> rope_operators() noexcept;
std::span<const Operator> table_operators() noexcept;

} // namespace plimsoll
