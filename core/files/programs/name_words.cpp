#include "files/programs/name_words.hpp"

#include "catalog/names/words.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace plimsoll::io::programs {

namespace {

void add(std::set<std::string>& to, std::string_view name) {
  for (std::string& word : names::words_of(name)) to.insert(std::move(word));
}

} // namespace

NameWords::NameWords(const Catalog& catalog) {
  for (const ModelRow& row : catalog.models()) {
    add(models_, row.id);
    for (const std::vector<std::string>* list : {&row.aliases(), &row.tuned()})
      for (const std::string& name : *list) add(models_, name);
  }
  for (const DeviceRow& row : catalog.devices()) {
    for (const std::string* name : {&row.hardware.id, &row.hardware.name}) add(devices_, *name);
    for (const std::string& name : row.aliases) add(devices_, name);
  }
}

bool NameWords::may_be_model(std::string_view text) const {
  return std::ranges::any_of(names::words_of(text), [&](const std::string& word) { return !names::is_number(word) && !names::is_size(word) && models_.contains(word); });
}

bool NameWords::may_be_device(std::string_view text) const {
  return std::ranges::any_of(names::words_of(text), [&](const std::string& word) {
    return devices_.contains(word) || (word.ends_with('s') && devices_.contains(word.substr(0, word.size() - 1))); // "64 H100s"
  });
}

std::vector<std::string> models_like(const Catalog& catalog, const std::string& text) {
  std::vector<std::string> ids;
  for (const NamedModel named = model_named(catalog, text); const ModelRow* const row : named.candidates) ids.push_back(row->id);
  const names::Words words = names::words_of(text);
  if (!ids.empty() || words.size() != 1 || !names::is_size(words.front())) return ids;
  for (const ModelRow& row : catalog.models()) {
    const names::Words of_row = names::words_of(row.id);
    if (std::ranges::find(of_row, words.front()) != of_row.end()) ids.push_back(row.id);
  }
  std::ranges::reverse(ids); // families stand in the order in which they came out
  return ids;
}

bool has_form_of_device(std::string_view text) {
  constexpr std::array<std::string_view, 10> kLines{"gtx", "rtx", "rx", "tesla", "quadro", "titan", "geforce", "radeon", "instinct", "arc"};
  constexpr std::string_view kDigits = "0123456789";
  const auto is_code = [&](std::string_view word) {
    const std::size_t digits = word.find_first_of(kDigits);
    if (digits == word.npos || digits == 0 || digits > 2 || word.find_first_not_of(kDigits, digits) != word.npos) return false;
    return word.size() <= digits + 4 && (word.size() > digits + 1 || word.front() == 'm');
  };
  bool has_name = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    has_name = has_name || std::ranges::find(kLines, word) != kLines.end() || is_code(word);
    at = end + 1;
  }
  return has_name && text.find_first_of(kDigits) != text.npos;
}

} // namespace plimsoll::io::programs
