#pragma once
// The question of a link.

#include "plimsoll/files/import.hpp"

#include <string_view>

namespace plimsoll::io::programs {

/// The question of a link, or of what stands behind its '?'; false where it has none of our inputs.
bool read_link(std::string_view text, ImportedText& into);

} // namespace plimsoll::io::programs
