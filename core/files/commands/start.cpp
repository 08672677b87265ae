// Whether words start an engine.
#include "files/commands/request_builder.hpp"
#include "files/training/format.hpp"

#include <algorithm>

namespace plimsoll::io::commands {

namespace {

std::string_view base_name(std::string_view word) { return word.substr(std::min(word.find_last_of("/\\") + 1, word.size())); }

bool is_at(const Marker& marker, const std::vector<Word>& words, std::size_t i) {
  const std::string& word = words[i].text;
  if (base_name(word) != marker.program) return false;
  if (!marker.then.empty() && (i + 1 >= words.size() || words[i + 1].text != marker.then)) return false;
  return marker.but.empty() || i + 2 >= words.size() || !configs::names(marker.but, words[i + 2].text);
}

} // namespace

Start start_at(const std::vector<Word>& words, std::size_t i) {
  for (const Engine* engine : engines())
    for (const Marker& marker : engine->markers)
      if (i < words.size() && is_at(marker, words, i)) {
        const std::size_t first = i + (marker.then.empty() ? 1u : 2u);
        if (first + 1 == words.size() && configs::names("--version --help -h --list-devices", words[first].text)) return {}; // it prints and ends
        const bool word = marker.takes_word && first < words.size() && !words[first].text.starts_with('-');
        return {engine, first + (word ? 1u : 0u)};
      }
  return {};
}

} // namespace plimsoll::io::commands
