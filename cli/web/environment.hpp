#pragma once

#include <cstdlib>
#include <string>

namespace plimsoll::cli {

/// A variable of the environment; "" where it is not set.
inline std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

} // namespace plimsoll::cli
