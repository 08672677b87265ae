#include "evidence/words.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace plimsoll::io::accuracy {

namespace {

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Number of words that the phrase takes at `at`; 0 when it does not stand there.
std::size_t matched(const std::vector<std::string>& words, std::size_t at, std::string_view phrase) {
  std::size_t taken = 0;
  while (!phrase.empty()) {
    const std::string_view word = phrase.substr(0, phrase.find(' '));
    if (at + taken >= words.size() || words[at + taken] != word) return 0;
    phrase.remove_prefix(std::min(phrase.size(), word.size() + 1));
    ++taken;
  }
  return taken;
}

} // namespace

bool Understood::says(int meaning) const noexcept { return std::ranges::find(meanings, meaning) != meanings.end(); }

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool point = text[i] == '.' && i > 0 && is_digit(text[i - 1]) && i + 1 < text.size() && is_digit(text[i + 1]);
    if (is_digit(text[i]) || is_letter(text[i]) || point) word += lower(text[i]);
    else if (!word.empty()) words.push_back(std::exchange(word, {}));
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

Understood understand(std::string_view text, std::span<const Phrase> phrases) {
  const std::vector<std::string> words = words_of(text);
  Understood result;
  for (std::size_t at = 0; at < words.size();) {
    std::size_t taken = 0;
    int meaning = kNothing;
    for (const Phrase& phrase : phrases)
      if (const std::size_t length = matched(words, at, phrase.text); length > taken) {
        taken = length;
        meaning = phrase.meaning;
      }
    if (taken == 0) result.rest += (result.rest.empty() ? "" : " ") + words[at];
    else if (meaning != kNothing) result.meanings.push_back(meaning);
    at += std::max<std::size_t>(taken, 1);
  }
  return result;
}

std::string letters_of(std::string_view text) {
  std::string letters;
  for (const char c : text)
    if (is_digit(c) || is_letter(c)) letters += lower(c);
  return letters;
}

bool contains_word(std::string_view text, std::string_view phrase) {
  const std::vector<std::string> words = words_of(text);
  for (std::size_t at = 0; at < words.size(); ++at)
    if (matched(words, at, phrase) > 0) return true;
  return false;
}

std::optional<Version> version_after(std::string_view text, std::string_view program) {
  const std::vector<std::string> words = words_of(text);
  const auto name = std::ranges::find(words, program);
  if (name == words.end() || name + 1 == words.end() || !is_digit((name + 1)->front())) return std::nullopt;
  Version version{};
  std::size_t part = 0;
  for (const char c : *(name + 1)) {
    if (c == '.') {
      if (++part == version.size()) break;
    } else if (is_digit(c) && version[part] < 100'000) {
      version[part] = version[part] * 10 + (c - '0');
    }
  }
  return version;
}

} // namespace plimsoll::io::accuracy
