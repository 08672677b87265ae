// libFuzzer entry point: GGUF headers. README.md says how to run it.
#include "tensor_file_invariants.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace plimsoll;
  constexpr std::size_t kMagic = 4;
  const std::string_view text{reinterpret_cast<const char*>(bytes), size};
  if (size >= kMagic && text.substr(0, kMagic) != "GGUF") return -1; // another format: not worth keeping
  const std::string broken = fuzz::broken_by_tensor_file(text, size % 2 ? 2 * size : size, size % 61 == 0);
  if (broken.empty()) return 0;
  std::fprintf(stderr, "%s\n", broken.c_str());
  std::abort();
}
