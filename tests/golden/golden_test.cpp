// What the product answers to each line of scenarios.txt and questions.txt, held as files that people can review (README.md says how to
// read them). The same files judge the native build, WebAssembly, the command line, the JS module and the page.
//
// A golden file changes only by decision: when a formula, a source or a text was meant to change. Then run
//   PLIMSOLL_APPROVE=1 build/native-release/tests/plimsoll_tests "[golden]"
// and read the difference line by line before committing it.
#include "answers.hpp"
#include "compare.hpp"
#include "digest.hpp"
#include "figures.hpp"
#include "folder.hpp"
#include "whole.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>

using namespace plimsoll::test;

namespace {

/// whole.txt: "name why".
std::set<std::string> whole_names() {
  std::set<std::string> names;
  for (const std::string& line : lines_of_file(kGoldenFolder + "whole.txt"))
    if (std::string name; std::istringstream{line} >> name) names.insert(name);
  return names;
}

/// Figures by table, a scenario after the other. Where one has the same as one before it, as all that ask about the same model have of
/// its parameters, a line says so.
class Tables {
public:
  void add(const std::string& name, const std::vector<Figure>& figures) {
    std::map<std::string, Lines> tables;
    for (const Figure& figure : figures) tables[figure.table].push_back("  " + figure.name + "  " + figure.value);
    for (const auto& [table, lines] : tables) {
      const auto [first, is_new] = first_.try_emplace({table, lines}, name);
      Lines& file = files_["figures/" + table + ".txt"];
      if (!is_new && lines.size() > 1) file.push_back(name + "  as " + first->second);
      else
        for (const std::string& line : lines) file.push_back(name + line);
    }
  }

  const std::map<std::string, Lines>& files() const { return files_; }

private:
  std::map<std::pair<std::string, Lines>, std::string> first_;
  std::map<std::string, Lines> files_;
};

/// What expected/ must hold: path to lines.
std::map<std::string, Lines> written(const std::vector<GoldenAnswer>& answers) {
  std::map<std::string, Lines> files;
  Tables tables;
  Citations citations;
  std::set<std::string> whole = whole_names();
  for (const GoldenAnswer& answer : answers) {
    INFO(answer.name);
    files["digests.txt"].push_back(answer.name + "  " + std::to_string(answer.json.size()) + "  " + digest(answer.json));
    const auto parsed = plimsoll::io::parse_json(answer.json);
    REQUIRE(parsed.ok);
    if (whole.erase(answer.name) != 0) {
      REQUIRE(files.emplace("whole/" + answer.name + ".txt", whole_lines(parsed.value, citations)).second);
      continue;
    }
    add_citations(parsed.value, citations);
    tables.add(answer.name, figures(parsed.value, answer.question));
  }
  INFO("whole.txt names what neither scenarios.txt nor questions.txt has");
  CHECK(whole.empty());
  files.insert(tables.files().begin(), tables.files().end());
  files["citations.txt"] = citation_lines(citations);
  return files;
}

} // namespace

TEST_CASE("golden scenarios and questions keep every byte, and every figure where people can see it", "[golden]") {
  const std::vector<GoldenAnswer> answers = golden_answers();
  for (const GoldenAnswer& answer : answers) {
    INFO(answer.name);
    if (answer.question) CHECK(answer.json.find("\"ok\":true") != std::string::npos);
  }
  CHECK(std::ranges::count(answers, false, &GoldenAnswer::question) >= 12);
  CHECK(std::ranges::count(answers, true, &GoldenAnswer::question) >= 14);

  const std::string folder = kGoldenFolder + "expected/";
  const auto actual = written(answers);
  if (std::getenv("PLIMSOLL_APPROVE") != nullptr) write_folder(folder, actual);
  auto expected = read_folder(folder);
  for (const auto& [path, lines] : actual) {
    const std::string message = differences("tests/golden/expected/" + path, expected[path], lines);
    if (!message.empty()) FAIL_CHECK(message);
    expected.erase(path);
  }
  for (const auto& [path, lines] : expected) FAIL_CHECK("tests/golden/expected/" << path << " belongs to nothing.");
}
