#include "plimsoll/method/weight_scheme.hpp"

#include <algorithm>

namespace plimsoll {

Bytes rotary_table_bytes(const Model& model, Bytes number_bytes) noexcept {
  if (model.learned_positions > Count{0} || model.max_context <= Count{0}) return Bytes{0};
  Bytes total{0};
  for (auto group = model.groups.begin(); group != model.groups.end(); ++group) {
    const Count dim = group->attends() ? group->attention_shape.rotary_dim : Count{0};
    const bool seen = std::any_of(model.groups.begin(), group, [&](const LayerGroup& earlier) { return earlier.attends() && earlier.attention_shape.rotary_dim == dim; });
    if (!seen) total += model.max_context * (dim * number_bytes);
  }
  return total;
}

} // namespace plimsoll
