#pragma once
// Two texts side by side, for a message that says which lines differ.

#include "folder.hpp"

namespace plimsoll::test {

/// The first differences: a heading "path:line" for each, then lines of "expected" and "actual"; "" when there are none.
std::string differences(const std::string& path, const Lines& expected, const Lines& actual);

} // namespace plimsoll::test
