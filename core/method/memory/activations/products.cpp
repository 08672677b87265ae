#include "method/memory/activations/products.hpp"

#include "method/memory/layers.hpp"

namespace plimsoll::memory {

Products::Products(const LayerGroup& group, const Strategy& strategy, Count hidden, bool router) noexcept {
  const LayerShare share = layer_share(group, strategy);
  add_attention(group, share, hidden);
  if (recurs(group)) add(hidden, share.recurrent_projected), add(share.recurrent_inner, hidden);
  if (group.cross.query_heads > Count{0}) {
    const CrossShare cross = cross_share(group, strategy);
    add(hidden, cross.query_width), add(hidden, cross.keys_values), add(cross.output_width, hidden);
  }
  if (has_experts(group) && router) add(hidden, group.moe.experts);
  add_mlp(group, share.intermediate, group.mlp.kind, hidden);
  add_mlp(group, share.shared, group.moe.kind, hidden);
}

Count Products::kept_width(std::int64_t stride, bool with_last) const noexcept {
  Count sum;
  for (std::size_t i = 0; i < size_; ++i)
    if (is_kept(i, stride) && (with_last || i + 1 < size_)) sum += products_[i].out;
  return sum;
}

Count Products::not_again(std::int64_t stride, bool last_is_read) const noexcept {
  Count sum;
  for (std::size_t i = 0; i < size_; ++i)
    if (is_kept(i, stride) || (i + 1 == size_ && !last_is_read)) sum += products_[i].in * products_[i].out;
  return sum;
}

/// A product that the layer lacks has width 0.
void Products::add(Count in, Count out) noexcept {
  if (out > Count{0} && size_ < products_.size()) products_[size_++] = {in, out};
}

void Products::add_attention(const LayerGroup& group, const LayerShare& share, Count hidden) noexcept {
  if (!attends(group)) return;
  if (group.expands_vectors()) {
    const Count queries = share.query_vector;
    add(hidden, queries); // the vector they are expanded from, where there is one
    add(queries > Count{0} ? queries : hidden, share.query_width);
    add(hidden, share.key_value_vector + share.shared_rotary);
    add(group.attention_shape.key_value_vector, share.expanded_keys + share.value_width);
    return add(share.output_width, hidden);
  }
  if (group.fused_projections) add(hidden, share.query_width + share.key_width + share.value_width);
  else add(hidden, share.query_width), add(hidden, share.key_width), add(hidden, share.value_width);
  add(share.output_width, hidden);
}

void Products::add_mlp(const LayerGroup& group, Count width, MlpKind kind, Count hidden) noexcept {
  if (width == Count{0}) return;
  if (kind != MlpKind::gated) add(hidden, width);
  else if (group.fused_projections) add(hidden, Count{2} * width);
  else add(hidden, width), add(hidden, width);
  add(width, hidden);
}

} // namespace plimsoll::memory
