#include "version.hpp"

#include "plimsoll/results/api.hpp"

namespace plimsoll::cli {

std::string version_text() {
  const std::string commit{commit_text()};
  return std::string{io::version()} + (commit.empty() ? "" : " (" + commit + ")");
}

} // namespace plimsoll::cli
