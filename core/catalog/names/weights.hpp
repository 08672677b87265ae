#pragma once
// Words in a model's name that tell how its weights are stored.

#include "catalog/names/words.hpp"
#include "plimsoll/catalog/weights.hpp"

#include <string>
#include <string_view>

namespace plimsoll::io::names {

struct StatedWeights {
  std::string id;       ///< of a scheme; "" where no word tells one
  bool assumed = false; ///< the words tell a method, not all that it leaves open
};

/// Takes those words out of `parts`. `whole` is the text that they come from, whose owner and signs say which program wrote the file.
StatedWeights take_weights(const WeightCatalog& weights, std::string_view whole, Words& parts);

} // namespace plimsoll::io::names
