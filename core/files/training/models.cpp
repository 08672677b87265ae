#include "files/training/models.hpp"

#include "text/words.hpp"

#include <algorithm>

namespace plimsoll::io::configs {

namespace {

/// Letters and digits alone, in lower case, without the words that do not change a model's shape.
std::string letters_of(std::string_view text) {
  std::string letters = letters_and_digits(text);
  for (const std::string_view word : {"instruct", "base", "chat"})
    if (letters.ends_with(word)) letters.erase(letters.size() - word.size());
  return letters;
}

std::string_view last_part(std::string_view text) {
  while (text.ends_with('/') || text.ends_with('\\')) text.remove_suffix(1);
  return text.substr(std::min(text.find_last_of("/\\") + 1, text.size()));
}

} // namespace

NamedModel model_of_config(const Catalog& catalog, std::string_view text) {
  constexpr std::size_t kMostLetters = 512; // no name of a model is longer
  if (text.empty() || text.size() > kMostLetters) return {};
  NamedModel named = model_named(catalog, text);
  if (named.row != nullptr) return named;
  const std::string wanted = letters_of(last_part(text));
  if (wanted.empty()) return named;
  for (const ModelRow& row : catalog.models()) {
    const auto is_wanted = [&](const std::string& name) { return letters_of(last_part(name)) == wanted; };
    const bool is_tuned = std::ranges::any_of(row.tuned(), is_wanted);
    if (!is_tuned && !is_wanted(row.id) && std::ranges::none_of(row.aliases(), is_wanted)) continue;
    named.row = &row;
    named.by_likeness = is_tuned;
    named.candidates.clear();
    return named;
  }
  return named;
}

std::string id_of_config(const Catalog& catalog, std::string_view text) {
  const NamedModel named = model_of_config(catalog, text);
  return named.row != nullptr ? named.row->id : std::string{text};
}

std::string model_text(const Catalog& catalog, std::string_view id) {
  const ModelRow* row = catalog.find_model(id);
  if (row == nullptr) return "";
  const auto slash = std::ranges::find_if(row->aliases(), [](const std::string& alias) { return alias.find('/') != std::string::npos; });
  return slash != row->aliases().end() ? *slash : row->id;
}

} // namespace plimsoll::io::configs
