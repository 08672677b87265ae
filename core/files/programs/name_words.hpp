#pragma once
// The words of all names of models and devices: most spans of a text have none of them, and need not be compared with each name.

#include "plimsoll/catalog/catalog.hpp"

#include <set>
#include <string>
#include <string_view>

namespace plimsoll::io::programs {

class NameWords {
public:
  explicit NameWords(const Catalog& catalog);

  /// Numbers alone are nobody's model; many cards are called by theirs.
  bool may_be_model(std::string_view text) const;
  bool may_be_device(std::string_view text) const;

private:
  std::set<std::string> models_, devices_;
};

} // namespace plimsoll::io::programs
