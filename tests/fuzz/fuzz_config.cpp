// libFuzzer entry point: Hugging Face config.json files. README.md says how to run it.
#include "invariants.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace plimsoll;
  static const io::Catalog catalog = io::Catalog::load(); // once, not for each of a million inputs
  const std::string_view config{reinterpret_cast<const char*>(bytes), size};
  // One input in sixty-one goes the whole way to an answer, which takes longer than the import of all the others.
  const std::string broken = size % 61 == 0 ? fuzz::broken_by_config(catalog, config) : fuzz::broken_by_import(config);
  if (broken.empty()) return 0;
  std::fprintf(stderr, "%s\n", broken.c_str());
  std::abort();
}
