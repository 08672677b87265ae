#pragma once
// The words of all names of models and devices: most spans of a text have none of them, and need not be compared with each name.

#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/catalog/names.hpp"

#include <set>
#include <string>
#include <string_view>
#include <vector>

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

/// The models that a text may mean which is the name of several, or a size alone: the youngest families first.
std::vector<std::string> models_like(const Catalog& catalog, const std::string& text);

/// Whether words in lower case have the form of a device's name, known or not: a maker's line or a word of letters before a number, as graphics
/// cards have, with a number.
bool has_form_of_device(std::string_view text);

} // namespace plimsoll::io::programs
