#include "text/unknown_members.hpp"

#include "text/value.hpp"

#include <algorithm>

namespace plimsoll::io {

void warn_of_unknown(const Json& object, const std::vector<std::string>& known, const std::string& path, Issues& issues) {
  constexpr std::ptrdiff_t kMostWarnings = 8; // somebody else's file has nothing but unknown ones
  for (const auto& [key, value] : object.items()) {
    if (std::ranges::find(known, key) != known.end()) continue;
    const std::string name = std::string{key}.substr(0, 64), message = quoted(std::string_view{key}) + " is not a member that is read; it is ignored.";
    if (std::ranges::find(issues, message, &Issue::message) != issues.end()) continue;
    if (std::ranges::count(issues, Severity::warning, &Issue::severity) >= kMostWarnings) return;
    issues.push_back({Severity::warning, path.empty() ? name : path + "." + name, message, "Did you mean " + joined_with_or(most_similar(key, known, 2)) + "? Otherwise leave it out."});
  }
}

} // namespace plimsoll::io
