#pragma once
// Values of a question that are no fields: lists.

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

/// "a, B" as two words in lower case, without the spaces around them; at most 32, none empty.
std::vector<std::string> words_of(std::string_view list);

} // namespace plimsoll::io
