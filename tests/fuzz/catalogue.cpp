#include "catalogue.hpp"

namespace plimsoll::fuzz {

const io::Catalog& catalog() {
  static const io::Catalog kCatalog = io::Catalog::load();
  return kCatalog;
}

const io::Prices& built_in_prices() {
  static const io::Prices kPrices = io::Prices::load(catalog());
  return kPrices;
}

} // namespace plimsoll::fuzz
