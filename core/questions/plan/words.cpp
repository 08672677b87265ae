#include "questions/plan/words.hpp"

#include "text/plain_values.hpp"
#include "text/value.hpp"
#include "text/words.hpp"

#include <utility>

namespace plimsoll::io {

std::vector<std::string> words_of(std::string_view list) {
  constexpr std::size_t kMostWords = 32;
  std::vector<std::string> words;
  for (const std::string_view one : parts_of(list, ','))
    if (std::string word = lower_case(trimmed(one)); !word.empty() && words.size() < kMostWords) words.push_back(std::move(word));
  return words;
}

} // namespace plimsoll::io
