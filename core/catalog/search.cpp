#include "plimsoll/catalog/search.hpp"

#include "plimsoll/method/composition.hpp"
#include "method/sort_stably.hpp"
#include "text/json.hpp"
#include "text/value.hpp"
#include "text/words.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace plimsoll::io {

namespace {

/// A text as it is compared: letters in lower case, digits, dots and whatever is not ASCII, without the signs between words.
struct Letters {
  std::string text;
  std::vector<std::size_t> words; ///< where each word begins

  bool begins_word(std::size_t at) const { return std::ranges::binary_search(words, at); }
  bool ends_word(std::size_t at) const { return at == text.size() || begins_word(at); }
  std::string_view word(std::size_t i) const {
    const std::size_t end = i + 1 < words.size() ? words[i + 1] : text.size();
    return std::string_view{text}.substr(words[i], end - words[i]);
  }
};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || static_cast<unsigned char>(c) >= 0x80;
}

Letters letters_of(std::string_view text) {
  Letters letters;
  bool between = true;
  for (const char c : text) {
    if (is_letter(c)) {
      if (between) letters.words.push_back(letters.text.size());
      letters.text += lower_case(c);
    }
    between = !is_letter(c);
  }
  return letters;
}

/// How well a row is found; the smaller the better.
enum class Rank : unsigned char { is_it_with_signs, is_it, begins_with_words, begins_with, word_is_it, word_begins, words_begin, inside, words_inside, not_found };

/// The best place of `wanted` in one text.
Rank place_in(const Letters& text, const Letters& wanted) {
  if (text.text == wanted.text) return Rank::is_it;
  Rank best = Rank::not_found;
  for (std::size_t at = text.text.find(wanted.text); at != std::string::npos; at = text.text.find(wanted.text, at + 1)) {
    const bool whole = text.ends_word(at + wanted.text.size());
    if (at == 0) best = std::min(best, whole ? Rank::begins_with_words : Rank::begins_with);
    else if (text.begins_word(at)) best = std::min(best, whole ? Rank::word_is_it : Rank::word_begins);
    else best = std::min(best, Rank::inside);
  }
  return best;
}

bool has_word_beginning(const Letters& text, std::string_view beginning) {
  return std::ranges::any_of(text.words, [&](std::size_t at) { return std::string_view{text.text}.substr(at).starts_with(beginning); });
}

/// Every text of a row, as it is compared.
std::vector<Letters> texts_of(const SearchRow& row) {
  std::vector<Letters> texts{letters_of(row.id), letters_of(row.name)};
  for (const std::string& alias : row.aliases) texts.push_back(letters_of(alias));
  return texts;
}

/// Equal but for capital letters.
bool same_text(std::string_view one, std::string_view other) noexcept { return one.size() == other.size() && has_text(one, other); }

/// Whether a row is called so to the sign: mistral:7b is one model, mistral-7b another.
bool is_called(const SearchRow& row, std::string_view text) {
  const auto same = [&](std::string_view name) { return same_text(name, text); };
  return same(row.id) || same(row.name) || std::ranges::any_of(row.aliases, same);
}

Rank rank_of(const SearchRow& row, const Letters& wanted) {
  std::vector<Letters> texts = texts_of(row);
  Rank best = Rank::not_found;
  for (const Letters& text : texts) best = std::min(best, place_in(text, wanted));
  if (best <= Rank::word_begins) return best;
  texts.push_back(letters_of(row.note));
  bool all_begin = true, all_inside = true;
  for (std::size_t i = 0; i < wanted.words.size(); ++i) {
    const std::string_view word = wanted.word(i);
    all_begin = all_begin && std::ranges::any_of(texts, [&](const Letters& text) { return has_word_beginning(text, word); });
    all_inside = all_inside && std::ranges::any_of(texts, [&](const Letters& text) { return text.text.find(word) != std::string::npos; });
  }
  return std::min(best, all_begin ? Rank::words_begin : all_inside ? Rank::words_inside : Rank::not_found);
}

