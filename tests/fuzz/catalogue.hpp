#pragma once
// The catalogue and the prices that are built in, once per program: an input must not wait for them.

#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/catalog/prices.hpp"

namespace plimsoll::fuzz {

const io::Catalog& catalog();
const io::Prices& built_in_prices();

} // namespace plimsoll::fuzz
