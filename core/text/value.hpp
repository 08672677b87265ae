#pragma once
// From typed text to a field's value.

#include "plimsoll/method/fields.hpp"
#include "plimsoll/method/issue.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

/// The value that `text` states for an integer, choice or flag field; an issue and nothing when it states none. Integers may
/// have thousands separators ("8,192") and what amount_of() reads ("128k"). Ranges are validate()'s matter, except what 64 bits cannot hold.
std::optional<std::int64_t> parse_value(const Field& field, std::string_view text, Issues& issues);

/// The whole numbers of a list field (Field::list), "4,4,3"; an issue and nothing where one is none or outside the field's range.
std::optional<std::vector<std::int64_t>> parse_list(const Field& field, std::string_view text, Issues& issues);

/// Edits (insert, delete, replace) that turn `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// Those of `candidates` that are most like `text`, best first, at most `most`.
std::vector<std::string> most_similar(std::string_view text, const std::vector<std::string>& candidates, std::size_t most);

/// Those of `candidates` that `text` may be a slip of: a third of its letters differ at most, or one stands in the other. Best first, at most `most`.
std::vector<std::string> slips_of(std::string_view text, const std::vector<std::string>& candidates, std::size_t most);

/// "a, b or c".
std::string joined_with_or(const std::vector<std::string>& words);

/// ASCII letters in lower case.
std::string lower_case(std::string_view text);

} // namespace plimsoll::io
