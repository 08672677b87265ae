#include "plimsoll/parameters.hpp"

#include "parameters/visit.hpp"

namespace plimsoll {

Count count_parameters_per_gpu(const Model& model, const Strategy& strategy) noexcept {
  Count total;
  parameters::visit(model, strategy, [&](parameters::Tensors, const Term& term) { total += term.count(); });
  return total;
}

Count count_parameters(const Model& model) noexcept { return count_parameters_per_gpu(model, kUnsharded); }

} // namespace plimsoll
