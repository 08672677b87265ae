#include "files/programs/name_words.hpp"

#include "catalog/names/words.hpp"

#include <algorithm>
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
    for (const std::vector<std::string>* list : {&row.aliases, &row.tuned})
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

} // namespace plimsoll::io::programs
