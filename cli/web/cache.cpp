#include "web/cache.hpp"

#include "web/environment.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace plimsoll::cli {

namespace {

constexpr const char* kFirstLine = "plimsoll header 1";

std::filesystem::path folder() {
  if (const std::string own = environment("PLIMSOLL_CACHE"); !own.empty()) return own;
  if (const std::string all = environment("XDG_CACHE_HOME"); !all.empty()) return std::filesystem::path{all} / "plimsoll";
  const std::string home = environment("HOME");
  return home.empty() ? std::filesystem::path{} : std::filesystem::path{home} / ".cache" / "plimsoll";
}

/// FNV-1a: a name, and no proof; the address stands in the file.
std::filesystem::path path_of(const std::string& url) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : url) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  constexpr const char* kDigits = "0123456789abcdef";
  std::string name;
  for (int shift = 60; shift >= 0; shift -= 4) name += kDigits[hash >> shift & 15];
  return folder() / name;
}

} // namespace

std::optional<CachedFile> cached(const std::string& url) {
  if (folder().empty()) return {};
  std::ifstream in{path_of(url), std::ios::binary};
  CachedFile file;
  std::string first, address, size, count;
  if (!std::getline(in, first) || first != kFirstLine || !std::getline(in, address) || address != url) return {};
  if (!std::getline(in, file.etag) || !std::getline(in, size) || !std::getline(in, count)) return {};
  file.bytes.assign(std::istreambuf_iterator<char>{in}, {});
  file.size = std::strtoull(size.c_str(), nullptr, 10);
  if (file.bytes.size() != std::strtoull(count.c_str(), nullptr, 10) || file.bytes.size() > file.size) return {};
  return file;
}

void keep(const std::string& url, const CachedFile& file) {
  if (folder().empty() || (url + file.etag).find('\n') != std::string::npos) return;
  std::error_code failed;
  std::filesystem::create_directories(folder(), failed);
  const std::filesystem::path path = path_of(url);
  std::filesystem::path half = path; // a reader never sees half a file
  half += "." + std::to_string(getpid());
  {
    std::ofstream out{half, std::ios::binary};
    out << kFirstLine << '\n' << url << '\n' << file.etag << '\n' << file.size << '\n' << file.bytes.size() << '\n' << file.bytes;
    if (!out) failed = std::make_error_code(std::errc::io_error);
  }
  if (!failed) std::filesystem::rename(half, path, failed);
  if (failed) std::filesystem::remove(half, failed);
}

} // namespace plimsoll::cli
