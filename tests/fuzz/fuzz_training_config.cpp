// libFuzzer entry point: the reader of one format of training configurations (PLIMSOLL_CONFIG_FORMAT), and now and then the whole way
// through recognition, an answer and back into a file. README.md says how to run it.
#include "training_config_invariants.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace plimsoll;
  static const io::Catalog catalog = io::Catalog::load();
  const std::string_view text{reinterpret_cast<const char*>(bytes), size};
  const auto sum = std::accumulate(text.begin(), text.end(), std::uint32_t{0}, [](std::uint32_t sum, char c) { return 31 * sum + static_cast<unsigned char>(c); });
  const std::string broken = sum % 256 == 0 ? fuzz::broken_by_training_config(catalog, text) : fuzz::broken_by_reader(catalog, PLIMSOLL_CONFIG_FORMAT, text);
  if (broken.empty()) return 0;
  std::fprintf(stderr, "%s\n", broken.c_str());
  std::abort();
}
