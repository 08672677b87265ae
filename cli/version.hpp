#pragma once
// Which plimsoll this is.

#include <string>
#include <string_view>

namespace plimsoll::cli {

/// The commit, as the build wrote it (cmake/Commit.cmake); "" where there is no history.
std::string_view commit_text() noexcept;

/// "0.1.0 (1a2b3c4d5e6f)": the version, and the commit where it was built from a checkout.
std::string version_text();

} // namespace plimsoll::cli
