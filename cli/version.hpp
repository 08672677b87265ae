#pragma once
// Which plimsoll this is.

#include <string>

namespace plimsoll::cli {

/// "0.1.0 (1a2b3c4d5e6f)": the version, and the commit where it was built from a checkout.
std::string version_text();

} // namespace plimsoll::cli
