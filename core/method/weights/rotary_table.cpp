#include "plimsoll/method/weight_scheme.hpp"

#include <algorithm>

namespace plimsoll {

namespace {

/// Channels per head that rotary positions turn in such layers; 0 when they do not attend.
Count rotary_dim(const LayerGroup& group) noexcept {
  if (group.latent.heads > Count{0}) return group.latent.rope_dim;
  if (group.attention.query_heads <= Count{0}) return Count{0};
  return group.attention.rotary_dim > Count{0} ? group.attention.rotary_dim : group.attention.head_dim;
}

} // namespace

Bytes rotary_table_bytes(const Model& model, Bytes number_bytes) noexcept {
  if (model.learned_positions > Count{0} || model.max_context <= Count{0}) return Bytes{0};
  Bytes total{0};
  for (auto group = model.groups.begin(); group != model.groups.end(); ++group) {
    const Count dim = rotary_dim(*group);
    const bool seen = std::any_of(model.groups.begin(), group, [&](const LayerGroup& earlier) { return rotary_dim(earlier) == dim; });
    if (!seen) total += model.max_context * (dim * number_bytes);
  }
  return total;
}

} // namespace plimsoll
