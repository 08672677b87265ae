#pragma once
// Regular expressions of one line, as people write them for names of tensors.

#include <optional>
#include <string_view>

namespace plimsoll::io::commands {

/// Whether the pattern is found somewhere in the text: letters, ".", "\d", "\w", "\s", "[a-z]", "(a|b)", "(?:a)", "*", "+", "?", "{2,3}",
/// "^" and "$" of ECMAScript's grammar. Nothing for what is none of these, or would take too long.
std::optional<bool> is_found(std::string_view pattern, std::string_view text);

} // namespace plimsoll::io::commands
