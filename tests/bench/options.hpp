#pragma once
// What every benchmark of this folder can be asked for.

#include <cstdio>
#include <optional>
#include <string_view>

namespace plimsoll::bench {

struct Options {
  bool json = false;
  bool smoke_test = false; ///< enough to see that it runs; the times mean nothing then
};

/// Nothing, after a line that says how to call it, where something else is asked for.
inline std::optional<Options> read_options(int argc, char** argv, const char* program) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    if (option == "--json") options.json = true;
    else if (option == "--smoke-test") options.smoke_test = true;
    else {
      std::fprintf(stderr, "usage: %s [--json] [--smoke-test]\n", program);
      return std::nullopt;
    }
  }
  return options;
}

} // namespace plimsoll::bench
