#pragma once
// What somebody may have meant who wrote a name that nothing has.

#include "catalog/names/words.hpp"

#include <cstddef>
#include <vector>

namespace plimsoll::io::names {

/// Indices of the rows whose names are nearest to `wanted`, best first, at most `most`: those that share a word with it, or nearly one; of
/// them first those with the nearest version and size. `rows` holds the names of each row. Empty where no word is shared.
std::vector<std::size_t> nearest(const Words& wanted, const std::vector<std::vector<Words>>& rows, std::size_t most);

} // namespace plimsoll::io::names
