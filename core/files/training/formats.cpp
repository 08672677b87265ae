#include "files/training/format.hpp"

#include <algorithm>
#include <array>

namespace plimsoll::io::configs {

std::span<const Format* const> formats() noexcept {
#define PLIMSOLL_FORMAT(name) &name(),
  static const std::array kFormats{
#include "files/training/formats.inc"
  };
#undef PLIMSOLL_FORMAT
  return kFormats;
}

namespace {

/// One name of a table against a path: '*' at its end stands for any rest, "[]" for a place in a list.
bool matches(std::string_view name, std::string_view path) {
  std::size_t i = 0, j = 0;
  for (; i < name.size() && j < path.size(); ++i, ++j) {
    if (name[i] == '*' && i + 1 == name.size()) return true;
    if (name[i] != path[j]) return false;
    if (name[i] == '[' && i + 1 < name.size() && name[i + 1] == ']')
      while (j + 1 < path.size() && path[j + 1] != ']') ++j;
  }
  return (i == name.size() && j == path.size()) || (j == path.size() && i + 1 == name.size() && name[i] == '*');
}

} // namespace

bool names(std::string_view keys, std::string_view path, Names which) {
  while (!keys.empty()) {
    const std::size_t end = std::min(keys.find_first_of(" \n"), keys.size());
    if (end > 0 && (which == Names::exact ? keys.substr(0, end) == path : matches(keys.substr(0, end), path))) return true;
    keys.remove_prefix(std::min(end + 1, keys.size()));
  }
  return false;
}

} // namespace plimsoll::io::configs
