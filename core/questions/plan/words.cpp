#include "questions/plan/words.hpp"

#include "text/plain_values.hpp"
#include "text/value.hpp"

#include <algorithm>
#include <utility>

namespace plimsoll::io {

std::vector<std::string> words_of(std::string_view list) {
  constexpr std::size_t kMostWords = 32;
  std::vector<std::string> words;
  while (!list.empty() && words.size() < kMostWords) {
    const std::string_view one = list.substr(0, list.find(','));
    list.remove_prefix(std::min(one.size() + 1, list.size()));
    if (std::string word = lower_case(trimmed(one)); !word.empty()) words.push_back(std::move(word));
  }
  return words;
}

} // namespace plimsoll::io
