#pragma once
// Headers of files that were fetched before.

#include <cstdint>
#include <optional>
#include <string>

namespace plimsoll::cli {

struct CachedFile {
  std::string etag;       ///< as the server told it; "" where it did not
  std::uint64_t size = 0; ///< of the whole file
  std::string bytes;      ///< its beginning
};

/// In $PLIMSOLL_CACHE, or else in the folder plimsoll of $XDG_CACHE_HOME or ~/.cache. Nothing where the folder has no such file, or a broken one.
std::optional<CachedFile> cached(const std::string& url);
/// Keeps it where the folder can be written; otherwise it is fetched again next time.
void keep(const std::string& url, const CachedFile& file);

} // namespace plimsoll::cli
