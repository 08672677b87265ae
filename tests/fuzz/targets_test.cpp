// Every target on the inputs that it starts from, on damaged ones, and on all that a search has found: findings/TARGET.
#include "mutate.hpp"
#include "targets.hpp"
#include "texts.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

using namespace plimsoll::fuzz;
namespace fs = std::filesystem;

namespace {

// Of each target: a taste, in a debug build with sanitizers. scripts/fuzz begins with all seeds.
constexpr int kTries = 20;
constexpr std::size_t kSeeds = 30;

const fs::path kFolder = PLIMSOLL_SOURCE_DIR "/tests/fuzz";

/// The names in targets.txt, which CMake and scripts/fuzz read.
std::set<std::string> listed() {
  std::set<std::string> names;
  std::ifstream file{kFolder / "targets.txt"};
  for (std::string line; std::getline(file, line);) {
    std::string name;
    if (!line.starts_with('#') && std::istringstream{line} >> name) names.insert(name);
  }
  return names;
}

} // namespace

TEST_CASE("the search knows every target", "[fuzz]") {
  std::set<std::string> names;
  for (const Target& target : all_targets()) names.emplace(target.name);
  CHECK(listed() == names);
}

TEST_CASE("every target holds on its seeds and on damaged ones", "[fuzz]") {
  const Target& target = all_targets()[GENERATE(range(std::size_t{0}, all_targets().size()))];
  CAPTURE(target.name);
  const std::vector<std::string> seeds = seeds_of(target.name);
  REQUIRE(!seeds.empty());
  for (std::size_t i = 0; i < seeds.size(); i += 1 + seeds.size() / kSeeds) {
    CAPTURE(i, seeds[i]);
    REQUIRE(target.broken_by(seeds[i]) == "");
  }
  Random random{404};
  for (int i = 0; i < kTries; ++i) {
    const std::string input = mutated(random.one_of(std::span<const std::string>{seeds}), random);
    CAPTURE(i, input);
    REQUIRE(target.broken_by(input) == "");
  }
}

TEST_CASE("what a search has found stays mended", "[fuzz]") {
  for (const Target& target : all_targets()) {
    const fs::path findings = kFolder / "findings" / target.name;
    if (!fs::exists(findings)) continue;
    for (const auto& file : fs::directory_iterator{findings}) {
      CAPTURE(file.path());
      CHECK(target.broken_by(contents(file.path())) == "");
    }
  }
}
