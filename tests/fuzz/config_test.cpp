// Hugging Face config.json files, damaged.
#include "invariants.hpp"
#include "mutate.hpp"
#include "texts.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace plimsoll;
using namespace plimsoll::fuzz;

namespace {

constexpr int kTries = 600;    // a few seconds in a debug build with sanitizers
constexpr std::size_t kDeep = 100'000;

} // namespace

TEST_CASE("the real configs are imported", "[fuzz]") {
  const io::Catalog catalog = io::Catalog::load();
  for (const std::string& config : real_configs()) {
    CAPTURE(config);
    REQUIRE(broken_by_config(catalog, config) == "");
  }
}

TEST_CASE("a damaged config is imported or refused", "[fuzz]") {
  const io::Catalog catalog = io::Catalog::load();
  const std::vector<std::string> configs = real_configs();
  Random random{21};
  for (int i = 0; i < kTries; ++i) {
    const std::string config = mutated(random.one_of(std::span<const std::string>{configs}), random);
    CAPTURE(i, config);
    REQUIRE(broken_by_config(catalog, config) == "");
  }
}

TEST_CASE("a config cut off anywhere is refused", "[fuzz]") {
  const io::Catalog catalog = io::Catalog::load();
  const std::string config = real_configs().front();
  for (std::size_t length = 0; length < config.size(); ++length) {
    CAPTURE(length);
    REQUIRE(broken_by_config(catalog, config.substr(0, length)) == "");
  }
}

TEST_CASE("a deeply nested config is refused", "[fuzz]") {
  const io::Catalog catalog = io::Catalog::load();
  CHECK(broken_by_config(catalog, nested("[", "", "]", kDeep)) == "");
  CHECK(broken_by_config(catalog, nested(R"({"text_config":)", "{}", "}", kDeep)) == "");
  CHECK(broken_by_config(catalog, R"({"model_type":)" + nested("[", "", "]", kDeep) + "}") == "");
  CHECK(broken_by_config(catalog, R"({"model_type":"llama","hidden_size":)" + nested("[", "", "]", kDeep) + "}") == "");
  CHECK(broken_by_config(catalog, R"({"model_type":"mistral","sliding_window":4096,"layer_types":[)" + nested("[", "", "]", kDeep) + "]}") == "");
}
