// Configuration files of training frameworks, damaged.
#include "mutate.hpp"
#include "texts.hpp"
#include "training_config_invariants.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

using namespace plimsoll;
using namespace plimsoll::fuzz;

namespace {

constexpr int kTries = 30;  // of each file
constexpr std::size_t kDeep = 100'000;

struct File {
  std::string format, text;
};

std::vector<File> files() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator{PLIMSOLL_SOURCE_DIR "/tests/corpus/configs"})
    if (entry.is_regular_file()) paths.push_back(entry.path());
  std::ranges::sort(paths);
  std::vector<File> files;
  for (const auto& path : paths) {
    std::ifstream stream{path, std::ios::binary};
    files.push_back({path.parent_path().filename().string(), {std::istreambuf_iterator<char>{stream}, {}}});
  }
  return files;
}

} // namespace

TEST_CASE("a damaged training configuration is read or refused", "[fuzz]") {
  const io::Catalog catalog = io::Catalog::load();
  Random random{77};
  for (const File& file : files()) {
    REQUIRE(broken_by_training_config(catalog, file.text) == "");
    for (int i = 0; i < kTries; ++i) {
      const std::string text = mutated(file.text, random);
      CAPTURE(i, text);
      REQUIRE(broken_by_training_config(catalog, text) == "");
      REQUIRE(broken_by_reader(catalog, file.format, text) == "");
    }
  }
}

TEST_CASE("every reader survives the files of all others", "[fuzz]") {
  const io::Catalog catalog = io::Catalog::load();
  const std::vector<File> all = files();
  for (std::size_t i = 0; i < all.size(); i += 3)
    for (std::size_t j = 0; j < all.size(); j += 10) {
      CAPTURE(all[j].format, all[i].text);
      REQUIRE(broken_by_reader(catalog, all[j].format, all[i].text) == "");
    }
}

TEST_CASE("a deeply nested training configuration is refused", "[fuzz]") {
  const io::Catalog catalog = io::Catalog::load();
  for (const std::string& text : {nested("[", "", "]", kDeep), nested("{a: ", "1", "}", kDeep), "base_model: " + nested("[", "", "]", kDeep), "a = " + nested("[", "", "]", kDeep),
                                  nested("- ", "x", "", kDeep), nested("a.", "b = 1", "", kDeep), "[" + nested("a.", "b", "", kDeep) + "]\nc = 1", nested("? ", "x", "", kDeep),
                                  "[[" + nested("a.", "b", "", 60) + "]]\nc = 1", nested("--a ", "", "", kDeep / 10), nested("a=b ", "", "", kDeep / 10)}) {
    CAPTURE(text.substr(0, 40));
    CHECK(broken_by_training_config(catalog, text) == "");
  }
}
