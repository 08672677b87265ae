#pragma once
// std::ranges::stable_sort of what is short, in a tenth of its code: places are sorted by one function for all types, and what stands there is moved once.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

namespace plimsoll {

/// Sorts `places`, of which `before(context, one, other)` tells whether the first comes earlier; what is equal stays in order.
void sort_places(std::span<std::uint32_t> places, bool (*before)(const void* context, std::uint32_t one, std::uint32_t other), const void* context);

/// As std::ranges::stable_sort for at most 2^32 elements; needs memory for them twice.
template <class Range, class Less = std::ranges::less, class Projection = std::identity>
void sort_stably(Range&& range, Less less = {}, Projection projection = {}) {
  const auto first = std::ranges::begin(range);
  std::vector<std::uint32_t> places(static_cast<std::size_t>(std::ranges::distance(range)));
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<std::uint32_t>(i);
  const auto before = [&](std::uint32_t one, std::uint32_t other) { return std::invoke(less, std::invoke(projection, first[one]), std::invoke(projection, first[other])); };
  using Before = decltype(before);
  sort_places(places, [](const void* context, std::uint32_t one, std::uint32_t other) -> bool { return (*static_cast<const Before*>(context))(one, other); }, &before);
  std::vector<std::ranges::range_value_t<Range>> sorted;
  sorted.reserve(places.size());
  for (const std::uint32_t place : places) sorted.push_back(std::move(first[place]));
  std::ranges::move(sorted, first);
}

} // namespace plimsoll
