// libFuzzer's entry point to one target, which CMake names: PLIMSOLL_FUZZ_TARGET. scripts/fuzz runs them all.
#include "targets.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string broken = plimsoll::fuzz::targets::PLIMSOLL_FUZZ_TARGET({reinterpret_cast<const char*>(bytes), size});
  if (broken.empty()) return 0;
  std::fprintf(stderr, "BROKEN: %s\n", broken.c_str());
  std::abort();
}
