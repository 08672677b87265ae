#include "catalog/names/words.hpp"
#include "plimsoll/catalog/names.hpp"
#include "text/words.hpp"

#include <algorithm>

namespace plimsoll::io {

std::vector<const Catalog::ProfileRow*> profiles_named(const Catalog& catalog, std::string_view text) {
  std::vector<const Catalog::ProfileRow*> found;
  const std::string wanted = letters_and_digits(text);
  if (wanted.empty() || names::has_control(text)) return found;
  for (const Catalog::ProfileRow& row : catalog.profiles())
    if (letters_and_digits(row.id) == wanted || letters_and_digits(row.name) == wanted) found.push_back(&row);
  for (const Catalog::ProfileRow& row : catalog.profiles())
    if (std::ranges::any_of(row.called, [&](const std::string& name) { return letters_and_digits(name) == wanted; })) found.push_back(&row);
  return found;
}

} // namespace plimsoll::io
