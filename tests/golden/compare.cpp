#include "compare.hpp"

#include <algorithm>
#include <utility>

namespace plimsoll::test {

namespace {

constexpr std::size_t kFar = 60;   ///< lines within which two texts are looked for to meet again
constexpr std::size_t kPlaces = 4; ///< that are shown
constexpr std::size_t kShown = 3;  ///< lines of each text at a place

/// How many lines of each to pass until they meet again: as few as can be.
std::pair<std::size_t, std::size_t> apart(const Lines& expected, std::size_t e, const Lines& actual, std::size_t a) {
  const std::size_t left = expected.size() - e, right = actual.size() - a;
  for (std::size_t sum = 1; sum <= kFar; ++sum)
    for (std::size_t skipped = 0; skipped <= std::min(sum, left); ++skipped) {
      const std::size_t added = sum - skipped;
      if (added > right) continue;
      if (skipped == left && added == right) return {skipped, added};
      if (skipped < left && added < right && expected[e + skipped] == actual[a + added]) return {skipped, added};
    }
  return {left, right};
}

std::string shown(const char* whose, const Lines& lines, std::size_t from, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < std::min(count, kShown); ++i) text += std::string{"  "} + whose + "  " + lines[from + i] + "\n";
  if (count > kShown) text += std::string{"  "} + whose + "  and " + std::to_string(count - kShown) + " more\n";
  return text;
}

} // namespace

std::string differences(const std::string& path, const Lines& expected, const Lines& actual) {
  std::string text;
  std::size_t places = 0;
  for (std::size_t e = 0, a = 0; e < expected.size() || a < actual.size();) {
    if (e < expected.size() && a < actual.size() && expected[e] == actual[a]) {
      ++e, ++a;
      continue;
    }
    const auto [skipped, added] = apart(expected, e, actual, a);
    if (++places <= kPlaces)
      text += path + ":" + std::to_string(e + 1) + "\n" + shown("expected", expected, e, skipped) + shown("actual  ", actual, a, added);
    e += skipped, a += added;
  }
  if (places > kPlaces) text += path + ": and " + std::to_string(places - kPlaces) + " more places\n";
  return text;
}

} // namespace plimsoll::test
