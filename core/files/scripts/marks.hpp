#pragma once
// What stands in a word in place of a value that nobody knows: a variable that no line sets, or one whose value only the machine knows.
// A mark is one letter, the variable's name and one letter that ends it; none of these letters is in a text that people write.

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io::scripts {

inline constexpr char kUnset = '\x01', kUnknown = '\x03', kEnd = '\x02';

/// In place of the value of a variable that is never set: the shell takes it as empty.
std::string unset_mark(std::string_view name);
/// In place of a value that only running the script tells; `name` is what to ask for, "" where nothing has a name.
std::string unknown_mark(std::string_view name);

bool has_mark(std::string_view text);
/// Whether it has one of those whose value only running the script tells.
bool has_unknown(std::string_view text);
/// Whether the last part of a path, which names a model, has none.
bool ends_known(std::string_view path);
/// Names of the marks, each once.
std::vector<std::string> marked_names(std::string_view text);
/// With $NAME in place of marks: what people read.
std::string shown(std::string_view text);
/// Without marks of variables that are never set: what the shell takes it as.
std::string without_unset(std::string_view text);
/// Without the letters of marks: for texts of unknown origin.
std::string unmarked(std::string_view text);

} // namespace plimsoll::io::scripts
