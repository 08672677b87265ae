#include "method/layers/recurrences.hpp"

namespace plimsoll::layers {

namespace {

struct TensorsOf {
  Count hidden_size;
  Tensors operator()(std::monostate) const { return {}; }
  Tensors operator()(const auto& recurrence) const { return of(recurrence, hidden_size); }
};

struct ShapeOf {
  Count hidden_size;
  RecurrenceShape operator()(std::monostate) const noexcept { return {}; }
  RecurrenceShape operator()(const auto& recurrence) const noexcept { return shape_of(recurrence, hidden_size); }
};

} // namespace

Tensors of(const Recurrence& recurrence, Count hidden_size) { return std::visit(TensorsOf{hidden_size}, recurrence); }

RecurrenceShape shape_of(const Recurrence& recurrence, Count hidden_size) noexcept {
  return std::visit(ShapeOf{hidden_size}, recurrence);
}

} // namespace plimsoll::layers
