#pragma once
// Finding a row of the catalogue by a few letters. One ranking for the command line, the app and the page, so that the same
// letters find the same rows everywhere, in the same order.

#include "plimsoll/catalog/catalog.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

/// One thing that can be found. The texts belong to whoever made the row.
struct SearchRow {
  std::string_view id;
  std::string_view name;
  std::string_view note;                ///< what it belongs to, e.g. its family: found too, but last
  std::span<const std::string> aliases; ///< as good as the id
};

/// Indices of the rows that `text` finds, best first; rows that are found equally well stay in their order. Letter case does not
/// matter, and neither do spaces, hyphens and other signs between words: "llama3" finds "llama-3-8b". In this order:
///   1. an id, a name or an alias is the text, begins with it up to the end of a word, or begins with it
///   2. one of their words begins with it, or every word of the text begins one of theirs
///   3. it stands somewhere inside, or every word of it does
///   4. only when nothing of all that is found: rows that begin with almost the same letters (for slips of the finger)
/// An empty text finds every row. At most kMostSearched bytes of it are looked at.
std::vector<std::size_t> search(std::span<const SearchRow> rows, std::string_view text);

inline constexpr std::size_t kMostSearched = 64;

/// What the field of that name can be set to, in the order of the catalogue: for the fields "model" (the custom one comes last),
/// "device", "weight_dtype" and "profile". Empty for any other field. The rows point into the catalogue.
std::vector<SearchRow> rows_of(const Catalog& catalog, std::string_view field);

/// The row of that id or alias, letter case ignored; null when there is none.
const SearchRow* find_row(std::span<const SearchRow> rows, std::string_view id) noexcept;

/// Whether `part` stands anywhere in `text`, the case of ASCII letters ignored: what filters tables. Every text has an empty one.
bool has_text(std::string_view text, std::string_view part) noexcept;

/// ["qwen3-coder-480b-a35b", ...]: the ids of the rows of that field that `text` finds, best first; [] for a field that has no rows.
std::string search_json(const Catalog& catalog, std::string_view field, std::string_view text);

} // namespace plimsoll::io
