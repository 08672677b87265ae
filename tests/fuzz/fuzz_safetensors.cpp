// libFuzzer entry point: safetensors headers and their index. README.md says how to run it.
#include "tensor_file_invariants.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace plimsoll;
  // The input is the JSON of a header; an index is tried as it is. Every eighth input has a length of its own, right or wrong.
  std::string file;
  const std::string_view text{reinterpret_cast<const char*>(bytes), size};
  if (text.find("weight_map") == text.npos && size % 8 != 0)
    for (unsigned i = 0; i < 8; ++i) file += static_cast<char>(size >> (8 * i) & 0xFF);
  file += text;
  const std::string broken = fuzz::broken_by_tensor_file(file, size % 2 ? file.size() + 64 : file.size(), size % 61 == 0);
  if (broken.empty()) return 0;
  std::fprintf(stderr, "%s\n", broken.c_str());
  std::abort();
}
