#pragma once
// What several invariants ask.

#include "plimsoll/method/issue.hpp"

#include <cstdint>
#include <exception>
#include <initializer_list>
#include <string>
#include <string_view>

namespace plimsoll::fuzz {

/// First failure wins; "" means that all of them held.
inline std::string first_of(std::initializer_list<std::string> failures) {
  for (const std::string& failure : failures)
    if (!failure.empty()) return failure;
  return "";
}

/// Every issue says what is wrong and what to do.
inline std::string broken_issues(const Issues& issues) {
  for (const Issue& issue : issues) {
    if (issue.message.empty()) return "an issue about '" + issue.field + "' says nothing";
    if (issue.remedy.empty()) return "no remedy: " + issue.message;
  }
  return "";
}

/// What is broken may be a megabyte long; its beginning tells which it is.
inline std::string shortened(const std::string& text) { return text.size() > 2000 ? text.substr(0, 2000) + " ..." : text; }

/// Nothing of the estimator may throw on a text.
template <class Function> std::string guarded(Function&& function) {
  try {
    return shortened(function());
  } catch (const std::exception& error) {
    return std::string{"it throws: "} + error.what();
  }
}

/// The same for every platform: which inputs also go a way that takes a thousand times as long.
inline bool once_in(std::uint32_t n, std::string_view input) {
  std::uint32_t sum = 0;
  for (const char c : input) sum = 31 * sum + static_cast<unsigned char>(c);
  return sum % n == 0;
}

} // namespace plimsoll::fuzz