/// Letters to insert, delete or replace until `wanted` is what `text` begins with.
std::size_t slips(std::string_view wanted, std::string_view text, std::size_t most) {
  text = text.substr(0, wanted.size() + most); // what follows could only cost more
  std::vector<std::size_t> row(wanted.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  std::size_t fewest = row.back();
  for (std::size_t j = 1; j <= text.size(); ++j) {
    std::size_t diagonal = std::exchange(row[0], j);
    for (std::size_t i = 1; i <= wanted.size(); ++i) {
      const std::size_t above = row[i];
      row[i] = std::min({above + 1, row[i - 1] + 1, diagonal + (wanted[i - 1] == text[j - 1] ? 0 : 1)});
      diagonal = above;
    }
    fewest = std::min(fewest, row.back());
  }
  return fewest;
}

/// Indices in order of their score, without those of `none`.
template <class Score> std::vector<std::size_t> in_order(const std::vector<Score>& scores, Score none) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < scores.size(); ++i)
    if (scores[i] < none) found.push_back(i);
  sort_stably(found, {}, [&](std::size_t i) { return scores[i]; });
  return found;
}

std::vector<std::size_t> similar(std::span<const SearchRow> rows, const Letters& wanted) {
  constexpr std::size_t kFewestLetters = 3, kLettersPerSlip = 6; // fewer letters are like everything
  if (wanted.text.size() < kFewestLetters) return {};
  const std::size_t most = std::max<std::size_t>(1, wanted.text.size() / kLettersPerSlip);
  std::vector<std::size_t> scores;
  for (const SearchRow& row : rows) {
    std::size_t fewest = most + 1;
    for (const Letters& text : texts_of(row)) fewest = std::min(fewest, slips(wanted.text, text.text, most));
    scores.push_back(fewest);
  }
  return in_order(scores, most + 1);
}

} // namespace

std::vector<std::size_t> search(std::span<const SearchRow> rows, std::string_view text) {
  const Letters wanted = letters_of(text.substr(0, kMostSearched));
  std::vector<Rank> ranks;
  for (const SearchRow& row : rows) {
    if (wanted.text.empty()) ranks.push_back(Rank::is_it);
    else ranks.push_back(is_called(row, text) ? Rank::is_it_with_signs : rank_of(row, wanted));
  }
  std::vector<std::size_t> found = in_order(ranks, Rank::not_found);
  return found.empty() ? similar(rows, wanted) : found;
}

std::vector<SearchRow> rows_of(const Catalog& catalog, std::string_view field) {
  std::vector<SearchRow> rows;
  if (field == "model" || role_of(field)) {
    for (const ModelRow& row : catalog.models()) rows.push_back({row.id, row.name, row.family, row.aliases()});
    if (field == "model") rows.push_back({kCustomModel, "Custom model", "every fact is yours", {}});
  }
  if (field == "device")
    for (const DeviceRow& row : catalog.devices()) rows.push_back({row.hardware.id, row.hardware.name, row.vendor, row.aliases});
  if (field == "weight_dtype")
    for (const WeightSchemeRow& row : catalog.weights().schemes()) rows.push_back({row.id, row.name, row.engine, row.aliases});
  if (field == "profile")
    for (const Catalog::ProfileRow& row : catalog.profiles()) rows.push_back({row.id, row.name, {}, {}});
  return rows;
}

const SearchRow* find_row(std::span<const SearchRow> rows, std::string_view id) noexcept {
  const auto is_it = [&](std::string_view text) { return same_text(text, id); };
  const auto at = std::ranges::find_if(rows, [&](const SearchRow& row) { return is_it(row.id) || std::ranges::any_of(row.aliases, is_it); });
  return at != rows.end() ? &*at : nullptr;
}

bool has_text(std::string_view text, std::string_view part) noexcept {
  const auto lower = [](char c) { return lower_case(c); };
  return part.empty() || !std::ranges::search(text, part, {}, lower, lower).empty();
}

std::string search_json(const Catalog& catalog, std::string_view field, std::string_view text) {
  const std::vector<SearchRow> rows = rows_of(catalog, field);
  Json ids = Json::array();
  for (const std::size_t i : search(rows, text)) ids.push_back(rows[i].id);
  return dump(ids);
}

} // namespace plimsoll::io
