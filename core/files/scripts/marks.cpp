#include "files/scripts/marks.hpp"

#include <algorithm>
#include <utility>

namespace plimsoll::io::scripts {

namespace {

bool begins_mark(char c) noexcept { return c == kUnset || c == kUnknown; }

/// Gives each mark of the text to `each(letter, name)` and everything else to `plain(letter)`.
template <class Each, class Plain> void walk(std::string_view text, Each each, Plain plain) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t end = begins_mark(text[at]) ? text.find(kEnd, at) : std::string_view::npos;
    if (end == std::string_view::npos) {
      plain(text[at]);
      continue;
    }
    each(text[at], text.substr(at + 1, end - at - 1));
    at = end;
  }
}

} // namespace

std::string unset_mark(std::string_view name) { return kUnset + std::string{name} + kEnd; }
std::string unknown_mark(std::string_view name) { return kUnknown + std::string{name} + kEnd; }
bool has_mark(std::string_view text) { return std::ranges::any_of(text, begins_mark); }
bool has_unknown(std::string_view text) { return text.find(kUnknown) != std::string_view::npos; }

bool ends_known(std::string_view path) {
  const std::size_t slash = path.find_last_of('/');
  return slash != std::string_view::npos && slash + 1 < path.size() && !has_mark(path.substr(slash + 1));
}

std::vector<std::string> marked_names(std::string_view text) {
  std::vector<std::string> names;
  const auto add = [&](char, std::string_view name) {
    if (!name.empty() && std::ranges::find(names, name) == names.end()) names.emplace_back(name);
  };
  walk(text, add, [](char) {});
  return names;
}

std::string shown(std::string_view text) {
  std::string plain;
  walk(text, [&](char, std::string_view name) { plain += name.empty() ? "$(…)" : "$" + std::string{name}; }, [&](char c) { plain += c; });
  return plain;
}

std::string without_unset(std::string_view text) {
  std::string plain;
  walk(text, [&](char kind, std::string_view name) { plain += kind == kUnknown ? unknown_mark(name) : ""; }, [&](char c) { plain += c; });
  return plain;
}

std::string unmarked(std::string_view text) {
  std::string plain{text};
  std::erase_if(plain, [](char c) { return begins_mark(c) || c == kEnd; });
  return plain;
}

} // namespace plimsoll::io::scripts
