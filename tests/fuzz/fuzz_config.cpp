// libFuzzer entry point: Hugging Face config.json files. README.md says how to run it.
#include "invariants.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace plimsoll;
  static const io::Catalog catalog = io::Catalog::load(); // once, not for each of a million inputs
  const std::string_view config{reinterpret_cast<const char*>(bytes), size};
  // One input in two thousand goes the whole way to an answer, which takes as long as the import of a thousand others.
  const auto sum = std::accumulate(config.begin(), config.end(), std::uint32_t{0}, [](std::uint32_t sum, char c) { return 31 * sum + static_cast<unsigned char>(c); });
  const std::string broken = sum % 2048 == 0 ? fuzz::broken_by_config(catalog, config) : fuzz::broken_by_import(config);
  if (broken.empty()) return 0;
  std::fprintf(stderr, "%s\n", broken.c_str());
  std::abort();
}
