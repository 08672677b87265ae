#include "catalog/names/words.hpp"
#include "plimsoll/catalog/names.hpp"

#include <algorithm>

namespace plimsoll::io {

namespace {

/// "llama.cpp", "llama-cpp" and "LLaMA_cpp" are one name.
std::string letters_of(std::string_view text) {
  std::string letters;
  for (const char c : text) {
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) letters += c;
    if (c >= 'A' && c <= 'Z') letters += static_cast<char>(c - 'A' + 'a');
  }
  return letters;
}

} // namespace

std::vector<const Catalog::ProfileRow*> profiles_named(const Catalog& catalog, std::string_view text) {
  std::vector<const Catalog::ProfileRow*> found;
  const std::string wanted = letters_of(text);
  if (wanted.empty() || names::has_control(text)) return found;
  for (const Catalog::ProfileRow& row : catalog.profiles())
    if (letters_of(row.id) == wanted || letters_of(row.name) == wanted) found.push_back(&row);
  for (const Catalog::ProfileRow& row : catalog.profiles())
    if (std::ranges::any_of(row.called, [&](const std::string& name) { return letters_of(name) == wanted; })) found.push_back(&row);
  return found;
}

} // namespace plimsoll::io
