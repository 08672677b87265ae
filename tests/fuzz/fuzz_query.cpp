// libFuzzer entry point: URL queries. README.md says how to run it.
#include "invariants.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace plimsoll;
  static const io::Catalog catalog = io::Catalog::load();    // once, not for each of a million inputs
  const std::string broken = fuzz::broken_by_query(catalog, {reinterpret_cast<const char*>(bytes), size});
  if (broken.empty()) return 0;
  std::fprintf(stderr, "%s\n", broken.c_str());
  std::abort();
}
