// The evidence is the same in every build: docs/accuracy.json holds what the command line said of tests/corpus, and a row asked again by the
// question that it prints gives the same number.
#include "plimsoll/evidence/accuracy_summary.hpp"
#include "scenarios.hpp"
#include "text/json.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

using namespace plimsoll;
using io::Json;

namespace {

const std::string kRoot = PLIMSOLL_SOURCE_DIR "/";

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file{path};
  return {std::istreambuf_iterator<char>{file}, {}};
}

/// Names and texts of the evidence, as a shell lists them.
std::map<std::string, std::string> corpora() {
  std::map<std::string, std::string> texts;
  for (const auto& entry : std::filesystem::directory_iterator{kRoot + "tests/corpus"})
    if (entry.path().extension() == ".json") texts.emplace(entry.path().stem().string(), text_of(entry.path()));
  return texts;
}

/// The same rows with the questions that were printed of them.
std::string asked_again(const std::string& text, const io::Accuracy& accuracy) {
  Json rows = io::parse_json(text, {.bytes = std::size_t{1} << 26, .keys = 2'000'000}).value;
  std::size_t figure = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Json& row = rows[i];
    const std::size_t figures = std::max<std::size_t>(row.at("measured").size(), 1); // a row without any is listed
    if (!accuracy.rows[figure].scenario.empty()) row["query"] = accuracy.rows[figure].scenario;
    figure += figures;
  }
  return io::dump(rows);
}

/// Of a file of rows each so-many-th one.
std::string some_rows(const std::string& text, std::size_t every) {
  const Json rows = io::parse_json(text, {.bytes = std::size_t{1} << 26, .keys = 2'000'000}).value;
  Json some = Json::array();
  for (std::size_t i = 0; i < rows.size(); i += every) some.push_back(rows[i]);
  return io::dump(some);
}

/// What is said of the rows, after it was seen that the questions printed of them give it again.
io::Accuracy compared_twice(const std::string& rows) {
  io::Accuracy first = io::compare(test::catalog(), rows);
  const io::Accuracy second = io::compare(test::catalog(), asked_again(rows, first));
  REQUIRE(first.rows.size() == second.rows.size());
  for (std::size_t i = 0; i < first.rows.size(); ++i) {
    INFO(first.rows[i].id << " " << first.rows[i].metric << ": " << first.rows[i].scenario);
    CHECK(first.rows[i].predicted == second.rows[i].predicted);
    CHECK(first.rows[i].scenario == second.rows[i].scenario);
  }
  return first;
}

} // namespace

TEST_CASE("rows of every file of evidence give the same again by the question that they print") {
  constexpr std::size_t kEvery = 16; // sanitizers take minutes for all
  for (const auto& [name, text] : corpora()) {
    INFO(name);
    CHECK(!compared_twice(some_rows(text, kEvery)).rows.empty());
  }
}

// Hidden from the shards, of which it would be the longest: ctest starts it by itself.
TEST_CASE("every row of evidence gives the same bytes in every build, and again by the question that it prints", "[.][evidence]") {
  std::vector<io::Corpus> asked;
  for (const auto& [name, text] : corpora()) {
    INFO(name);
    asked.push_back({name, compared_twice(text)});
  }
  CHECK(asked.size() >= 10);
  INFO("Written by: python3 tests/readme/check_readme.py --write README.md docs/accuracy.md build/native-release/cli/plimsoll");
  CHECK((io::corpora_json(asked) + "\n" == text_of(kRoot + "docs/accuracy.json")));
}
