#pragma once
// The matrix products of a layer, in the order in which it runs them: what a policy that recomputes by operation counts.

#include "plimsoll/method/scenario.hpp"
#include "plimsoll/method/sharding.hpp"

#include <array>
#include <cstddef>

namespace plimsoll::memory {

class Products {
public:
  /// Of one GPU's share of the layer; routed experts multiply in another operation and are not among them. `router`: whether its map is.
  Products(const LayerGroup& group, const Strategy& strategy, Count hidden, bool router) noexcept;

  /// Widths of those that are kept: of every `stride` products the first one's; without the very last one of the layer where nothing reads it.
  Count kept_width(std::int64_t stride, bool with_last) const noexcept;
  /// Multiplications and additions of one token in those that do not run again: the kept ones, and the last one where nothing reads it.
  Count not_again(std::int64_t stride, bool last_is_read) const noexcept;

private:
  struct Product {
    Count in, out;
  };

  void add(Count in, Count out) noexcept;
  void add_attention(const LayerGroup& group, const LayerShare& share, Count hidden) noexcept;
  void add_mlp(const LayerGroup& group, Count width, MlpKind kind, Count hidden) noexcept;
  bool is_kept(std::size_t i, std::int64_t stride) const noexcept { return stride >= 1 && i % static_cast<std::size_t>(stride) == 0; }

  std::array<Product, 20> products_{};
  std::size_t size_ = 0;
};

} // namespace plimsoll::memory
